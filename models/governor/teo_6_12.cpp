// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/teo_bins.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>

namespace idlesim {
namespace {

/// teo that asks for the timer only when it matters (drivers/cpuidle/governors/teo.c, Linux 6.11 to
/// 6.13).
class Teo612 final : public Governor {
public:
    struct Params {};

    explicit Teo612(Params /*params*/) {}

    void enable(const std::vector<IdleState>& states, GovernorEnvironment& environment) override {
        table_ = IdleTable{states};
        tick_ = environment.tick();
        history_ = History{};
    }

    [[nodiscard]] IdleDecision select(GovernorEnvironment& environment,
                                      Explanation* explanation) override;

    void reflect(int state, GovernorEnvironment& environment) override {
        history_.last = state;
        // The tick flag is not read after a poll limit: it is seen one idle period later.
        if (environment.poll_limit_hit() ||
            (environment.take_tick_wakeup() && history_.sleep > tick_)) {
            environment.clear_poll_limit_hit();
            history_.span = history_.sleep;
        } else {
            history_.span = environment.now() - history_.selected_at;
        }
    }

private:
    static constexpr Nanoseconds kShallowResidency = 15'000;

    struct History {
        int last = 0;
        TeoBins bins;
        std::int64_t tick_hits = 0;
        std::int64_t total = 0;
        Nanoseconds sleep = 0;
        Nanoseconds span = 0;
        Nanoseconds selected_at = 0;
    };

    struct Search {
        StateMask disabled;
        Nanoseconds limit;
        bool ticking;
        Nanoseconds duration = 0;  ///< expected idle time
        Nanoseconds event = 0;
        int first = 0;  ///< the shallowest enabled state
        int fit = 0;    ///< the deepest state within the latency limit
        int state = -1;
        std::int64_t intercepts = 0;  ///< below the candidate
        std::int64_t hits = 0;
    };

    /// Whether the search goes on with the next step, or with the event that ends the idle, or is
    /// over with the tick kept.
    enum class Next : std::uint8_t { go_on, finish, keep };

    void update(Nanoseconds residency);
    void count(Nanoseconds idle);
    void find_candidate(Search& search) const;
    void scan_down(Search& search) const;
    Next without_timer(Search& search, GovernorEnvironment& environment, const Why& why);
    void with_timer(Search& search) const;
    void query(Search& search, GovernorEnvironment& environment, const Why& why);
    IdleDecision finish(const Search& search, const Why& why) const;

    IdleTable table_;
    Nanoseconds tick_ = 0;
    History history_;
};

void Teo612::count(Nanoseconds idle) {
    History& h = history_;
    int timer_bin = table_.deepest_within(h.sleep);
    const int idle_bin = table_.deepest_within(std::min(h.sleep, idle));
    if (table_.residency(table_.last()) < tick_) {
        h.tick_hits = faded(h.tick_hits);
        if (h.sleep >= tick_) {
            if (idle >= tick_) {
                h.tick_hits += kTeoEvent;
                return;
            }
            // A wake before the tick is an intercept, also one in the deepest bin.
            timer_bin = table_.size();
        }
    }
    if (timer_bin == idle_bin) {
        h.bins.hit(timer_bin) += kTeoEvent;
    } else {
        h.bins.intercept(idle_bin) += kTeoEvent;
    }
}

void Teo612::update(Nanoseconds residency) {
    History& h = history_;
    h.bins.fade(faded);
    count(h.span >= h.sleep ? kEndlessSleep : without_exit(residency, table_.latency(h.last)));
    h.total = h.bins.total();
    if (table_.residency(table_.last()) < tick_) {
        h.total += h.tick_hits;
    }
}

void Teo612::find_candidate(Search& search) const {
    if (!has_state(search.disabled, 0)) {
        search.state = 0;
    }
    std::int64_t intercepts = 0;
    std::int64_t hits = 0;
    for (int i = 1; i < table_.size(); ++i) {
        intercepts += history_.bins.intercept(i - 1);
        hits += history_.bins.hit(i - 1);
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

void Teo612::scan_down(Search& search) const {
    int fallback = search.state;
    std::int64_t intercepts = 0;
    for (int i = search.state - 1; i >= 0; --i) {
        intercepts += history_.bins.intercept(i);
        // With the tick stopped a state that is too shallow might last for very long.
        const bool allowed = search.ticking || table_.residency(i) >= tick_;
        if (2 * intercepts > search.intercepts) {
            search.state = allowed && !has_state(search.disabled, i) ? i : fallback;
            return;
        }
        if (has_state(search.disabled, i)) {
            continue;
        }
        if (!allowed) {
            if (fallback == search.state) {
                return;
            }
            continue;
        }
        fallback = i;
    }
}

void Teo612::query(Search& search, GovernorEnvironment& environment, const Why& why) {
    const SleepLength sleep = environment.query_sleep_length();
    history_.sleep = sleep.timer;
    search.event = sleep.event;
    search.duration = sleep.timer;
    why.say("next timer in {}, next event in {}", TimeText{sleep.timer}, TimeText{sleep.event});
}

Teo612::Next Teo612::without_timer(Search& search,
                                   GovernorEnvironment& environment,
                                   const Why& why) {
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
        scan_down(search);
        why.say("{} intercepts below it against {} others: early wakes are likely, {} taken",
                search.intercepts,
                history_.total - search.hits - search.intercepts,
                table_.name(search.state));
        if (search.state == 0) {
            query(search, environment, why);
            return Next::keep;
        }
    }
    search.state = std::min(search.state, search.fit);
    if (search.state == 0 ||
        (table_.polls(0) && table_.residency(search.state) < kShallowResidency)) {
        why.say("{} is shallow enough not to ask for the next timer", table_.name(search.state));
        return Next::keep;
    }
    return Next::go_on;
}

void Teo612::with_timer(Search& search) const {
    if (table_.residency(search.state) > search.duration) {
        const int shallower = table_.shallower(search.state, search.duration, search.disabled);
        if (search.ticking || table_.residency(shallower) >= tick_) {
            search.state = shallower;
        }
    }
    std::int64_t intercepts = 0;
    for (int i = 0; i < table_.size(); ++i) {
        intercepts += history_.bins.intercept(i);
    }
    // Most wakes come before the tick: let it go on, should it be one of the others.
    if (table_.residency(search.state) < tick_ &&
        intercepts > history_.total / 2 + history_.total / 8) {
        search.duration = tick_ / 2;
    }
}

IdleDecision Teo612::finish(const Search& search, const Why& why) const {
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

IdleDecision Teo612::select(GovernorEnvironment& environment, Explanation* explanation) {
    const Why why{explanation};
    if (history_.last >= 0) {
        update(environment.last_residency());
        history_.last = -1;
    }
    history_.selected_at = environment.now();
    history_.sleep = kEndlessSleep;
    if (table_.size() < 2) {
        return {0, false};
    }
    Search search{
        environment.disabled_states(), environment.latency_limit(), !environment.tick_stopped()};
    search.event = tick_ / 2;
    search.duration = kEndlessSleep;
    explain_bins(why, table_, history_.bins);
    why.say("{} hits beyond the tick, {} events in all", history_.tick_hits, history_.total);
    Next next = without_timer(search, environment, why);
    if (next == Next::go_on) {
        query(search, environment, why);
        with_timer(search);
        next = Next::finish;
    }
    const IdleDecision decision =
        next == Next::finish ? finish(search, why) : IdleDecision{search.state, false};
    explain_states(why,
                   table_,
                   {decision.state,
                    search.disabled,
                    search.limit,
                    search.duration,
                    "early wakes speak for a shallower state"});
    return decision;
}

const Register<Governor, Teo612> kTeo612{
    "teo@6.12", "teo of Linux 6.11 to 6.13: asks for the timer only when it matters"};

}  // namespace
}  // namespace idlesim
