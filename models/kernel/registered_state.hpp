// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cstate/idle_state.hpp"
#include "models/kernel/kernel_spec.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace idlesim {

/// A state as a cpuidle driver has registered it: what the governor is told, and how it is entered.
struct RegisteredState {
    IdleState declared;
    std::string description;
    std::string strategy_name;
    std::unique_ptr<IdleStrategy> strategy;
    EntryRequest request;
    bool timer_stop = false;
    bool tlb_flushed = false;
    int hardware = -1;  ///< index of the platform's hardware state, -1 for POLL
};

/// A driver that would refuse to load on this platform with these parameters.
class DriverError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The states that the kernel's driver registers, POLL first where it has one, with the callback
/// that state_update_enter_method() chooses (drivers/idle/intel_idle.c, 6.15; drivers/acpi/
/// processor_idle.c and drivers/cpuidle/cpuidle-haltpoll.c, 6.3). `idle` replaces the callback of
/// every state that does not poll. Throws DriverError.
[[nodiscard]] std::vector<RegisteredState> register_states(
    const KernelSpec& kernel,
    const PlatformSpec& platform,
    const std::optional<Choice<IdleStrategy>>& idle);

}  // namespace idlesim
