// SPDX-License-Identifier: Apache-2.0
// cpuidle_idle_call() with a driver (kernel/sched/idle.c) and cpuidle_enter_state()
// (drivers/cpuidle/cpuidle.c), both of 6.3, in the order of their steps: the tracepoint comes
// before the first clock reading and after the second; interrupts come on before the statistics.
#include "models/kernel/kernel.hpp"

namespace idlesim {

void Kernel::emit_cpuidle(ProgramBuilder& b, Label no_sleep) {
    const Label sleep_length_known = b.label();
    const Label clock_event_kept = b.label();
    const Label left = b.label();

    b.work("idle_prepare");
    b.effect(effect_of<&Kernel::select_state>(this), 0, "governor_select");
    b.branch(effect_of<&Kernel::spared_sleep_length>(this), sleep_length_known);
    b.work("sleep_length").bind(sleep_length_known);
    b.branch(effect_of<&Kernel::keeps_clock_event>(this), clock_event_kept);
    b.effect(effect_of<&Kernel::stop_tick_for_wheel>(this), 0, "tick_stop").bind(clock_event_kept);
    b.clear_polling();
    b.branch(effect_of<&Kernel::is_rejected>(this), no_sleep, 0, "test_need_resched");

    std::vector<Label> entries;
    for (std::size_t i = 0; i < cpuidle_.states.size(); ++i) {
        entries.push_back(b.label());
        b.branch(effect_of<&Kernel::is_selected>(this), entries.back(), i);
    }
    for (std::size_t i = 0; i < cpuidle_.states.size(); ++i) {
        b.bind(entries[i]);
        emit_entry(b, static_cast<int>(i), left);
    }
    // The shadow of STI is one instruction, which takes no time of its own.
    b.bind(left).sti().work({});
    b.effect(effect_of<&Kernel::account>(this), 0, "cpuidle_account");
    b.effect(effect_of<&Kernel::reflect>(this), 0, "governor_reflect");
}

// cpuidle_enter_state(), up to the point where interrupts come on.
void Kernel::emit_entry(ProgramBuilder& b, int index, Label left) {
    const RegisteredState& state = cpuidle_.states[static_cast<std::size_t>(index)];
    if (state.timer_stop) {
        b.work("broadcast_enter");
    }
    if (state.tlb_flushed) {
        b.work("leave_mm");
    }
    if (!idle_hook_.empty()) {
        b.work(idle_hook_);
    }
    if (!spec_.s2idle) {
        trace_point(b, TraceEvent::cpu_idle, index);
    }
    b.effect(effect_of<&Kernel::take_start>(this), 0, "cpuidle_enter").tell(ProbePoint::idle_entry);
    b.effect(effect_of<&Kernel::set_rcu_idle>(this), 1, "rcu_idle_enter");
    state.strategy->emit(b, state.request);
    b.effect(effect_of<&Kernel::set_rcu_idle>(this), 0, "rcu_idle_exit");
    b.effect(effect_of<&Kernel::take_end>(this), 0, "cpuidle_leave").tell(ProbePoint::idle_exit);
    if (!spec_.s2idle) {
        trace_point(b, TraceEvent::cpu_idle_exit);
    }
    if (!idle_hook_.empty()) {
        b.work(idle_hook_);
    }
    if (state.timer_stop) {
        b.work("broadcast_exit");
    }
    b.jump(left);
}

bool Kernel::note_idle_entry(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).device->note_idle_entry(cpu.now());
    return false;
}

bool Kernel::interrupt_ends(LogicalCpu& cpu, std::uint64_t source) {
    Cpu& state = of(cpu);
    state.wakes.serve(source);
    if (state.device) {
        state.device->note_idle_entry(cpu.now());
    }
    return false;
}

bool Kernel::select_state(LogicalCpu& cpu, std::uint64_t) {
    const bool is_asked = !rules_.skips_governor_of_one_state || cpuidle_.states.size() > 1;
    Cpu& state = of(cpu);
    if (spec_.s2idle) {
        state.device->select_deepest(kEndlessSleep, true);
    } else if (state.is_injecting) {
        const auto& latency = spec_.idle_injection->latency;
        state.device->select_deepest(
            latency ? std::chrono::floor<std::chrono::nanoseconds>(*latency).count()
                    : kEndlessSleep,
            false);
    } else if (recorded_wakes_ != nullptr) {
        state.device->select_state(table_polls(0) && cpuidle_.states.size() > 1 ? 1 : 0);
    } else if (watch_ && watch_->follows(cpu.number())) {
        state.device->select(is_asked, watch_->begin(*state.device, is_asked, cpu.now()));
        watch_->chosen(*state.device, state.tick->can_stop());
    } else {
        state.device->select(is_asked);
    }
    return false;
}

bool Kernel::spared_sleep_length(LogicalCpu& cpu, std::uint64_t) {
    return !of(cpu).device->asked_sleep_length();
}

// tick_nohz_idle_stop_tick(): true when the clock event stays as it is programmed. The tick is not
// stopped for a timer of the wheel that is due within a tick; one that is stopped already is
// programmed anew for a nearer timer of the wheel.
bool Kernel::keeps_clock_event(LogicalCpu& cpu, std::uint64_t) {
    const Cpu& state = of(cpu);
    const Tick& tick = *state.tick;
    if (spec_.s2idle) {
        // A frozen tick looks at no timer, and can always be frozen.
        return !tick.is_running() && !tick.next();
    }
    const auto wheel = tick.wanted(state.timers->next_wheel_timer());
    if (!tick.is_running()) {
        return tick.next() == wheel;
    }
    const bool is_near = wheel && *wheel - cpu.now() <= tick.period();
    return !state.device->decision().stop_tick || !tick.can_stop() || is_near;
}

bool Kernel::stop_tick_for_wheel(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    if (trace_ && state.tick->is_running()) {
        trace_->record(cpu, TraceEvent::tick_stop, 1);
    }
    state.tick->stop(spec_.s2idle ? std::nullopt
                                  : state.tick->wanted(state.timers->next_wheel_timer()));
    leave_duty(state);
    return false;
}

// call_cpuidle(): NEED_RESCHED was set in the meantime.
bool Kernel::is_rejected(LogicalCpu& cpu, std::uint64_t) {
    if (cpu.need_resched()) {
        of(cpu).device->reject();
        if (watch_ && watch_->follows(cpu.number())) {
            watch_->reject();
        }
    }
    return cpu.need_resched();
}

bool Kernel::is_selected(LogicalCpu& cpu, std::uint64_t state) {
    return of(cpu).device->selected() == static_cast<int>(state);
}

bool Kernel::take_start(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    state.device->enter(cpu.now());
    state.wakes.begin();
    if (watch_ && watch_->follows(cpu.number())) {
        watch_->tick_settled(state.tick->is_running());
    }
    return false;
}

bool Kernel::take_end(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).device->leave(cpu.now());
    return false;
}

bool Kernel::set_rcu_idle(LogicalCpu& cpu, std::uint64_t idle) {
    of(cpu).rcu_idle = idle != 0;
    return false;
}

bool Kernel::account(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    const EnteredState entered = state.device->account();
    const bool at_limit = state.device->poll_ended_at_limit();
    const std::size_t cause = state.wakes.end(at_limit, cpu.need_resched(), entered.residency);
    if (cause != tick_source_ && cause != WakeSources::kPollLimit) {
        note_wake(state, entered.state);
    }
    if (watch_ && watch_->follows(cpu.number())) {
        watch_->end(*state.device, entered, wake_sources_.name(cause), cpu.now());
    }
    if (trace_ && entered.miss != 0) {
        trace_->record(cpu, TraceEvent::cpu_idle_miss, entered.state, entered.miss > 0 ? 1 : 0);
    }
    return false;
}

// For those who look ahead: when it was, the exit not counted where the hardware knows it.
void Kernel::note_wake(Cpu& cpu, int state) {
    const CStateHardware* hardware = machine_.cstates();
    const int number = cpu.hardware.number();
    const Time at = hardware == nullptr || table_polls(state) || machine_.hypervisor() != nullptr
                        ? machine_.now()
                        : hardware->last_wake(number);
    cpu.device->woken(at);
    if (recorded_wakes_ != nullptr) {
        recorded_wakes_->wakes[number].push_back(at);
    }
}

bool Kernel::reflect(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).device->reflect();
    return false;
}

}  // namespace idlesim
