// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/ftrace_idle.hpp"

namespace idlesim {

IdleIntervals::Cpu& IdleIntervals::cpu(int number) {
    const auto index = static_cast<std::size_t>(number);
    if (index >= cpus_.size()) {
        cpus_.resize(index + 1);
    }
    return cpus_[index];
}

void IdleIntervals::add(const FtraceEvent& event) {
    Cpu& own = cpu(event.cpu);
    // Expiries follow their interrupt at once; only wake-ups by other CPUs may come in between.
    if (event.kind != FtraceKind::timer_expiry && event.kind != FtraceKind::tick_expiry &&
        event.kind != FtraceKind::wake) {
        judge_timer_interrupt(own);
    }
    switch (event.kind) {
        case FtraceKind::idle_enter:
            enter(own, event);
            break;
        case FtraceKind::idle_exit:
            leave(own, event);
            break;
        case FtraceKind::timer_interrupt:
            interrupt(own, {WakeKind::timer, 0});
            own.timer_interrupt = event.time;
            break;
        case FtraceKind::timer_expiry:
        case FtraceKind::tick_expiry:
            expire(own, event);
            break;
        case FtraceKind::device_interrupt:
            interrupt(own, {WakeKind::device, event.value});
            break;
        case FtraceKind::reschedule:
            interrupt(own, {WakeKind::reschedule, 0});
            break;
        case FtraceKind::call_function:
            interrupt(own, {WakeKind::call_function, 0});
            break;
        case FtraceKind::other_interrupt:
            interrupt(own, {WakeKind::other_interrupt, 0});
            break;
        case FtraceKind::wake:
            if (RecordedCause* cause = present_cause(own);
                cause != nullptr && cause->kind == WakeKind::unknown) {
                cause->kind = WakeKind::wake_up;
            }
            break;
        case FtraceKind::switch_to_task:
            has_switches_ = true;
            own.switched = true;
            settle(own);
            break;
        case FtraceKind::switch_to_idle:
            has_switches_ = true;
            break;
        case FtraceKind::lost:
            own.gaps.cut_by_loss += own.open ? 1 : 0;
            drop_open(own);
            own.switched = true;
            settle(own);
            break;
    }
}

void IdleIntervals::drop_open(Cpu& cpu) {
    if (cpu.open) {
        ++unfinished_[{cpu.open->cpu, cpu.open->state}];
        cpu.open.reset();
    }
}

void IdleIntervals::enter(Cpu& cpu, const FtraceEvent& event) {
    settle(cpu);
    cpu.gaps.entries_after_entry += cpu.open ? 1 : 0;
    drop_open(cpu);
    IdleInterval& interval = cpu.open.emplace();
    interval.cpu = event.cpu;
    interval.begin = event.time;
    interval.state = event.value;
    interval.last_tick = cpu.last_tick;
    interval.stayed = !cpu.switched;
    cpu.switched = false;
    cpu.may_refine = false;
}

void IdleIntervals::leave(Cpu& cpu, const FtraceEvent& event) {
    if (!cpu.open) {
        ++cpu.gaps.exits_without_entry;
        return;
    }
    cpu.open->end = event.time;
    cpu.waiting.push_back(*cpu.open);
    cpu.open.reset();
    cpu.settled = false;
}

void IdleIntervals::settle(Cpu& cpu) {
    cpu.settled = true;
    cpu.may_refine = false;
    release(cpu, false);
}

RecordedCause* IdleIntervals::present_cause(Cpu& cpu) {
    if (cpu.open) {
        return &cpu.open->cause;
    }
    return cpu.settled || cpu.waiting.empty() ? nullptr : &cpu.waiting.back().cause;
}

void IdleIntervals::interrupt(Cpu& cpu, RecordedCause cause) {
    RecordedCause* present = present_cause(cpu);
    const bool replaces = present != nullptr && (cpu.open || present->kind == WakeKind::unknown ||
                                                 present->kind == WakeKind::wake_up);
    if (replaces) {
        *present = cause;
    }
    cpu.may_refine = replaces;
}

void IdleIntervals::judge_timer_interrupt(Cpu& cpu) {
    if (cpu.timer_interrupt && !has_expiries_) {
        set_timer(cpu, *cpu.timer_interrupt);
    } else if (cpu.timer_interrupt && has_hrtimers_) {
        cpu.last_tick = cpu.timer_interrupt;
        RecordedCause* present = present_cause(cpu);
        if (present != nullptr && cpu.may_refine && present->kind == WakeKind::timer) {
            present->kind = WakeKind::tick;
        }
    }
    cpu.timer_interrupt.reset();
}

void IdleIntervals::expire(Cpu& cpu, const FtraceEvent& event) {
    has_expiries_ = true;
    const bool is_tick = event.kind == FtraceKind::tick_expiry;
    has_hrtimers_ = has_hrtimers_ || is_tick || event.value != 0;
    cpu.timer_interrupt.reset();
    if (is_tick) {
        cpu.last_tick = event.time;
    }
    RecordedCause* present = present_cause(cpu);
    const bool own = present != nullptr && cpu.may_refine;
    if (present != nullptr && !own &&
        (present->kind == WakeKind::unknown || present->kind == WakeKind::wake_up)) {
        // The interrupt itself is not in the trace.
        present->kind = is_tick ? WakeKind::tick : WakeKind::timer;
        cpu.may_refine = is_tick;
    } else if (own && present->kind == WakeKind::timer && is_tick) {
        present->kind = WakeKind::tick;
    } else if (own && present->kind == WakeKind::tick && !is_tick) {
        present->kind = WakeKind::timer;
        cpu.may_refine = false;
    } else if (own && !is_tick) {
        cpu.may_refine = false;
    }
    if (!is_tick) {
        set_timer(cpu, event.time);
    }
}

void IdleIntervals::set_timer(Cpu& cpu, std::int64_t time) {
    // Those that have one are in front of those that do not.
    for (auto interval = cpu.waiting.rbegin();
         interval != cpu.waiting.rend() && !interval->next_timer;
         ++interval) {
        interval->next_timer = time;
    }
    if (cpu.open && !cpu.open->next_timer) {
        cpu.open->next_timer = time;
    }
    release(cpu, false);
}

void IdleIntervals::release(Cpu& cpu, bool all) {
    while (!cpu.waiting.empty()) {
        const bool is_last = cpu.waiting.size() == 1;
        const bool cause_known = !is_last || cpu.settled;
        const bool timer_known =
            cpu.waiting.front().next_timer.has_value() || cpu.waiting.size() > kMostWaiting;
        if (!all && !(cause_known && timer_known)) {
            return;
        }
        // Without task switches in the trace nobody knows; the later this is asked the better.
        cpu.waiting.front().stayed = cpu.waiting.front().stayed && has_switches_;
        sink_(cpu.waiting.front());
        cpu.waiting.pop_front();
    }
}

void IdleIntervals::finish() {
    for (Cpu& own : cpus_) {
        judge_timer_interrupt(own);
        own.gaps.open_at_end += own.open ? 1 : 0;
        drop_open(own);
        release(own, true);
    }
}

std::vector<IdleGaps> IdleIntervals::gaps() const {
    std::vector<IdleGaps> gaps;
    for (const Cpu& own : cpus_) {
        gaps.push_back(own.gaps);
    }
    return gaps;
}

}  // namespace idlesim
