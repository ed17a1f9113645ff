// SPDX-License-Identifier: Apache-2.0
// do_idle(), and cpuidle_idle_call() and default_idle_call() without a cpuidle driver
// (kernel/sched/idle.c, 6.3; 7.0 for the tick rule). cpuidle_loop.cpp has them with one.
#include "models/kernel/kernel.hpp"

namespace idlesim {

Program Kernel::idle_program() {
    ProgramBuilder b = machine_.program("idle");
    emit_idle_loop(b);
    return b.finish();
}

void Kernel::emit_idle_loop(ProgramBuilder& b) {
    const Label enter = b.label();
    const Label loop = b.label();
    const Label leave = b.label();
    const Label no_sleep = b.label();
    const Label tick_was_running = b.label();

    b.bind(enter).set_polling().work("idle_enter");
    if (has_cpuidle()) {
        b.effect(effect_of<&Kernel::note_idle_entry>(this));
    }
    b.bind(loop).test_need_resched(leave).cli();
    if (has_cpuidle()) {
        emit_cpuidle(b, no_sleep);
    } else {
        emit_default_idle(b, no_sleep);
    }
    b.bind(no_sleep).set_polling().sti().jump(loop);

    b.bind(leave).cli();
    b.branch(effect_of<&Kernel::tick_runs>(this), tick_was_running, 0, "idle_loop_exit");
    b.effect(effect_of<&Kernel::restart_tick>(this), 0, "tick_restart");
    b.bind(tick_was_running).sti().clear_polling();
    // flush_smp_call_function_queue() is undisturbed by its own interrupt.
    b.mask_interrupts();
    emit_flush(b);
    b.unmask_interrupts();
    emit_schedule(b);
    b.jump(enter);
}

void Kernel::emit_default_idle(ProgramBuilder& b, Label no_sleep) {
    const Label tick_kept = b.label();
    b.branch(effect_of<&Kernel::keeps_tick>(this), tick_kept, 0, "idle_prepare");
    b.effect(effect_of<&Kernel::stop_tick>(this), 0, "tick_stop");
    b.bind(tick_kept).clear_polling();
    b.branch(effect_of<&Kernel::idle_begins>(this), no_sleep, 0, "test_need_resched");
    // default_idle_call() calls itself state 1.
    trace_point(b, TraceEvent::cpu_idle, 1);
    strategy_.emit(b, {});
    b.effect(effect_of<&Kernel::idle_ends>(this), 0, "idle_housekeeping");
    trace_point(b, TraceEvent::cpu_idle_exit);
}

// tick_nohz_idle_exit() restarts it, but for a single task on a CPU of nohz_full.
bool Kernel::tick_runs(LogicalCpu& cpu, std::uint64_t) {
    const Cpu& state = of(cpu);
    return state.tick->is_running() ||
           (is_full_dynticks(cpu.number()) && state.run_queue.size() <= 1);
}

// tick_nohz_idle_stop_tick(): nothing to do when it is stopped already. 7.0 gives the tick a
// chance to hit first.
bool Kernel::keeps_tick(LogicalCpu& cpu, std::uint64_t) {
    Tick& tick = *of(cpu).tick;
    const bool hit = tick.take_hit();
    return !tick.can_stop() || !tick.is_running() || (rules_.stops_tick_after_hit && !hit);
}

bool Kernel::stop_tick(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    state.tick->stop(state.tick->wanted(state.timers->next_wheel_timer()));
    leave_duty(state);
    if (trace_) {
        trace_->record(cpu, TraceEvent::tick_stop, 1);
    }
    return false;
}

bool Kernel::restart_tick(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).tick->restart();
    return false;
}

// True when there is no time to idle.
bool Kernel::idle_begins(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).idle_since = cpu.now();
    of(cpu).wakes.begin();
    return cpu.need_resched();
}

bool Kernel::idle_ends(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    ++state.counters.usage;
    const Duration slept = cpu.now() - state.idle_since;
    state.counters.time += slept;
    state.wakes.end(false, cpu.need_resched(), slept);
    return false;
}

}  // namespace idlesim
