// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/core.hpp"
#include "models/cpu/program.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace idlesim {

/// What a strategy asks the hardware for, and the facts of kernel and machine that its program
/// depends on.
struct EntryRequest {
    std::uint32_t hint = 0;  ///< EAX of MWAIT
    /// The hardware state, whose costs are <hardware>_entry and <hardware>_exit; empty: the
    /// strategy's own.
    std::string hardware;
    bool early_sti = false;  ///< CPUIDLE_FLAG_IRQ_ENABLE as before 6.8 (edc8fc01f608)
    bool smt_active = true;
    bool bug_monitor = false;                 ///< X86_BUG_MONITOR: POLLING is not set
    bool clflush_monitor = false;             ///< X86_BUG_CLFLUSH_MONITOR
    bool clears_buffers = false;              ///< VERW before the sleeping instruction
    bool updates_spec_ctrl_copy = false;      ///< __update_spec_ctrl() instead of native_wrmsrl()
    std::uint64_t spec_ctrl = kSpecCtrlIbrs;  ///< what kernel mode has in the MSR
    bool limited_poll = false;  ///< poll up to the CPU's limit (drivers/cpuidle/poll_state.c)

    [[nodiscard]] std::string_view hardware_or(std::string_view otherwise) const {
        return hardware.empty() ? otherwise : hardware;
    }
};

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

    virtual void emit(ProgramBuilder&, const EntryRequest&) const = 0;

    /// Name of the state in cpuidle terms, for counters where no driver names it.
    [[nodiscard]] virtual std::string_view state_name() const { return "C1"; }

    /// Does the hardware have a window in which this way of waiting loses a wake-up? The contract
    /// suite then expects the loss instead of its absence.
    [[nodiscard]] virtual bool loses_wakeup_after_nmi() const { return false; }
};

/// set_polling and test, MONITOR, test again: the part of every MWAIT entry that closes the race
/// with a remote wake-up (arch/x86/include/asm/mwait.h, 6.3). Branches to `out` when there is
/// something to do.
inline void arm_monitor(ProgramBuilder& b, const EntryRequest& request, Label out) {
    if (!request.bug_monitor) {
        b.set_polling();
    }
    b.test_need_resched(out);
    if (request.clflush_monitor) {
        b.work("clflush_monitor");
    }
    b.monitor().test_need_resched(out);
    if (request.clears_buffers) {
        b.work("verw");
    }
}

}  // namespace idlesim
