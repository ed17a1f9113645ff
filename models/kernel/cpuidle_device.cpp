// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/cpuidle_device.hpp"

#include <algorithm>
#include <utility>

namespace idlesim {

namespace {

Nanoseconds whole_nanoseconds(Duration duration) {
    return std::chrono::floor<std::chrono::nanoseconds>(duration).count();
}

// The kernel's clock has whole nanoseconds.
Nanoseconds clock_reading(Time time) {
    return whole_nanoseconds(time - Time{});
}

std::vector<IdleState> declared(const std::vector<RegisteredState>& states) {
    std::vector<IdleState> table;
    for (const RegisteredState& state : states) {
        table.push_back(state.declared);
    }
    return table;
}

}  // namespace

CpuidleDevice::CpuidleDevice(const std::vector<RegisteredState>& states,
                             std::unique_ptr<Governor> governor,
                             LogicalCpu& cpu,
                             Tick& tick,
                             const CpuTimers& timers,
                             Nanoseconds latency_limit)
    : states_{states},
      table_{declared(states)},
      governor_{std::move(governor)},
      cpu_{cpu},
      tick_{tick},
      timers_{timers},
      latency_limit_{latency_limit},
      usage_(states.size()) {
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (states[i].declared.disabled) {
            disabled_ |= StateMask{1} << i;
        }
    }
}

void CpuidleDevice::enable() {
    governor_->enable(declared(states_), *this);
}

void CpuidleDevice::select(bool ask, Explanation* explanation) {
    asked_sleep_length_ = false;
    // A driver with one state keeps its governor informed all the same.
    governor_asked_ = true;
    decision_ = ask ? governor_->select(*this, explanation) : IdleDecision{0, true};
    if (table_.polls(decision_.state)) {
        prepare_poll();
    }
}

void CpuidleDevice::select_deepest(Nanoseconds limit, bool for_suspend) {
    int deepest = 0;
    Nanoseconds latency = 0;
    for (int i = 0; i < table_.size(); ++i) {
        if (!has_state(disabled_, i) && table_.latency(i) > latency && table_.latency(i) <= limit &&
            !(for_suspend && table_.polls(i))) {
            latency = table_.latency(i);
            deepest = i;
        }
    }
    select_state(deepest);
    suspended_ = for_suspend;
}

void CpuidleDevice::select_state(int state) {
    asked_sleep_length_ = false;
    governor_asked_ = false;
    decision_ = IdleDecision{state, true};
    if (table_.polls(state)) {
        prepare_poll();
    }
}

void CpuidleDevice::give_foresight(const WakeLog& log,
                                   const CStateHardware* hardware,
                                   bool others_work) {
    foresight_.emplace(log, cpu_.number());
    others_work_ = others_work;
    hardware_ = hardware;
}

std::optional<Duration> CpuidleDevice::true_idle_duration() const {
    if (!foresight_) {
        return std::nullopt;
    }
    const auto next = foresight_->next(cpu_.now());
    return next ? *next - cpu_.now() : kLongestRun;
}

std::optional<double> CpuidleDevice::idle_energy(int state) const {
    const auto idle = true_idle_duration();
    if (!idle || hardware_ == nullptr) {
        return std::nullopt;
    }
    return hardware_->idle_energy(
        cpu_.number(), states_[static_cast<std::size_t>(state)].hardware, *idle, others_work_);
}

void CpuidleDevice::prepare_poll() {
    if (poll_limit_ == 0) {
        poll_limit_ = default_poll_limit(table_, disabled_, tick());
    }
    cpu_.set_poll_limit(std::chrono::nanoseconds{poll_limit_});
}

void CpuidleDevice::reject() {
    last_residency_ = 0;
}

bool CpuidleDevice::has_shallower_enabled(int state) const {
    for (int i = state - 1; i >= 0; --i) {
        if (!has_state(disabled_, i)) {
            return true;
        }
    }
    return false;
}

int CpuidleDevice::next_deeper_enabled(int state) const {
    for (int i = state + 1; i < table_.size(); ++i) {
        if (!has_state(disabled_, i)) {
            return i;
        }
    }
    return -1;
}

EnteredState CpuidleDevice::account() {
    const int state = decision_.state;
    const Nanoseconds residency = clock_reading(left_at_) - clock_reading(entered_at_);
    const Duration duration = std::chrono::nanoseconds{residency};
    StateUsage& usage = usage_[static_cast<std::size_t>(state)];
    last_residency_ = residency;
    usage.time += duration;
    ++usage.usage;
    EnteredState entered{state, duration, 0};
    if (suspended_) {
        return entered;  // enter_s2idle_proper() judges nothing
    }
    if (residency < table_.residency(state)) {
        if (has_shallower_enabled(state)) {
            ++usage.above;
            usage.above_time += duration;
            entered.miss = -1;
        }
    } else if (residency > table_.latency(state)) {
        const int deeper = next_deeper_enabled(state);
        if (deeper >= 0 && residency - table_.latency(state) >= table_.residency(deeper)) {
            ++usage.below;
            usage.below_time += duration;
            entered.miss = 1;
        }
    }
    return entered;
}

Nanoseconds CpuidleDevice::tick() const {
    return whole_nanoseconds(tick_.period());
}

Nanoseconds CpuidleDevice::now() const {
    return clock_reading(cpu_.now());
}

// tick_nohz_get_sleep_length(): seen from the entry into idle, which is a little in the past.
SleepLength CpuidleDevice::sleep_length() const {
    const Nanoseconds from = clock_reading(idle_entry_);
    const auto until = [from](std::optional<Time> time) {
        return time ? clock_reading(*time) - from : kEndlessSleep - from;
    };
    const Nanoseconds hrtimer = until(timers_.next_hrtimer());
    const Nanoseconds wheel = until(tick_.wanted(timers_.next_wheel_timer()));
    const Nanoseconds event = std::min(until(tick_.next()), hrtimer);
    SleepLength length;
    length.event = event;
    const bool cannot_stop = !tick_.can_stop() || (tick_.is_running() && wheel <= tick());
    length.timer = cannot_stop ? event : std::min(wheel, hrtimer);
    return length;
}

}  // namespace idlesim
