// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/describe_platform.hpp"

#include "sim/cli/command_line.hpp"
#include "sim/config/quantity.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/experiment/platform_file.hpp"

#include <array>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr std::array kBases{Basis::documented, Basis::derived, Basis::fitted, Basis::assumed};

std::string_view name_of(Basis basis) {
    for (const auto& [name, value] : config::EnumNames<Basis>::values) {
        if (value == basis) {
            return name;
        }
    }
    return {};
}

void print_table(const char* title, const config::OrderedMap<DeclaredState>& table) {
    for (const auto& entry : table) {
        fmt::print("  {} {}: exit latency {}, target residency {}, asks for {}\n",
                   title,
                   entry.key,
                   config::write_duration(entry.value.exit_latency),
                   config::write_duration(entry.value.target_residency),
                   entry.value.hardware);
    }
}

void print_basis(const PlatformSpec& platform) {
    std::map<Basis, int> count;
    for (const auto& entry : platform.costs) {
        ++count[entry.value.basis];
    }
    fmt::print("  {} costs:", platform.costs.size());
    for (const Basis basis : kBases) {
        fmt::print(" {} {}", count[basis], name_of(basis));
    }
    fmt::print("\n  assumed, and the range that the sources allow:\n");
    for (const AssumedCost& cost : assumed_costs(platform)) {
        fmt::print("    {}: {} to {}\n",
                   cost.path.substr(std::string_view{"platform."}.size()),
                   cost.low,
                   cost.high);
    }
}

std::optional<PlatformSpec> find_platform(const std::string& name) {
    const auto found = find_data_file(name, ".", kPlatformFolder);
    if (!found) {
        return std::nullopt;
    }
    return read_platform_file(displayed(found->path));
}

}  // namespace

PlatformSpec read_platform(const std::string& name) {
    if (std::optional<PlatformSpec> platform = find_platform(name)) {
        return std::move(*platform);
    }
    throw UsageError{
        fmt::format("there is no platform '{}'{}",
                    name,
                    config::suggestion_text(name, "platforms", data_file_names(kPlatformFolder)))};
}

bool describe_platform(const std::string& name) {
    const std::optional<PlatformSpec> found = find_platform(name);
    if (!found) {
        return false;
    }
    const PlatformSpec& platform = *found;
    fmt::print("{} (platform): {}\n  {} CPUs, core clock {}\n",
               platform.name,
               platform.description,
               platform.topology.cpus(),
               config::write_frequency(platform.core_clock));
    // A guest sees none of them, unless they are passed through.
    const char* const whose = platform.virtual_machine ? "its host declares" : "declares";
    print_table(whose, platform.idle_states);
    print_table(fmt::format("{} by ACPI", whose).c_str(), platform.acpi_states);
    print_basis(platform);
    return true;
}

}  // namespace idlesim
