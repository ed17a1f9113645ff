// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/governor/governor.hpp"
#include "models/interrupt/interrupt_source.hpp"
#include "models/kernel/kernel_spec.hpp"
#include "models/placement/placement.hpp"
#include "models/platform/platform.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <vector>

namespace idlesim {

/// How the CPUs of a run idle.
using IdleChoice = Choice<IdleStrategy>;

/// Everything that decides what a run measures, but for seed and replication: one arm of an
/// experiment.
struct Scenario {
    PlatformSpec platform;
    KernelSpec kernel;
    /// Absent: what the kernel chooses, its driver's callbacks where one is loaded. Else it takes
    /// the place of every callback that does not poll.
    std::optional<IdleChoice> idle;
    /// Chooses among the states of a cpuidle driver; absent: menu as the kernel has it.
    std::optional<Choice<Governor>> governor;
    /// Which CPU a woken task gets that may move; absent: the kernel's own rule.
    std::optional<Choice<Placement>> placement;
    Choice<Workload> workload;
    std::vector<Choice<InterruptSource>> interrupts;
    config::Location location;
};

const config::Fields<Scenario>& parameters(const Scenario*);

/// Cross-checks after reading: CPUs that do not exist, costs that the platform does not give,
/// and what the parts check themselves. Reports all of it.
void check(const Scenario&, config::Diagnostics&);

}  // namespace idlesim
