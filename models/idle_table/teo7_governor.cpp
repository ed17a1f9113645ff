// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/teo7_governor.hpp"

#include <algorithm>

namespace idlesim {
namespace {

constexpr Nanoseconds kShallowResidency = 15'000;
constexpr Nanoseconds kShortIdle = 15'000;
constexpr Nanoseconds kTightLimit = 7'500;

/// Modulo 2^64: an overdue timer against an idle time without end is far away, not near.
Nanoseconds wrapped_difference(Nanoseconds a, Nanoseconds b) {
    return static_cast<Nanoseconds>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace

void Teo7Governor::enable(const std::vector<IdleState>& states, GovernorEnvironment& environment) {
    table_ = IdleTable{states};
    tick_ = environment.tick();
    history_ = History{};
}

void Teo7Governor::reflect(int state, GovernorEnvironment& environment) {
    history_.tick_wakeup = environment.take_tick_wakeup();
    history_.last = state;
}

/// A wake by the tick tells nothing about other wakes; true when it has been counted by itself.
bool Teo7Governor::count_tick(int timer_bin, std::int64_t others) {
    History& h = history_;
    h.tick_wakeups += kTeoEvent;
    if (3 * h.tick_wakeups > 2 * h.total) {
        h.bins.hit(table_.last()) += kTeoEvent;
        return true;
    }
    if (3 * h.tick_intercepts < 2 * others) {
        h.bins.hit(timer_bin) += kTeoEvent;
        return true;
    }
    return false;
}

void Teo7Governor::count(Nanoseconds idle, Nanoseconds latency) {
    History& h = history_;
    h.bins.fade(faded_to_zero);
    const std::int64_t others = h.bins.total();
    h.total = others + kTeoEvent;
    const int timer_bin = table_.deepest_within(h.sleep);
    const int idle_bin = table_.deepest_within(std::min(h.sleep, idle));
    h.tick_intercepts = faded_to_zero(h.tick_intercepts);
    h.tick_wakeups = faded_to_zero(h.tick_wakeups);
    if (h.tick_wakeup && count_tick(timer_bin, others)) {
        return;
    }
    if (timer_bin == idle_bin && wrapped_difference(h.sleep, idle) < latency / 2) {
        h.bins.hit(timer_bin) += kTeoEvent;
        return;
    }
    h.bins.intercept(idle_bin) += kTeoEvent;
    if (idle <= tick_) {
        h.tick_intercepts += kTeoEvent;
    }
}

void Teo7Governor::update(GovernorEnvironment& environment) {
    const Nanoseconds latency = table_.latency(history_.last);
    history_.short_idles = faded_to_zero(history_.short_idles);
    if (environment.poll_limit_hit()) {
        environment.clear_poll_limit_hit();
        count(kEndlessSleep, latency);
        return;
    }
    const Nanoseconds residency = environment.last_residency();
    const Nanoseconds idle = without_exit(residency, latency);
    if (residency < latency || idle < kShortIdle) {
        history_.short_idles += kTeoEvent;
    }
    count(idle, latency);
}

void Teo7Governor::find_candidate(Search& search) const {
    if (!has_state(search.disabled, 0)) {
        search.state = 0;
    }
    std::int64_t intercepts = 0;
    std::int64_t hits = 0;
    std::int64_t peak = 0;
    for (int i = 1; i < table_.size(); ++i) {
        hits += history_.bins.hit(i - 1);
        intercepts += history_.bins.intercept(i - 1);
        if (history_.bins.intercept(i - 1) >= peak) {
            peak = history_.bins.intercept(i - 1);
            search.top = i - 1;
        }
        if (has_state(search.disabled, i)) {
            continue;
        }
        if (search.state < 0) {
            search.first = i;
        }
        search.state = i;
        if (table_.latency(i) <= search.limit) {
            search.fit = i;
        }
        search.intercepts = intercepts;
        search.hits = hits;
    }
}

void Teo7Governor::scan_down(Search& search, int floor) const {
    std::int64_t intercepts = 0;
    for (int i = search.state - 1; i >= floor; --i) {
        intercepts += history_.bins.intercept(i);
        if (has_state(search.disabled, i)) {
            continue;
        }
        search.state = i;
        if (2 * intercepts > search.intercepts && i <= search.top) {
            return;
        }
    }
}

void Teo7Governor::find_shallower(Search& search) const {
    if (rules_ == Teo7Rules::safe_timer) {
        scan_down(search, search.first);
        return;
    }
    int floor = search.first;
    if (!search.ticking) {
        // With the tick stopped a state that is too shallow might last for very long.
        while (floor < search.state && table_.residency(floor) < tick_) {
            ++floor;
        }
        if (table_.residency(floor) == table_.residency(search.state)) {
            return;
        }
    }
    if (floor >= search.top && !has_state(search.disabled, floor)) {
        search.state = floor;
        return;
    }
    scan_down(search, floor);
}

bool Teo7Governor::is_cheap(const Search& search) const {
    return (search.state == 0 || table_.residency(search.state) < kShallowResidency) &&
           (2 * history_.short_idles >= history_.total || search.limit < kTightLimit);
}

Teo7Governor::Next Teo7Governor::without_timer(Search& search, const Why& why) const {
    find_candidate(search);
    if (search.state < 0) {
        search.state = 0;
        return Next::keep;
    }
    if (search.state == search.first) {
        search.duration = table_.residency(search.state);
        why.say("{} is the only enabled state", table_.name(search.state));
        return Next::finish;
    }
    why.say("candidate {}", table_.name(search.state));
    if (2 * search.intercepts > history_.total - search.hits) {
        find_shallower(search);
        why.say("{} intercepts below it against {} others: early wakes are likely, {} taken",
                search.intercepts,
                history_.total - search.hits - search.intercepts,
                table_.name(search.state));
    }
    search.state = std::min(search.state, search.fit);
    if (is_cheap(search) && (rules_ == Teo7Rules::floor || search.ticking)) {
        why.say("{} is shallow and idle times are short: not worth asking for the next timer",
                table_.name(search.state));
        return Next::keep;
    }
    return Next::go_on;
}

/// The deepest state behind the candidate that pays until the timer; the candidate if none does.
int Teo7Governor::deeper_within(const Search& search) const {
    for (int i = search.fit; i > search.state; --i) {
        if (!has_state(search.disabled, i) && table_.residency(i) <= search.duration) {
            return i;
        }
    }
    return search.state;
}

Teo7Governor::Next Teo7Governor::with_timer(Search& search, const Why& why) const {
    if (rules_ == Teo7Rules::safe_timer && !search.ticking && search.duration > 2 * tick_ &&
        table_.residency(search.state) < tick_) {
        search.state = deeper_within(search);
        why.say("the tick is stopped and would end no mistake: {}", table_.name(search.state));
        return Next::take;
    }
    if (search.state == 0) {
        return Next::keep;
    }
    if (table_.residency(search.state) > search.duration) {
        search.state = table_.shallower(search.state, search.duration, search.disabled);
    }
    if (table_.residency(search.state) < tick_ &&
        3 * history_.tick_intercepts >= 2 * history_.total) {
        search.duration = tick_ / 2;
        why.say("most wakes come within a tick: the tick goes on");
    }
    return Next::finish;
}

IdleDecision Teo7Governor::finish(const Search& search, const Why& why) const {
    if (!search.ticking || (!table_.polls(search.state) && search.duration >= tick_)) {
        return {search.state};
    }
    int state = search.state;
    if (state > search.first && table_.residency(state) > search.event) {
        state = table_.shallower(state, search.event, search.disabled);
        why.say("the tick goes on and ends the idle in {}: {}",
                TimeText{search.event},
                table_.name(state));
    }
    return {state, false};
}

IdleDecision Teo7Governor::select(GovernorEnvironment& environment, Explanation* explanation) {
    const Why why{explanation};
    if (history_.last >= 0) {
        update(environment);
        history_.last = -1;
    }
    history_.sleep = kEndlessSleep;
    Search search{environment.disabled_states(),
                  environment.latency_limit(),
                  !environment.tick_stopped(),
                  kEndlessSleep,
                  tick_ / 2};
    explain_bins(why, table_, history_.bins);
    why.say("{} of {} events were short, {} intercepts and {} ticks within a tick",
            history_.short_idles,
            history_.total,
            history_.tick_intercepts,
            history_.tick_wakeups);
    Next next = without_timer(search, why);
    if (next == Next::go_on) {
        const SleepLength sleep = environment.query_sleep_length();
        history_.sleep = sleep.timer;
        search.duration = sleep.timer;
        search.event = sleep.event;
        why.say("next timer in {}, next event in {}", TimeText{sleep.timer}, TimeText{sleep.event});
        next = with_timer(search, why);
    }
    const IdleDecision decision =
        next == Next::finish ? finish(search, why) : IdleDecision{search.state, next != Next::keep};
    explain_states(why,
                   table_,
                   {decision.state,
                    search.disabled,
                    search.limit,
                    search.duration,
                    "early wakes speak for a shallower state"});
    return decision;
}

}  // namespace idlesim
