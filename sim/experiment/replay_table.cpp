// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/replay_table.hpp"

#include "models/kernel/registered_state.hpp"
#include "sim/config/flow.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/cpuidle_declared.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/experiment/dump_check.hpp"
#include "sim/experiment/dump_reader.hpp"
#include "sim/experiment/platform_file.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace idlesim {
namespace {

PlatformSpec load(const std::string& name) {
    const auto found = find_data_file(name, ".", kPlatformFolder);
    if (!found) {
        throw config::ConfigError{fmt::format(
            "--platform: error: there is no platform '{}'{}\n",
            name,
            config::suggestion_text(name, "platforms", data_file_names(kPlatformFolder)))};
    }
    // Recorded idle intervals of a guest are replayed with what the guest sees.
    const PlatformSpec platform = read_platform_file(displayed(found->path));
    return platform.virtual_machine ? guest_view(platform) : platform;
}

CpuidleDriver driver_of(const PlatformSpec& platform) {
    const bool mwait = platform.cpuid.monitor && platform.cpuid.mwait_extensions;
    if (!platform.idle_states.empty() && mwait) {
        return CpuidleDriver::intel_idle;
    }
    return platform.acpi_states.empty() ? CpuidleDriver::haltpoll : CpuidleDriver::acpi_idle;
}

std::vector<RegisteredState> registered(const PlatformSpec& platform) {
    KernelSpec kernel;
    kernel.cpuidle = driver_of(platform);
    try {
        return register_states(kernel, platform, std::nullopt);
    } catch (const DriverError& error) {
        throw config::ConfigError{fmt::format("--platform: error: {}\n", error.what())};
    }
}

double seconds(const Cost* cost) {
    return cost == nullptr ? 0.0 : std::chrono::duration<double>(cost->value).count();
}

// A core in hardware state `index`; one of the package's keeps the core in its own deepest state.
StateEnergy energy_in(const PlatformSpec& platform, std::size_t index) {
    const auto& states = platform.hardware_states.entries;
    std::size_t core = index;
    while (core > 0 && states[core].value.scope == StateScope::package) {
        --core;
    }
    StateEnergy energy;
    energy.watts = states[core].value.power.value.watts;
    double way = 0;
    for (std::size_t state = core; state <= index;
         state += std::max<std::size_t>(index - core, 1)) {
        energy.joules += states[state].value.transition_energy.value.joules;
        way += seconds(platform.find_cost(states[state].key + "_exit"));
    }
    const double entry = seconds(platform.find_cost(states[index].key + "_entry"));
    const double running = platform.power->core_running.value.watts;
    energy.joules += running * way + (running - energy.watts) * entry;
    return energy;
}

}  // namespace

std::vector<StateEnergy> platform_energy(const std::string& name) {
    const PlatformSpec platform = load(name);
    if (!platform.power || platform.hardware_states.empty()) {
        return {};
    }
    std::vector<StateEnergy> energy;
    for (const RegisteredState& state : registered(platform)) {
        energy.push_back(state.hardware < 0
                             ? StateEnergy{platform.power->core_polling.value.watts, 0}
                             : energy_in(platform, static_cast<std::size_t>(state.hardware)));
    }
    return energy;
}

std::vector<IdleState> platform_table(const std::string& name) {
    const PlatformSpec platform = load(name);
    std::vector<IdleState> table;
    for (const RegisteredState& state : registered(platform)) {
        table.push_back(state.declared);
    }
    return table;
}

std::vector<IdleState> dump_table(const std::string& path, config::Diagnostics& diagnostics) {
    const Dump dump = read_dump(path);
    check_dump(dump, diagnostics);
    return governor_table(imported_states(dump, diagnostics));
}

Choice<Governor> governor_choice(const std::string& text) {
    config::Diagnostics diagnostics;
    Choice<Governor> choice;
    const std::string name{config::kCommandLine};
    std::optional<config::Node> node = config::parse_flow(text, name, 1, diagnostics);
    diagnostics.throw_if_errors();
    if (!node || !read_choice(*node, Governor::kKindKey, choice, diagnostics)) {
        diagnostics.throw_if_errors();
        throw config::ConfigError{fmt::format("--governor: error: no governor '{}'\n", text)};
    }
    diagnostics.throw_if_errors();
    choice.kind = text;
    return choice;
}

}  // namespace idlesim
