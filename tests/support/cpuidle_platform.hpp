// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/plain_platform.hpp"

#include <array>
#include <string>

namespace idlesim::test {

/// Steps of the cpuidle path and of timers, beside those of every kernel.
inline constexpr std::array kCpuidleSteps{"governor_select",
                                          "sleep_length",
                                          "governor_reflect",
                                          "cpuidle_enter",
                                          "cpuidle_leave",
                                          "rcu_idle_enter",
                                          "rcu_idle_exit",
                                          "cpuidle_account",
                                          "leave_mm",
                                          "broadcast_enter",
                                          "broadcast_exit",
                                          "rcu_irq_enter",
                                          "rcu_irq_exit",
                                          "hrtimer_start",
                                          "hrtimer_expire",
                                          "hrtimer_interrupt",
                                          "timer_program",
                                          "timer_softirq",
                                          "nanosleep_call",
                                          "nanosleep_return",
                                          "wult_hook",
                                          "device_handler",
                                          "pcie_wake",
                                          "clflush_monitor",
                                          "verw",
                                          "background_handler"};

// Entry, and exit, of each hardware state of the platform; different, so that a sum tells its
// parts.
inline constexpr Duration kCc1Entry = std::chrono::nanoseconds{20};
inline constexpr Duration kCc1Exit = std::chrono::nanoseconds{100};
inline constexpr Duration kCc1eEntry = std::chrono::nanoseconds{50};
inline constexpr Duration kCc1eExit = std::chrono::nanoseconds{500};
inline constexpr Duration kCc6Entry = std::chrono::microseconds{2};
inline constexpr Duration kCc6Exit = std::chrono::microseconds{30};
inline constexpr Duration kPc6Entry = std::chrono::microseconds{5};
inline constexpr Duration kPc6Exit = std::chrono::microseconds{40};

/// Appends a hardware state, deeper than those before it.
inline HardwareState& add_hardware_state(PlatformSpec& platform,
                                         const std::string& name,
                                         StateScope scope,
                                         Duration entry,
                                         Duration exit) {
    HardwareState state;
    state.scope = scope;
    platform.hardware_states.entries.push_back({name, {}, state});
    set_cost(platform, name + "_entry", entry);
    set_cost(platform, name + "_exit", exit);
    return platform.hardware_states.entries.back().value;
}

/// The hardware state of that name.
inline HardwareState& hardware_state(PlatformSpec& platform, const std::string& name) {
    for (auto& entry : platform.hardware_states.entries) {
        if (entry.key == name) {
            return entry.value;
        }
    }
    return add_hardware_state(platform, name, StateScope::core, {}, {});
}

/// The row of that name in the driver's table.
inline DeclaredState& declared_state(PlatformSpec& platform, const std::string& name) {
    for (auto& entry : platform.idle_states.entries) {
        if (entry.key == name) {
            return entry.value;
        }
    }
    platform.idle_states.entries.push_back({name, {}, {}});
    return platform.idle_states.entries.back().value;
}

/// The plain platform as a server that a cpuidle driver knows: hardware cc1 (a thread's), cc1e and
/// cc6 (a core's), pc6 (the package's), declared as C1, C1E and C6 with the numbers of Skylake-SP.
/// Every step takes the same time, nothing is left to chance, no state is pre-woken. CPU n and
/// n + 4 share a core, CPUs 0, 1, 4 and 5 a package.
inline PlatformSpec cpuidle_platform(Duration step = std::chrono::nanoseconds{10}) {
    using namespace std::chrono_literals;
    PlatformSpec platform = plain_platform(step);
    platform.vendor = "Intel";
    for (const char* name : kCpuidleSteps) {
        set_cost(platform, name, step);
    }
    add_hardware_state(platform, "cc1", StateScope::thread, kCc1Entry, kCc1Exit);
    add_hardware_state(platform, "cc1e", StateScope::core, kCc1eEntry, kCc1eExit).promotion_of_c1 =
        true;
    add_hardware_state(platform, "cc6", StateScope::core, kCc6Entry, kCc6Exit);
    add_hardware_state(platform, "pc6", StateScope::package, kPc6Entry, kPc6Exit);

    DeclaredState c1;
    c1.description = "MWAIT 0x00";
    c1.hint.value = 0x00;
    c1.exit_latency = 2us;
    c1.target_residency = 2us;
    c1.flags = {StateFlag::irq_enable};
    c1.hardware = "cc1";
    DeclaredState c1e;
    c1e.description = "MWAIT 0x01";
    c1e.hint.value = 0x01;
    c1e.exit_latency = 10us;
    c1e.target_residency = 20us;
    c1e.flags = {StateFlag::always_enable};
    c1e.hardware = "cc1e";
    DeclaredState c6;
    c6.description = "MWAIT 0x20";
    c6.hint.value = 0x20;
    c6.exit_latency = 133us;
    c6.target_residency = 600us;
    c6.flags = {StateFlag::tlb_flushed, StateFlag::ibrs};
    c6.hardware = "pc6";
    platform.idle_states.entries = {{"C1", {}, c1}, {"C1E", {}, c1e}, {"C6", {}, c6}};
    return platform;
}

}  // namespace idlesim::test
