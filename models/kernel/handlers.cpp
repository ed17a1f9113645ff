// SPDX-License-Identifier: Apache-2.0
// Interrupt handlers: arch/x86/kernel/smp.c, kernel/smp.c, kernel/time/tick-sched.c and
// kernel/entry/common.c of 6.3. An interrupt from idle always enters RCU; the full entry also
// runs tick_irq_enter(), the reschedule vector's light one does not.
#include "models/kernel/kernel.hpp"

#include <fmt/format.h>

namespace idlesim {

void Kernel::begin_interrupt(ProgramBuilder& b, bool enters_from_idle, ProbePoint at_entry) {
    b.interrupt_exit(false);
    if (has_cpuidle() && b.has_cost("masked_break")) {
        const Label accepted_in_exit = b.label();
        b.branch(effect_of<&Kernel::was_no_masked_break>(this), accepted_in_exit);
        b.work("masked_break").bind(accepted_in_exit);
    }
    b.work("vectoring", at_entry);
    if (guard_.is_toggled()) {
        const Label from_kernel = b.label();
        b.branch(effect_of<&Kernel::came_from_kernel>(this), from_kernel);
        b.wrmsr_spec_ctrl(guard_.kernel_value()).bind(from_kernel);
        b.effect(effect_of<&Kernel::check_ibrs>(this));
    }
    b.work("irq_entry");
    if (has_cpuidle() && b.has_cost("rcu_irq_enter")) {
        const Label watching = b.label();
        b.branch(effect_of<&Kernel::rcu_watches>(this), watching);
        b.work("rcu_irq_enter").bind(watching);
    }
    if (enters_from_idle) {
        b.work("tick_irq_enter");
    }
    b.work("eoi");
}

void Kernel::end_interrupt(ProgramBuilder& b, ProbePoint at_return) {
    b.effect(effect_of<&Kernel::interrupt_ends>(this), wake_sources_.add(b.name()), "irq_exit");
    if (has_cpuidle()) {
        if (b.has_cost("rcu_irq_exit")) {
            const Label watching = b.label();
            b.branch(effect_of<&Kernel::rcu_watches>(this), watching);
            b.work("rcu_irq_exit").bind(watching);
        }
    }
    emit_exit_to_user(b);
    b.iret(at_return);
}

// exit_to_user_mode_loop(): where user mode was interrupted, another task may go on in its place.
void Kernel::emit_exit_to_user(ProgramBuilder& b) {
    const Label stays = b.label();
    b.branch(effect_of<&Kernel::goes_on>(this), stays);
    b.effect(effect_of<&Kernel::pick_next>(this), 0, "schedule").bind(stays);
    if (guard_.is_toggled()) {
        const Label to_kernel = b.label();
        b.branch(effect_of<&Kernel::came_from_kernel>(this), to_kernel);
        b.wrmsr_spec_ctrl(guard_.user_value()).bind(to_kernel);
    }
}

bool Kernel::came_from_kernel(LogicalCpu& cpu, std::uint64_t) {
    return !cpu.context().interrupted_user();
}

bool Kernel::goes_on(LogicalCpu& cpu, std::uint64_t) {
    return !cpu.need_resched() || !cpu.context().interrupted_user();
}

bool Kernel::was_no_masked_break(LogicalCpu& cpu, std::uint64_t) {
    return !cpu.take_masked_break();
}

bool Kernel::rcu_watches(LogicalCpu& cpu, std::uint64_t) {
    return !of(cpu).rcu_idle;
}

// A handler that runs between the WRMSR that clears IBRS and the one that restores it.
bool Kernel::check_ibrs(LogicalCpu& cpu, std::uint64_t) {
    guard_.check_handler(cpu);
    return false;
}

void Kernel::emit_flush(ProgramBuilder& b) {
    const Label next = b.label();
    const Label function = b.label();
    const Label done = b.label();
    b.branch(effect_of<&Kernel::queue_is_empty>(this), done);
    b.bind(next).branch(effect_of<&Kernel::front_is_function>(this), function, 0, "csd_flush");
    b.branch(effect_of<&Kernel::run_wake>(this), next, 0, "enqueue_task").jump(done);
    b.bind(function);
    b.branch(effect_of<&Kernel::run_function>(this), next, 0, "csd_function");
    b.tell(ProbePoint::function_run);
    b.bind(done);
}

bool Kernel::queue_is_empty(LogicalCpu& cpu, std::uint64_t) {
    return of(cpu).call_queue.empty();
}

// The idle loop flushes with interrupts on here, off in Linux: a handler may come between and find
// all of it. Then nothing is left to do.
bool Kernel::front_is_function(LogicalCpu& cpu, std::uint64_t) {
    const auto& queue = of(cpu).call_queue;
    return !queue.empty() && queue.front()->kind == CrossCall::Kind::function;
}

// True when more is queued.
bool Kernel::run_wake(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    if (state.call_queue.empty()) {
        return false;
    }
    CrossCall& call = *state.call_queue.front();
    state.call_queue.pop_front();
    enqueue(*call.task, cpu);
    if (trace_) {
        trace_->woken(cpu, *call.task);
    }
    cpu.set_need_resched_here();
    return !state.call_queue.empty();
}

bool Kernel::run_function(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    if (state.call_queue.empty()) {
        return false;
    }
    const CrossCall& call = *state.call_queue.front();
    state.call_queue.pop_front();
    call.function.function(call.function.context, cpu, 0);
    return !state.call_queue.empty();
}

bool Kernel::tick_hits(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    state.tick->note_hit();
    note_tick(state);
    end_slice(cpu);
    return false;
}

Program Kernel::reschedule_program() {
    ProgramBuilder b = machine_.program("reschedule");
    begin_interrupt(b, false);
    trace_point(b, TraceEvent::reschedule_entry);
    b.work("scheduler_ipi");
    trace_point(b, TraceEvent::reschedule_exit);
    end_interrupt(b);
    return b.finish();
}

Program Kernel::call_function_program() {
    ProgramBuilder b = machine_.program("call_function_single");
    begin_interrupt(b, true);
    trace_point(b, TraceEvent::call_function_single_entry);
    emit_flush(b);
    trace_point(b, TraceEvent::call_function_single_exit);
    end_interrupt(b, ProbePoint::handler_returned);
    return b.finish();
}

Program Kernel::tick_program() {
    ProgramBuilder b = machine_.program("tick");
    b.attribute_to("tick");
    b.interrupt_exit(true);
    begin_interrupt(b, true);
    trace_point(b, TraceEvent::local_timer_entry);
    b.effect(effect_of<&Kernel::tick_hits>(this), 0, "tick_handler");
    trace_point(b, TraceEvent::local_timer_exit);
    emit_wheel_timers(b);
    end_interrupt(b);
    return b.finish();
}

// The softirq of the timer wheel, after the tick. Only where the platform says what it costs.
void Kernel::emit_wheel_timers(ProgramBuilder& b) {
    if (b.has_cost("timer_softirq")) {
        const Label none = b.label();
        b.branch(effect_of<&Kernel::no_wheel_timer_expired>(this), none);
        b.effect(effect_of<&Kernel::run_wheel_timers>(this), 0, "timer_softirq").bind(none);
    }
}

bool Kernel::no_wheel_timer_expired(LogicalCpu& cpu, std::uint64_t) {
    const auto next = of(cpu).timers->next_wheel_timer();
    return !next || cpu.now() < *next;
}

bool Kernel::run_wheel_timers(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    while (WheelTimer* timer = state.timers->take_expired_wheel_timer(cpu.now())) {
        ++wheel_timers_run_;
        const Duration late = cpu.now() - timer->expires;
        if (late > state.tick->period()) {
            late_timers_.push_back(late);
            report({cpu.now(),
                    cpu.number(),
                    "late_timer",
                    "tick",
                    "timer_softirq",
                    fmt::format("a timer of the wheel runs {} us late",
                                std::chrono::floor<std::chrono::microseconds>(late).count())});
        }
        if (timer->on_expiry.function != nullptr) {
            timer->on_expiry.function(timer->on_expiry.context, cpu, 0);
        }
    }
    return false;
}

// hrtimer_interrupt(): runs what has expired, one after the other, then programs what is next.
Program Kernel::expired_timer_program() {
    ProgramBuilder b = machine_.program("local_timer");
    const Label next = b.label();
    const Label done = b.label();
    const Label wakes_none = b.label();
    const Label is_bound = b.label();
    timer_wake_ = &add_wake_site();
    b.interrupt_exit(true);
    begin_interrupt(b, true, ProbePoint::timer_entry);
    trace_point(b, TraceEvent::local_timer_entry);
    b.work("hrtimer_interrupt");
    b.bind(next).branch(effect_of<&Kernel::nothing_expired>(this), done);
    b.probe(ProbePoint::timer_expiry);
    if (trace_) {
        b.effect(effect_of<&Kernel::record_expiry>(this));
    }
    b.work("hrtimer_expire");
    b.branch(effect_of<&Kernel::wakes_nobody>(this), wakes_none).work("try_to_wake_up");
    b.branch(effect_of<&Kernel::timer_wakes_bound_task>(this), is_bound);
    emit_wake(b, *timer_wake_);
    b.jump(wakes_none).bind(is_bound);
    b.effect(effect_of<&Kernel::wake_by_timer>(this), 0, "enqueue_task").bind(wakes_none);
    b.effect(effect_of<&Kernel::run_expired>(this)).jump(next);
    b.bind(done).timer_write(effect_of<&Kernel::program_next>(this));
    trace_point(b, TraceEvent::local_timer_exit);
    emit_injection_preempt(b);
    end_interrupt(b);
    return b.finish();
}

bool Kernel::nothing_expired(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    state.expired = state.timers->take_expired(cpu.now());
    if (state.expired == nullptr) {
        return true;
    }
    // One that expired while the handler worked had no interrupt of its own to begin with.
    Attribution* path = state.expired->path;
    if (path != nullptr && !cpu.carries(*path)) {
        path->start(state.expired->expires);
        cpu.attach(*path);
    }
    return false;
}

bool Kernel::record_expiry(LogicalCpu& cpu, std::uint64_t) {
    const bool wakes = of(cpu).expired->wakes != nullptr;
    trace_->record(cpu,
                   TraceEvent::hrtimer_expire_entry,
                   cpu.number() + 1,
                   trace_->add_function(wakes ? "hrtimer_wakeup" : "timer_callback"));
    return false;
}

bool Kernel::wakes_nobody(LogicalCpu& cpu, std::uint64_t) {
    return of(cpu).expired->wakes == nullptr;
}

// One that may move is placed where it wakes, like any other.
bool Kernel::timer_wakes_bound_task(LogicalCpu& cpu, std::uint64_t) {
    Task& task = *of(cpu).expired->wakes;
    if (task.allowed != nullptr) {
        timer_wake_->choose(cpu, task);
    }
    return task.allowed == nullptr;
}

bool Kernel::wake_by_timer(LogicalCpu& cpu, std::uint64_t) {
    wake_here(*of(cpu).expired->wakes, cpu);
    return false;
}

bool Kernel::run_expired(LogicalCpu& cpu, std::uint64_t) {
    const Effect& expiry = of(cpu).expired->on_expiry;
    if (expiry.function != nullptr) {
        expiry.function(expiry.context, cpu, 0);
    }
    return false;
}

bool Kernel::program_next(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).timers->reprogram();
    return false;
}

Program Kernel::nmi_program() {
    ProgramBuilder b = machine_.program("nmi");
    b.attribute_to("nmi").work("vectoring");
    if (!guard_.is_toggled()) {
        b.work("nmi_handler").iret();
        return b.finish();
    }
    // paranoid_entry() and paranoid_exit() (arch/x86/entry/entry_64.S and calling.h, 6.3).
    const Label guarded = b.label();
    const Label unchanged = b.label();
    b.branch(effect_of<&Kernel::nmi_keeps_guard>(this), guarded);
    b.effect(effect_of<&Kernel::nmi_sets_guard>(this), 0, "wrmsr_spec_ctrl").bind(guarded);
    b.work("nmi_handler");
    b.branch(effect_of<&Kernel::nmi_restores_guard>(this), unchanged);
    b.work("wrmsr_spec_ctrl").bind(unchanged).iret();
    return b.finish();
}

bool Kernel::nmi_keeps_guard(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).guard_before_nmi = cpu.spec_ctrl();
    return (cpu.spec_ctrl() & kSpecCtrlIbrs) != 0;
}

bool Kernel::nmi_sets_guard(LogicalCpu& cpu, std::uint64_t) {
    guard_.check_nmi(cpu);
    cpu.set_spec_ctrl_msr(cpu.spec_ctrl_copy());
    return false;
}

// True where there is nothing to restore.
bool Kernel::nmi_restores_guard(LogicalCpu& cpu, std::uint64_t) {
    const std::uint64_t before = of(cpu).guard_before_nmi;
    const bool is_unchanged = cpu.spec_ctrl() == before;
    cpu.set_spec_ctrl_msr(before);
    return is_unchanged;
}

void Kernel::install_handlers() {
    const Program& reschedule = machine_.keep(reschedule_program());
    const Program& call_function = machine_.keep(call_function_program());
    const Program& tick = machine_.keep(tick_program());
    const Program& nmi = machine_.keep(nmi_program());
    const Program* const expired = machine_.costs().has("hrtimer_interrupt")
                                       ? &machine_.keep(expired_timer_program())
                                       : nullptr;
    for (const int number : machine_.cpu_numbers()) {
        LogicalCpu& cpu = machine_.cpu(number);
        cpu.set_handler(kRescheduleVector, &reschedule);
        cpu.set_handler(kCallFunctionSingleVector, &call_function);
        cpu.set_handler(kLocalTimerVector, &tick);
        cpu.set_handler(kExpiredTimerVector, expired);
        cpu.set_nmi_handler(&nmi);
    }
}

}  // namespace idlesim
