// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/program.hpp"

#include <string_view>

namespace idlesim {

/// How a CPU waits: writes the operations between the kernel's decision to idle and the first
/// instruction after the wait. Called with IF=0 and TIF_POLLING_NRFLAG clear; must end with IF=0
/// and the flag clear, and must not lose a wake-up on the way (the contract suite tries every
/// instant). Stateless: one object serves all CPUs of a run.
class IdleStrategy {
public:
    static constexpr std::string_view kKindKey = "strategy";

    IdleStrategy() = default;
    IdleStrategy(const IdleStrategy&) = delete;
    IdleStrategy(IdleStrategy&&) = delete;
    IdleStrategy& operator=(const IdleStrategy&) = delete;
    IdleStrategy& operator=(IdleStrategy&&) = delete;
    virtual ~IdleStrategy() = default;

    virtual void emit(ProgramBuilder&) const = 0;

    /// Name of the state in cpuidle terms, for counters.
    [[nodiscard]] virtual std::string_view state_name() const = 0;

    /// Does the hardware have a window in which this way of waiting loses a wake-up? The contract
    /// suite then expects the loss instead of its absence.
    [[nodiscard]] virtual bool loses_wakeup_after_nmi() const { return false; }
};

}  // namespace idlesim
