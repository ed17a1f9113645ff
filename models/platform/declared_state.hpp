// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/field.hpp"
#include "sim/engine/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// How the driver asks the hardware for a state.
enum class EntryMethod { mwait, hlt, io_port };

/// What a driver's table says about a state beside its numbers (CPUIDLE_FLAG_*, 6.15).
enum class StateFlag {
    irq_enable,     ///< wait with interrupts on
    always_enable,  ///< on even where ACPI does not list the state
    ibrs,           ///< clear IBRS during the wait
    init_xstate,    ///< put large register state into INIT before
    tlb_flushed,    ///< leave the user's address space before
    timer_stop,     ///< the local timer stops in the state
    unusable,       ///< not registered
    off,            ///< registered, switched off
};

/// Numbers that replace the declared ones under a condition.
struct DeclaredLatency {
    Duration exit_latency{};
    Duration target_residency{};
    config::Location location;
};

const config::Fields<DeclaredLatency>& parameters(const DeclaredLatency*);

/// A row of the table that a cpuidle driver declares: what the governor believes and how the state
/// is asked for. What the hardware then does is a HardwareState.
struct DeclaredState {
    std::string description;
    config::HexInt hint;  ///< EAX of MWAIT, or the port of an I/O read
    EntryMethod entry = EntryMethod::mwait;
    Duration exit_latency{};
    Duration target_residency{};
    /// Instead, where package C6 is disabled (MSR_PKG_CST_CONFIG_CONTROL below 2): the SKX and SPR
    /// rules of drivers/idle/intel_idle.c.
    std::optional<DeclaredLatency> without_package_c6;
    std::vector<StateFlag> flags;
    std::string hardware;  ///< key of the hardware state that it asks for
    std::string source;
    config::Location location;

    [[nodiscard]] bool has(StateFlag flag) const;
};

const config::Fields<DeclaredState>& parameters(const DeclaredState*);

}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<EntryMethod> {
    static constexpr std::pair<std::string_view, EntryMethod> values[] = {
        {"mwait", EntryMethod::mwait},
        {"hlt", EntryMethod::hlt},
        {"io_port", EntryMethod::io_port}};
};

template <>
struct EnumNames<StateFlag> {
    static constexpr std::pair<std::string_view, StateFlag> values[] = {
        {"irq_enable", StateFlag::irq_enable},
        {"always_enable", StateFlag::always_enable},
        {"ibrs", StateFlag::ibrs},
        {"init_xstate", StateFlag::init_xstate},
        {"tlb_flushed", StateFlag::tlb_flushed},
        {"timer_stop", StateFlag::timer_stop},
        {"unusable", StateFlag::unusable},
        {"off", StateFlag::off}};
};

}  // namespace idlesim::config
