// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/registered_state.hpp"

#include "models/kernel/table_override.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {

namespace {

bool smt_active(const PlatformSpec& platform) {
    return platform.topology.threads_per_core > 1;
}

EntryRequest request_for(const KernelSpec& kernel, const PlatformSpec& platform) {
    EntryRequest request;
    request.early_sti = rules_of(kernel).early_sti;
    request.smt_active = smt_active(platform);
    request.bug_monitor = platform.cpuid.bug_monitor;
    request.clflush_monitor = platform.cpuid.clflush_monitor;
    request.clears_buffers = kernel.idle_clears_buffers;
    request.updates_spec_ctrl_copy = rules_of(kernel).update_spec_ctrl;
    request.spec_ctrl = kSpecCtrlIbrs | (kernel.stibp ? kSpecCtrlStibp : 0);
    return request;
}

void choose(RegisteredState& state, std::string_view strategy) {
    state.strategy_name = strategy;
    state.strategy = Registry<IdleStrategy>::choice(strategy).make();
}

RegisteredState poll_state() {
    RegisteredState state;
    state.declared.name = "POLL";
    state.declared.polling = true;
    state.description = "CPUIDLE CORE POLL IDLE";
    state.request.limited_poll = true;
    choose(state, "poll");
    return state;
}

bool package_c6_is_off(const PlatformSpec& platform) {
    return !platform.firmware.package_c6;
}

RegisteredState declared_state(const std::string& name,
                               const DeclaredState& row,
                               const KernelSpec& kernel,
                               const PlatformSpec& platform) {
    RegisteredState state;
    state.declared.name = name;
    state.declared.exit_latency = row.exit_latency;
    state.declared.target_residency = row.target_residency;
    if (row.without_package_c6 && package_c6_is_off(platform)) {
        state.declared.exit_latency = row.without_package_c6->exit_latency;
        state.declared.target_residency = row.without_package_c6->target_residency;
    }
    state.declared.disabled = row.has(StateFlag::off);
    state.description = row.description;
    state.request = request_for(kernel, platform);
    state.request.hint = static_cast<std::uint32_t>(row.hint.value);
    state.request.hardware = row.hardware;
    state.timer_stop = row.has(StateFlag::timer_stop);
    state.tlb_flushed = row.has(StateFlag::tlb_flushed);
    const auto& all = platform.hardware_states.entries;
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const auto& entry) { return entry.key == row.hardware; });
    state.hardware = static_cast<int>(found - all.begin());
    return state;
}

// state_update_enter_method().
std::string_view intel_callback(const DeclaredState& row,
                                const KernelSpec& kernel,
                                const PlatformSpec& platform) {
    const KernelRules rules = rules_of(kernel);
    if (row.has(StateFlag::init_xstate)) {
        return "intel_idle_xstate";
    }
    const bool kernel_ibrs = platform.cpuid.legacy_ibrs && rules.kernel_ibrs;
    if (kernel_ibrs && (row.has(StateFlag::ibrs) || kernel.intel_idle.ibrs_off)) {
        return "intel_idle_ibrs";
    }
    const bool irq_enable = row.has(StateFlag::irq_enable) && rules.has_irq_enable;
    return irq_enable || kernel.intel_idle.force_irq_on ? "intel_idle_irq" : "intel_idle";
}

// drivers/idle/intel_idle.c, intel_idle_init(): what keeps the driver from loading.
void check_intel_idle(const KernelSpec& kernel, const PlatformSpec& platform) {
    if (kernel.idle != IdleParameter::none) {
        throw DriverError{"intel_idle does not load with an idle= parameter"};
    }
    if (kernel.intel_idle.max_cstate == 0) {
        throw DriverError{"intel_idle does not load with max_cstate: 0"};
    }
    if (!platform.cpuid.monitor || !platform.cpuid.mwait_extensions) {
        throw DriverError{"intel_idle does not load without MWAIT (CPUID.1:ECX[3], CPUID.5)"};
    }
    if (platform.idle_states.empty()) {
        throw DriverError{
            fmt::format("platform '{}' has no idle_states for intel_idle", platform.name)};
    }
}

// intel_idle_verify_cstate(): of CPUID.5 we know the sub-states of C1.
bool has_substates(const DeclaredState& row, const PlatformSpec& platform) {
    constexpr unsigned kSubstateBits = 4;
    const bool is_c1 = row.hint.value >> kSubstateBits == 0;
    return !is_c1 || platform.cpuid.mwait_c1_substates > 0;
}

// intel_idle_off_by_default(): with use_acpi a state that _CST does not list is off, unless it is
// always enabled.
bool is_off_by_acpi(const DeclaredState& row,
                    const KernelSpec& kernel,
                    const PlatformSpec& platform) {
    if (!kernel.intel_idle.use_acpi || kernel.intel_idle.no_acpi || platform.acpi_states.empty() ||
        row.has(StateFlag::always_enable)) {
        return false;
    }
    const auto& all = platform.acpi_states.entries;
    return std::none_of(all.begin(), all.end(), [&](const auto& entry) {
        return entry.value.entry == EntryMethod::mwait && entry.value.hint == row.hint;
    });
}

// intel_idle_init_cstates_acpi(): C1's residency is its latency, that of others three times theirs.
std::vector<RegisteredState> states_of_cst(const KernelSpec& kernel, const PlatformSpec& platform) {
    constexpr int kResidencyFactor = 3;
    std::vector<RegisteredState> states;
    states.push_back(poll_state());
    for (const auto& entry : platform.acpi_states) {
        if (entry.value.entry != EntryMethod::mwait ||
            static_cast<int>(states.size()) > kernel.intel_idle.max_cstate) {
            continue;
        }
        RegisteredState state =
            declared_state(fmt::format("C{}_ACPI", states.size()), entry.value, kernel, platform);
        const Duration latency = state.declared.exit_latency;
        state.declared.target_residency = states.size() == 1 ? latency : latency * kResidencyFactor;
        choose(state, "intel_idle");
        states.push_back(std::move(state));
    }
    return states;
}

std::vector<RegisteredState> intel_idle_states(const KernelSpec& kernel,
                                               const PlatformSpec& platform) {
    check_intel_idle(kernel, platform);
    const IntelIdleOptions& options = kernel.intel_idle;
    if (options.no_native && !options.no_acpi && !platform.acpi_states.empty()) {
        return states_of_cst(kernel, platform);
    }
    std::vector<RegisteredState> states;
    states.push_back(poll_state());
    int row = 0;
    for (const auto& entry : platform.idle_states) {
        // The limit counts rows, unusable ones too (intel_idle_init_cstates_icpu()).
        if (++row > kernel.intel_idle.max_cstate) {
            break;
        }
        if (entry.value.has(StateFlag::unusable) || !has_substates(entry.value, platform)) {
            continue;
        }
        RegisteredState state = declared_state(entry.key, entry.value, kernel, platform);
        choose(state, intel_callback(entry.value, kernel, platform));
        state.declared.disabled =
            state.declared.disabled || is_off_by_acpi(entry.value, kernel, platform);
        states.push_back(std::move(state));
    }
    override_table(states, options.table);
    for (std::size_t i = 0; i < states.size(); ++i) {
        if ((options.states_off.value >> i & 1U) != 0) {
            states[i].declared.disabled = true;
        }
    }
    return states;
}

bool has_acpi_mwait(const KernelSpec& kernel, const PlatformSpec& platform) {
    return kernel.idle != IdleParameter::nomwait && platform.cpuid.monitor;
}

std::string_view acpi_callback(const DeclaredState& row,
                               const KernelSpec& kernel,
                               const PlatformSpec& platform) {
    switch (row.entry) {
        case EntryMethod::mwait:
            return has_acpi_mwait(kernel, platform) ? "acpi_ffh" : "acpi_hlt";
        case EntryMethod::hlt:
            return "acpi_hlt";
        case EntryMethod::io_port:
            return "acpi_io";
    }
    return "acpi_hlt";
}

std::vector<RegisteredState> acpi_idle_states(const KernelSpec& kernel,
                                              const PlatformSpec& platform) {
    if (kernel.idle == IdleParameter::halt || kernel.idle == IdleParameter::poll) {
        throw DriverError{"acpi_idle does not load with idle=halt or idle=poll"};
    }
    if (platform.acpi_states.empty()) {
        throw DriverError{
            fmt::format("platform '{}' has no acpi_states for acpi_idle", platform.name)};
    }
    std::vector<RegisteredState> states;
    if (platform.vendor != "Arm") {
        states.push_back(poll_state());
    }
    for (const auto& entry : platform.acpi_states) {
        // Without MWAIT C1 has another way, a deeper state none
        // (acpi_processor_get_power_info_cst()).
        const bool is_c1 = &entry == &*platform.acpi_states.begin();
        if (entry.value.entry == EntryMethod::mwait && !is_c1 &&
            !has_acpi_mwait(kernel, platform)) {
            continue;
        }
        RegisteredState state = declared_state(entry.key, entry.value, kernel, platform);
        choose(state, acpi_callback(entry.value, kernel, platform));
        states.push_back(std::move(state));
    }
    return states;
}

// The guest's default routine behind POLL: latency and residency 1 us.
std::vector<RegisteredState> haltpoll_states(const KernelSpec& kernel,
                                             const PlatformSpec& platform) {
    if (kernel.idle != IdleParameter::none) {
        throw DriverError{"haltpoll does not load with an idle= parameter"};
    }
    std::vector<RegisteredState> states;
    states.push_back(poll_state());
    RegisteredState halt;
    halt.declared.name = "haltpoll idle";
    halt.declared.exit_latency = std::chrono::microseconds{1};
    halt.declared.target_residency = std::chrono::microseconds{1};
    halt.description = "default architecture idle";
    halt.request = request_for(kernel, platform);
    // What halting is on this machine: a state of that name, else the shallowest.
    if (const auto& all = platform.hardware_states.entries; !all.empty()) {
        const auto named = std::find_if(
            all.begin(), all.end(), [](const auto& entry) { return entry.key == "hlt"; });
        const auto state = named == all.end() ? all.begin() : named;
        halt.hardware = static_cast<int>(state - all.begin());
        halt.request.hardware = state->key;
    }
    choose(halt, default_idle_strategy(kernel, platform));
    states.push_back(std::move(halt));
    return states;
}

void switch_off(std::vector<RegisteredState>& states, const std::string& which) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (states[i].declared.name == which || std::to_string(i) == which) {
            states[i].declared.disabled = true;
            return;
        }
        names.push_back(states[i].declared.name);
    }
    throw DriverError{fmt::format(
        "disabled_states: no state '{}'; the driver registers {}", which, fmt::join(names, ", "))};
}

}  // namespace

std::vector<RegisteredState> register_states(const KernelSpec& kernel,
                                             const PlatformSpec& platform,
                                             const std::optional<Choice<IdleStrategy>>& idle) {
    if (platform.virtual_machine) {
        return register_states(kernel, guest_view(platform), idle);
    }
    std::vector<RegisteredState> states;
    switch (kernel.cpuidle) {
        case CpuidleDriver::none:
            return states;
        case CpuidleDriver::intel_idle:
            states = intel_idle_states(kernel, platform);
            break;
        case CpuidleDriver::acpi_idle:
            states = acpi_idle_states(kernel, platform);
            break;
        case CpuidleDriver::haltpoll:
            states = haltpoll_states(kernel, platform);
            break;
    }
    for (RegisteredState& state : states) {
        if (idle && !state.declared.polling) {
            state.strategy_name = idle->kind;
            state.strategy = idle->make();
        }
    }
    // The s2idle entry of intel_idle; with large register state it is that of xstate states.
    const bool own_entry = kernel.s2idle && kernel.cpuidle == CpuidleDriver::intel_idle && !idle;
    for (RegisteredState& state : states) {
        if (own_entry && !state.declared.polling && state.strategy_name != "intel_idle_xstate") {
            choose(state, "intel_idle_s2idle");
        }
    }
    for (const std::string& which : kernel.disabled_states) {
        switch_off(states, which);
    }
    return states;
}

}  // namespace idlesim
