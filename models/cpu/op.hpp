// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/attribution.hpp"
#include "models/cpu/step_cost.hpp"

#include <cstdint>

namespace idlesim {

class LogicalCpu;

/// What a logical CPU can do. An operation takes its cost and then has its effect at once; an
/// interrupt is taken between two operations, never inside one. An operation without cost belongs
/// to the one before it.
enum class OpCode : std::uint8_t {
    work,               ///< takes time, changes nothing that is modelled
    cli,                ///< IF := 0
    sti,                ///< IF := 1; when it was 0, the next operation is in the STI shadow
    set_polling,        ///< TIF_POLLING_NRFLAG := 1 (atomic), with a full barrier
    clear_polling,      ///< TIF_POLLING_NRFLAG := 0 (atomic), with a full barrier
    test_need_resched,  ///< branches when TIF_NEED_RESCHED is set
    monitor,            ///< arms the monitor on the word of the idle task's flags
    wrmsr_spec_ctrl,    ///< IA32_SPEC_CTRL := arg
    update_spec_ctrl,   ///< the same, and the kernel's per-CPU copy with it
    jump,
    effect,            ///< calls into the kernel model or the workload; branches on true
    probe,             ///< tells the workload that execution has come here
    iret,              ///< returns from the handler of an interrupt, NMI or SMI
    vm_exit,           ///< leaves the guest: the host's flags hold, no vector of the guest comes
    vm_entry,          ///< back to the guest, which takes what has come in the meantime
    mwait,             ///< sleeps until the monitored word is written or a break event
    hlt,               ///< sleeps until an interrupt
    io_read,           ///< sleeps in an I/O port read (AMD C2) until an interrupt, masked or not
    pause_loop,        ///< spins on TIF_NEED_RESCHED with PAUSE, up to a limit
    wait_for_release,  ///< a task spins until another CPU releases it (LogicalCpu::release)
    compute,           ///< a task computes for Context::compute_left, interrupted at any instant
    halt_poll,         ///< the host spins until something for the guest comes, up to a limit
};

/// Operations that may stop the CPU until something wakes it.
constexpr bool may_wait(OpCode code) {
    return code >= OpCode::mwait;
}

/// Operations that put the CPU to sleep.
constexpr bool sleeps(OpCode code) {
    return code == OpCode::mwait || code == OpCode::hlt || code == OpCode::io_read;
}

/// Where a measurement can look.
enum class ProbePoint : std::uint8_t {
    none,
    resumed,           ///< first instruction after the sleeping one
    handler_entry,     ///< first instruction of an interrupt handler
    idle_entry,        ///< tracepoint cpu_idle with a state
    idle_exit,         ///< tracepoint cpu_idle with PWR_EVENT_EXIT
    timer_entry,       ///< tracepoint local_timer_entry
    timer_expiry,      ///< tracepoint hrtimer_expire_entry
    function_run,      ///< the function of a cross call has run
    handler_returned,  ///< first instruction after the handler of a cross call
};

/// Limit of a pause loop: LogicalCpu::set_poll_limit().
constexpr std::uint64_t kPollLimitOfCpu = ~std::uint64_t{0};

/// A call from a program into the model around the CPU. Returns whether the program branches.
struct Effect {
    using Function = bool (*)(void* context, LogicalCpu& cpu, std::uint64_t argument);
    Function function = nullptr;
    void* context = nullptr;
};

/// Adapts a member function `bool T::f(LogicalCpu&, std::uint64_t)`.
template <auto Method, class T>
Effect effect_of(T* object) {
    return {[](void* context, LogicalCpu& cpu, std::uint64_t argument) {
                return (static_cast<T*>(context)->*Method)(cpu, argument);
            },
            object};
}

/// One operation of a program. `step` is the column that its time goes to.
struct Op {
    OpCode code = OpCode::work;
    /// work, effect, probe, iret: what to tell the listener when it is done.
    ProbePoint point = ProbePoint::none;
    /// mwait: ecx bit 0, an interrupt ends the wait although IF is 0.
    bool break_on_irq = false;
    CostId cost = kFree;
    StepId step = 0;
    /// mwait, hlt, io_read: hardware exit. pause_loop: one turn of the loop.
    CostId exit_cost = kFree;
    StepId exit_step = 0;
    /// mwait, hlt, io_read: index of the hardware state that is asked for, -1 where the platform
    /// does not describe one and exit_cost is all there is.
    std::int8_t hardware_state = -1;
    /// Branches: where to, counted in operations from this one.
    std::int16_t offset = 0;
    /// mwait: hint; wrmsr: value; pause_loop: limit in ps, 0 for none; effect: its argument.
    std::uint64_t argument = 0;
    Effect effect;
};

}  // namespace idlesim
