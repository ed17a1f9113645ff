// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/replay_lane.hpp"

#include "sim/engine/check.hpp"

#include <algorithm>
#include <utility>

namespace idlesim {
namespace {

StateMask disabled_in(const std::vector<IdleState>& table) {
    StateMask mask = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
        mask |= table[i].disabled ? StateMask{1} << i : 0;
    }
    return mask;
}

}  // namespace

DepthVerdict verdict_on(const IdleTable& table,
                        StateMask disabled,
                        int state,
                        Nanoseconds duration) {
    if (duration < table.residency(state)) {
        for (int i = 0; i < state; ++i) {
            if (!has_state(disabled, i)) {
                return DepthVerdict::too_deep;
            }
        }
    } else if (duration > table.latency(state)) {
        // Only the nearest enabled one counts.
        for (int i = state + 1; i < table.size(); ++i) {
            if (!has_state(disabled, i)) {
                return duration - table.latency(state) >= table.residency(i)
                           ? DepthVerdict::too_shallow
                           : DepthVerdict::right;
            }
        }
    }
    return DepthVerdict::right;
}

void judge(DepthVerdict verdict, Nanoseconds duration, ReplayCount& count) {
    if (verdict == DepthVerdict::too_deep) {
        ++count.too_deep;
        count.too_deep_time += duration;
    } else if (verdict == DepthVerdict::too_shallow) {
        ++count.too_shallow;
        count.too_shallow_time += duration;
    }
}

std::optional<double> ReplayLane::idle_energy(int state) const {
    if (energy_.empty()) {
        return std::nullopt;
    }
    constexpr double kNanosecondsPerSecond = 1e9;
    const double seconds = static_cast<double>(end_ - now_) / kNanosecondsPerSecond;
    return energy_[static_cast<std::size_t>(state)].of(seconds, 1);
}

ReplayLane::ReplayLane(const ReplaySettings& settings, const Choice<Governor>& governor)
    : table_{settings.table},
      energy_{settings.energy},
      disabled_{disabled_in(settings.table)},
      tick_{settings.tick},
      latency_limit_{settings.latency_limit},
      governor_{governor.make()} {
    governor_->enable(settings.table, *this);
}

bool ReplayLane::take_tick_wakeup() {
    return std::exchange(tick_wakeup_, false);
}

std::optional<Duration> ReplayLane::true_idle_duration() const {
    constexpr Nanoseconds kLongest =
        std::chrono::duration_cast<std::chrono::nanoseconds>(kLongestRun).count();
    return std::chrono::nanoseconds{std::min(end_ - now_, kLongest)};
}

Nanoseconds ReplayLane::until_tick() const {
    const Nanoseconds into = (now_ - tick_phase_) % tick_;
    return into < 0 ? -into : tick_ - into;
}

void ReplayLane::look_ahead(const ReplayPeriod& period) {
    sleep_.timer = period.next_timer ? *period.next_timer - now_ : kEndlessSleep - now_;
    sleep_.event = tick_stopped_ ? sleep_.timer : std::min(sleep_.timer, until_tick());
}

Nanoseconds ReplayLane::poll_length() {
    if (poll_limit_ == 0) {
        poll_limit_ = default_poll_limit(table_, disabled_, tick_);
    }
    return std::max<Nanoseconds>(poll_limit_, 1);
}

void ReplayLane::run(const ReplayPeriod& period, std::vector<ReplayCount>& counts) {
    now_ = period.begin;
    end_ = period.end;
    tick_phase_ = period.tick_phase;
    tick_stopped_ = tick_stopped_ && period.stayed;
    do {
        look_ahead(period);
        const IdleDecision decision = governor_->select(*this, nullptr);
        IDLESIM_CHECK(decision.state >= 0 && decision.state < table_.size(),
                      "a governor chooses a state of its table");
        if (decision.stop_tick && sleep_.timer > tick_) {
            tick_stopped_ = true;
        }
        Nanoseconds until = end_;
        bool by_tick = false;
        bool by_limit = false;
        if (!tick_stopped_ && now_ + until_tick() < until) {
            until = now_ + until_tick();
            by_tick = true;
        }
        if (table_.polls(decision.state)) {
            if (now_ + poll_length() < until) {
                until = now_ + poll_length();
                by_tick = false;
                by_limit = true;
            }
            poll_limit_hit_ = by_limit;
        }
        last_residency_ = until - now_;
        ReplayCount& count = counts[static_cast<std::size_t>(decision.state)];
        const DepthVerdict verdict = verdict_on(table_, disabled_, decision.state, last_residency_);
        ++count.entries;
        count.time += last_residency_;
        judge(verdict, last_residency_, count);
        count.wakes += by_tick || by_limit ? 0 : 1;
        tick_wakeup_ = tick_wakeup_ || by_tick;
        now_ = until;
        governor_->reflect(decision.state, *this);
    } while (now_ < end_);
}

}  // namespace idlesim
