// SPDX-License-Identifier: Apache-2.0
// The program of a task, event by event (src/rt-app.c: run(), run_event()).
#include "models/rt_app/actor.hpp"
#include "models/rt_app/stage.hpp"

namespace idlesim::rt_app {

namespace {

std::uint64_t argument(std::int64_t value) {
    return static_cast<std::uint64_t>(value);
}

}  // namespace

void Actor::emit_task(ProgramBuilder& b) {
    kernel_.emit_task_begin(b);
    b.effect(effect_of<&Actor::begin>(this));
    if (spec_.delay > Duration::zero()) {
        emit_sleep(b, spec_.delay);
    }
    const Label loop = b.label();
    const Label dead = b.label();
    if (spec_.loop != 0) {
        b.bind(loop);
        for (std::size_t i = 0; i < spec_.phases.size(); ++i) {
            emit_phase(b, i);
        }
        b.branch(effect_of<&Actor::task_repeats>(this), loop);
    }
    kernel_.emit_kernel_entry(b);
    b.effect(effect_of<&Actor::ended>(this));
    b.bind(dead).effect(effect_of<&Actor::sleep_forever>(this));
    kernel_.emit_schedule(b);
    b.jump(dead);
}

void Actor::emit_phase(ProgramBuilder& b, std::size_t index) {
    const Phase& phase = spec_.phases[index];
    if (phase.loop == 0) {
        return;
    }
    const Label loop = b.label();
    b.effect(effect_of<&Actor::begin_phase>(this), index).bind(loop);
    for (const Event& event : phase.events) {
        emit_event(b, event);
    }
    b.branch(effect_of<&Actor::phase_repeats>(this), loop, index);
}

void Actor::emit_event(ProgramBuilder& b, const Event& event) {
    switch (event.action) {
        case Action::run:
            b.effect(effect_of<&Actor::set_work>(this), argument(event.time.count())).compute();
            break;
        case Action::sleep:
            emit_sleep(b, event.time);
            break;
        case Action::timer:
            emit_timer(b, event);
            break;
        case Action::suspend:
            emit_suspend(b, event.resource);
            break;
        case Action::resume:
        case Action::broadcast:
            emit_wake_all(b, event.resource, false);
            break;
        case Action::signal:
            emit_wake_all(b, event.resource, true);
            break;
        case Action::lock:
            emit_lock(b, event.resource);
            break;
        case Action::unlock:
            emit_unlock(b, event.resource);
            break;
        case Action::wait:
            emit_wait(b, event);
            break;
        case Action::sync:
            emit_wake_all(b, event.resource, false);
            emit_wait(b, event);
            break;
        case Action::barrier:
            emit_barrier(b, event.resource);
            break;
        case Action::yield:
            kernel_.emit_kernel_entry(b);
            kernel_.emit_schedule(b);
            kernel_.emit_user_return(b);
            break;
    }
}

void Actor::emit_sleep(ProgramBuilder& b, Duration length) {
    kernel_.emit_kernel_entry(b);
    b.work("nanosleep_call");
    b.effect(effect_of<&Actor::set_sleep>(this), argument(length.count()));
    emit_timed_wait(b);
    b.work("nanosleep_return");
    kernel_.emit_user_return(b);
}

void Actor::emit_timer(ProgramBuilder& b, const Event& event) {
    const Label passed = b.label();
    timer_events_.push_back(&event);
    b.branch(effect_of<&Actor::timer_has_passed>(this), passed, timer_events_.size() - 1);
    kernel_.emit_kernel_entry(b);
    b.work("nanosleep_call");
    emit_timed_wait(b);
    b.work("nanosleep_return");
    kernel_.emit_user_return(b);
    b.bind(passed);
}

void Actor::emit_timed_wait(ProgramBuilder& b) {
    kernel_.emit_timer_start(b, effect_of<&Actor::arm>(this));
    kernel_.emit_schedule(b);
    b.effect(effect_of<&Actor::woke_by_timer>(this));
}

void Actor::emit_suspend(ProgramBuilder& b, int condition) {
    kernel_.emit_kernel_entry(b);
    b.effect(effect_of<&Actor::wait_for>(this), argument(condition), "futex_take");
    emit_block(b);
    leave(b);
}

void Actor::emit_wake_all(ProgramBuilder& b, int condition, bool only_one) {
    kernel_.emit_kernel_entry(b);
    b.effect(only_one ? effect_of<&Actor::choose_one>(this) : effect_of<&Actor::choose_all>(this),
             argument(condition),
             "futex_give");
    emit_wakes(b);
    b.work("futex_give_return");
    kernel_.emit_user_return(b);
}

// Without contention a mutex needs no system call.
void Actor::emit_lock(ProgramBuilder& b, int mutex) {
    const Label retry = b.label();
    const Label locked = b.label();
    b.bind(retry).branch(effect_of<&Actor::try_lock>(this), locked, argument(mutex));
    kernel_.emit_kernel_entry(b);
    b.effect(effect_of<&Actor::wait_for_mutex>(this), argument(mutex), "futex_take");
    emit_block(b);
    leave(b);
    b.jump(retry).bind(locked);
}

void Actor::emit_unlock(ProgramBuilder& b, int mutex) {
    const Label unlocked = b.label();
    b.branch(effect_of<&Actor::unlock_wakes_nobody>(this), unlocked, argument(mutex));
    kernel_.emit_kernel_entry(b);
    b.work("futex_give");
    emit_wakes(b);
    b.work("futex_give_return");
    kernel_.emit_user_return(b);
    b.bind(unlocked);
}

// pthread_cond_wait(): the waiter is known before the mutex is free.
void Actor::emit_wait(ProgramBuilder& b, const Event& event) {
    const Label unlocked = b.label();
    kernel_.emit_kernel_entry(b);
    b.effect(effect_of<&Actor::wait_for>(this), argument(event.resource), "futex_take");
    b.branch(effect_of<&Actor::unlock_wakes_nobody>(this), unlocked, argument(event.mutex));
    b.work("futex_give");
    emit_wakes(b);
    b.bind(unlocked);
    emit_block(b);
    leave(b);
    emit_lock(b, event.mutex);
}

void Actor::emit_barrier(ProgramBuilder& b, int barrier) {
    const Label last = b.label();
    const Label out = b.label();
    kernel_.emit_kernel_entry(b);
    b.branch(effect_of<&Actor::is_last_at>(this), last, argument(barrier), "futex_take");
    emit_block(b);
    b.jump(out).bind(last);
    emit_wakes(b);
    b.bind(out);
    leave(b);
}

void Actor::emit_block(ProgramBuilder& b) {
    const Label again = b.label();
    const Label woken = b.label();
    b.bind(again).branch(effect_of<&Actor::is_woken>(this), woken);
    kernel_.emit_schedule(b);
    b.jump(again).bind(woken);
}

void Actor::emit_wakes(ProgramBuilder& b) {
    const Label next = b.label();
    const Label done = b.label();
    b.bind(next).branch(effect_of<&Actor::nobody_left>(this), done);
    kernel_.emit_wake(b, site_);
    b.jump(next).bind(done);
}

void Actor::leave(ProgramBuilder& b) {
    b.work("futex_take_return");
    kernel_.emit_user_return(b);
}

}  // namespace idlesim::rt_app
