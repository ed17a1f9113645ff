// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/op.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

class Hypervisor;

/// A finished program: what an idle strategy, a handler or a task does, operation by operation.
/// Shared by all CPUs that run it; owned by the machine, alive as long as it runs.
struct Program {
    std::string name;
    std::vector<Op> ops;

    /// One line an operation, with the names of its costs, for people.
    [[nodiscard]] std::vector<std::string> listing(const CostTable&, const StepNames&) const;
};

/// Where a branch goes; bound to a place in the program later or earlier.
struct Label {
    std::uint16_t index = 0;
};

/// Writes a program. Costs are named as in the platform's `costs:` and looked up at once
/// (MissingCost where one is absent); the step of an operation is called after its cost, unless
/// a step is named.
class ProgramBuilder {
public:
    /// On a virtual CPU, operations that leave the guest become those of the exit, as the
    /// hypervisor writes them.
    ProgramBuilder(std::string name,
                   const CostTable& costs,
                   StepNames& steps,
                   Hypervisor* hypervisor = nullptr);

    ProgramBuilder& work(std::string_view cost, ProbePoint then = ProbePoint::none);
    ProgramBuilder& cli();
    ProgramBuilder& sti();
    /// CLI and STI inside work whose cost counts them already (local_irq_save(), entry code).
    ProgramBuilder& mask_interrupts();
    ProgramBuilder& unmask_interrupts();
    ProgramBuilder& set_polling();
    ProgramBuilder& clear_polling();
    ProgramBuilder& test_need_resched(Label when_set);
    ProgramBuilder& monitor();
    /// Waits at `hint`; the costs are <state>_entry and <state>_exit.
    ProgramBuilder& mwait(std::uint32_t hint, bool break_on_irq, std::string_view state = "mwait");
    ProgramBuilder& hlt(std::string_view state = "hlt");
    ProgramBuilder& io_read(std::string_view state);
    /// Spins with PAUSE until NEED_RESCHED is seen, an interrupt has been handled, or `limit` has
    /// passed (zero: no limit); costs `pause_turn` a turn.
    ProgramBuilder& pause_loop(Duration limit);
    /// The same with the limit that the CPU has at that moment (LogicalCpu::set_poll_limit).
    ProgramBuilder& pause_loop_of_cpu();
    /// The ICR is written, then `send` sends the interrupt.
    ProgramBuilder& icr_write(Effect send);
    /// The TSC deadline is written, and `effect` sees to it.
    ProgramBuilder& timer_write(Effect effect = {});
    /// An interrupt has come while the guest ran, and the host has to take it first.
    ProgramBuilder& interrupt_exit(bool by_timer);
    /// To the host and back. What stands between them is the host's: nothing of it is told to a
    /// listener.
    ProgramBuilder& vm_exit();
    ProgramBuilder& vm_entry();
    /// The host spins for the guest, at most for the CPU's poll limit.
    ProgramBuilder& halt_poll();
    /// Steps that follow are called by their names behind `prefix`.
    ProgramBuilder& prefix_steps(std::string_view prefix);
    /// A task spins until LogicalCpu::release().
    ProgramBuilder& wait_for_release();
    /// A task computes for as long as an effect before this has put into Context::compute_left.
    ProgramBuilder& compute(std::string_view step = "compute");
    /// native_wrmsrl(): the MSR alone.
    ProgramBuilder& wrmsr_spec_ctrl(std::uint64_t value);
    /// __update_spec_ctrl(): the MSR and the kernel's per-CPU copy, at the same cost.
    ProgramBuilder& update_spec_ctrl(std::uint64_t value);
    ProgramBuilder& jump(Label);
    /// Calls `effect` after `cost` has passed.
    ProgramBuilder& effect(Effect, std::uint64_t argument = 0, std::string_view cost = {});
    /// Calls `effect` after `cost` has passed and branches when it returns true.
    ProgramBuilder& branch(Effect,
                           Label when_true,
                           std::uint64_t argument = 0,
                           std::string_view cost = {});
    ProgramBuilder& probe(ProbePoint);
    /// The operation before tells the listener of `point` when it is done.
    ProgramBuilder& tell(ProbePoint point);
    /// Tells the listener of `point` once the interrupted code is back in charge.
    ProgramBuilder& iret(ProbePoint point = ProbePoint::none);

    [[nodiscard]] const std::string& name() const { return program_.name; }

    /// Does the platform name this cost? Some steps exist only where it does.
    [[nodiscard]] bool has_cost(std::string_view cost) const { return costs_.has(cost); }

    /// The time of all operations that follow goes to `step` instead of a step of their own:
    /// a handler that a measured event merely collides with.
    ProgramBuilder& attribute_to(std::string_view step);

    [[nodiscard]] Label label();
    ProgramBuilder& bind(Label);

    /// Resolves labels. An unbound label is a broken invariant.
    [[nodiscard]] Program finish();

private:
    Op& add(OpCode, std::string_view cost);
    Op& add_sleep(OpCode, std::string_view state);

    Program program_;
    const CostTable& costs_;
    StepNames& steps_;
    Hypervisor* hypervisor_;
    bool in_host_ = false;
    std::string step_override_;
    std::string step_prefix_;
    std::vector<int> label_places_;
};

}  // namespace idlesim
