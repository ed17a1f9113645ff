// SPDX-License-Identifier: Apache-2.0
#include "models/rt_app/actor.hpp"

#include "models/rt_app/stage.hpp"

#include <utility>

namespace idlesim::rt_app {

namespace {

int index(std::uint64_t argument) {
    return static_cast<int>(argument);
}

}  // namespace

Actor::Actor(Stage& stage, const Profile& profile, const TaskSpec& spec, Task& task)
    : stage_{stage},
      kernel_{stage.kernel()},
      profile_{profile},
      spec_{spec},
      task_{task},
      site_{kernel_.add_wake_site()},
      own_timers_(profile.timers.size()),
      phase_rounds_(spec.phases.size()) {
    sleep_timer_.wakes = &task;
    ProgramBuilder b = kernel_.machine().program(task.name);
    emit_task(b);
    task.program = &kernel_.machine().keep(b.finish());
    kernel_.make_runnable(task);
}

bool Actor::begin(LogicalCpu& cpu, std::uint64_t) {
    first_ = cpu.now();
    return false;
}

bool Actor::begin_phase(LogicalCpu&, std::uint64_t phase) {
    phase_rounds_[phase] = 0;
    return false;
}

bool Actor::phase_repeats(LogicalCpu&, std::uint64_t phase) {
    stage_.phase_done();
    const std::int64_t loop = spec_.phases[phase].loop;
    return loop == kForever || ++phase_rounds_[phase] < loop;
}

bool Actor::task_repeats(LogicalCpu&, std::uint64_t) {
    return spec_.loop == kForever || ++rounds_ < spec_.loop;
}

bool Actor::ended(LogicalCpu&, std::uint64_t) {
    stage_.task_ended();
    return false;
}

bool Actor::sleep_forever(LogicalCpu&, std::uint64_t) {
    Kernel::sleep(task_);
    return false;
}

bool Actor::set_work(LogicalCpu& cpu, std::uint64_t picoseconds) {
    cpu.context().compute_left = Duration{static_cast<std::int64_t>(picoseconds)};
    return false;
}

bool Actor::set_sleep(LogicalCpu& cpu, std::uint64_t picoseconds) {
    due_ = cpu.now() + Duration{static_cast<std::int64_t>(picoseconds)};
    return false;
}

std::optional<Time>& Actor::timer(int timer_index) {
    const auto place = static_cast<std::size_t>(timer_index);
    return profile_.timers[place].is_unique ? own_timers_[place] : stage_.timer(timer_index);
}

// A timer begins with its first user; one that has passed is waited for no more, and in relative
// mode goes on from here.
bool Actor::timer_has_passed(LogicalCpu& cpu, std::uint64_t event_index) {
    const Event& event = *timer_events_[event_index];
    std::optional<Time>& next = timer(event.resource);
    next = next.value_or(first_) + event.time;
    due_ = *next;
    stage_.record_slack(due_ - cpu.now());
    if (cpu.now() < due_) {
        return false;
    }
    if (!event.absolute) {
        next = cpu.now();
    }
    return true;
}

bool Actor::arm(LogicalCpu& cpu, std::uint64_t) {
    sleep_timer_.path = stage_.paths().take();
    task_.path = sleep_timer_.path;
    Kernel::sleep(task_);
    return !kernel_.timers(cpu.number()).start(sleep_timer_, due_);
}

bool Actor::woke_by_timer(LogicalCpu& cpu, std::uint64_t) {
    end_wake(cpu, std::exchange(sleep_timer_.path, nullptr), true);
    return false;
}

bool Actor::wait_for(LogicalCpu&, std::uint64_t condition) {
    woken_ = false;
    stage_.waiters(index(condition)).push_back(this);
    return false;
}

// Otherwise the task sleeps at its next schedule. Who was woken before it slept had nothing to wait
// for.
bool Actor::is_woken(LogicalCpu& cpu, std::uint64_t) {
    if (!woken_) {
        has_slept_ = true;
        Kernel::sleep(task_);
        return false;
    }
    end_wake(cpu, std::exchange(wake_path_, nullptr), std::exchange(has_slept_, false));
    return true;
}

void Actor::end_wake(const LogicalCpu& cpu, Attribution* path, bool counts) {
    task_.path = nullptr;
    if (counts) {
        stage_.record_wake(cpu, due_, path != nullptr && cpu.carries(*path) ? path : nullptr);
    }
    if (path != nullptr) {
        stage_.paths().give_back(*path);
    }
}

bool Actor::choose_one(LogicalCpu&, std::uint64_t condition) {
    std::deque<Actor*>& waiters = stage_.waiters(index(condition));
    if (!waiters.empty()) {
        to_wake_.push_back(waiters.front());
        waiters.pop_front();
    }
    return false;
}

bool Actor::choose_all(LogicalCpu&, std::uint64_t condition) {
    to_wake_ = std::exchange(stage_.waiters(index(condition)), {});
    return false;
}

bool Actor::nobody_left(LogicalCpu& cpu, std::uint64_t) {
    if (to_wake_.empty()) {
        return true;
    }
    Actor& next = *to_wake_.front();
    to_wake_.pop_front();
    next.begin_wake(cpu);
    site_.choose(cpu, next.task_);
    return false;
}

void Actor::begin_wake(LogicalCpu& waker) {
    woken_ = true;
    due_ = waker.now();
    wake_path_ = stage_.paths().take();
    task_.path = wake_path_;
    if (wake_path_ != nullptr) {
        wake_path_->start(due_);
        waker.attach(*wake_path_);
    }
}

bool Actor::try_lock(LogicalCpu&, std::uint64_t mutex) {
    Actor*& owner = stage_.mutex(index(mutex)).owner;
    owner = owner == nullptr ? this : owner;
    return owner == this;
}

// FUTEX_WAIT looks again before it sleeps.
bool Actor::wait_for_mutex(LogicalCpu&, std::uint64_t mutex) {
    Stage::Mutex& wanted = stage_.mutex(index(mutex));
    woken_ = wanted.owner == nullptr;
    if (!woken_) {
        wanted.waiters.push_back(this);
    }
    return false;
}

bool Actor::unlock_wakes_nobody(LogicalCpu&, std::uint64_t mutex) {
    Stage::Mutex& held = stage_.mutex(index(mutex));
    if (held.owner != this) {
        return true;
    }
    held.owner = nullptr;
    if (held.waiters.empty()) {
        return true;
    }
    to_wake_.push_back(held.waiters.front());
    held.waiters.pop_front();
    return false;
}

bool Actor::is_last_at(LogicalCpu&, std::uint64_t barrier) {
    Stage::Barrier& meeting = stage_.barrier(index(barrier));
    if (++meeting.arrived < meeting.parties) {
        woken_ = false;
        meeting.waiters.push_back(this);
        return false;
    }
    meeting.arrived = 0;
    to_wake_ = std::exchange(meeting.waiters, {});
    return true;
}

}  // namespace idlesim::rt_app
