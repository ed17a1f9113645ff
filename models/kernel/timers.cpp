// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/timers.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace idlesim {

namespace {

template <class Timer>
auto earliest(const std::vector<Timer*>& timers) {
    return std::min_element(timers.begin(), timers.end(), [](const Timer* a, const Timer* b) {
        return a->expires < b->expires;
    });
}

template <class Timer>
std::optional<Time> next(const std::vector<Timer*>& timers) {
    return timers.empty() ? std::nullopt : std::optional{(*earliest(timers))->expires};
}

template <class Timer>
Timer* take(std::vector<Timer*>& timers, Time now) {
    const auto found = earliest(timers);
    if (found == timers.end() || now < (*found)->expires) {
        return nullptr;
    }
    Timer* timer = *found;
    timers.erase(found);
    timer->is_armed = false;
    return timer;
}

}  // namespace

CpuTimers::CpuTimers(LogicalCpu& cpu)
    : cpu_{cpu},
      event_{cpu.simulation(),
             fmt::format("cpu{}.hrtimer", cpu.number()),
             Phase::interrupt,
             bind<&CpuTimers::fire>(this)} {}

bool CpuTimers::start(HrTimer& timer, Time expires) {
    cancel(timer);
    timer.expires = std::max(expires, cpu_.now());
    timer.is_armed = true;
    hrtimers_.push_back(&timer);
    const bool is_first = *earliest(hrtimers_) == &timer;
    if (is_first) {
        reprogram();
    }
    return is_first;
}

void CpuTimers::cancel(HrTimer& timer) {
    if (timer.is_armed) {
        timer.is_armed = false;
        hrtimers_.erase(std::find(hrtimers_.begin(), hrtimers_.end(), &timer));
        reprogram();
    }
}

void CpuTimers::add(WheelTimer& timer, Time expires) {
    if (!timer.is_armed) {
        timer.is_armed = true;
        wheel_.push_back(&timer);
    }
    timer.expires = expires;
}

std::optional<Time> CpuTimers::next_hrtimer() const {
    return next(hrtimers_);
}

std::optional<Time> CpuTimers::next_wheel_timer() const {
    return next(wheel_);
}

HrTimer* CpuTimers::take_expired(Time now) {
    return take(hrtimers_, now);
}

WheelTimer* CpuTimers::take_expired_wheel_timer(Time now) {
    return take(wheel_, now);
}

void CpuTimers::reprogram() {
    if (const auto expires = next_hrtimer()) {
        cpu_.simulation().schedule(event_, std::max(*expires, cpu_.now()));
    } else {
        cpu_.simulation().cancel(event_);
    }
}

void CpuTimers::fire() {
    for (HrTimer* timer : hrtimers_) {
        if (timer->path != nullptr && timer->expires == cpu_.now()) {
            timer->path->start(cpu_.now());
            cpu_.attach(*timer->path);
        }
    }
    cpu_.raise(kExpiredTimerVector);
}

}  // namespace idlesim
