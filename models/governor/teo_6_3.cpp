// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/teo_bins.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>

namespace idlesim {
namespace {

/// Utilisation-aware teo with the memory of the last nine intercepts
/// (drivers/cpuidle/governors/teo.c, Linux 6.3).
class Teo63 final : public Governor {
public:
    struct Params {};

    explicit Teo63(Params /*params*/) {}

    void enable(const std::vector<IdleState>& states, GovernorEnvironment& environment) override {
        table_ = IdleTable{states};
        tick_ = environment.tick();
        busy_above_ = environment.cpu_capacity() / 64;
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
    static constexpr int kRecent = 9;

    struct History {
        History() { ring.fill(-1); }

        int last = 0;
        TeoBins bins;
        std::array<int, kMaxIdleStates> recent{};
        std::array<int, kRecent> ring{};
        std::size_t position = 0;
        std::int64_t total = 0;
        Nanoseconds sleep = 0;
        Nanoseconds span = 0;
        Nanoseconds selected_at = 0;
    };

    struct Search {
        StateMask disabled;
        Nanoseconds limit;
        Nanoseconds duration;  ///< expected idle time
        bool ticking;
        bool busy;
        int first = 0;  ///< the shallowest enabled state
        int fit = 0;    ///< the deepest state within the latency limit
        int state = -1;
        bool settled = false;
        std::int64_t intercepts = 0;  ///< below the candidate
        std::int64_t hits = 0;
        int recent = 0;
    };

    [[nodiscard]] static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    void update(Nanoseconds residency);
    void find_candidate(Search& search) const;
    void scan(Search& search) const;
    void prefer_shallower(Search& search, const Why& why) const;
    void scan_down(Search& search, bool by_intercepts, bool by_recent) const;

    IdleTable table_;
    Nanoseconds tick_ = 0;
    std::int64_t busy_above_ = 0;
    History history_;
};

void Teo63::update(Nanoseconds residency) {
    History& h = history_;
    const Nanoseconds idle =
        h.span >= h.sleep ? kEndlessSleep : without_exit(residency, table_.latency(h.last));
    h.bins.fade(faded);
    const int timer_bin = table_.deepest_within(h.sleep);
    const int idle_bin = table_.deepest_within(std::min(h.sleep, idle));
    int& slot = h.ring[h.position];
    if (slot >= 0) {
        --h.recent[at(slot)];
    }
    if (timer_bin == idle_bin) {
        h.bins.hit(timer_bin) += kTeoEvent;
        slot = -1;
    } else {
        h.bins.intercept(idle_bin) += kTeoEvent;
        ++h.recent[at(idle_bin)];
        slot = idle_bin;
    }
    h.position = (h.position + 1) % h.ring.size();
    h.total = h.bins.total();
}

/// Over all states whose residency lies before the timer, and the counters below the deepest one.
void Teo63::scan(Search& search) const {
    std::int64_t intercepts = 0;
    std::int64_t hits = 0;
    int recent = 0;
    for (int i = 1; i < table_.size(); ++i) {
        intercepts += history_.bins.intercept(i - 1);
        hits += history_.bins.hit(i - 1);
        recent += history_.recent[at(i - 1)];
        if (has_state(search.disabled, i)) {
            continue;
        }
        if (search.state < 0) {
            search.state = i;
            search.first = i;
        }
        if (table_.residency(i) > search.duration) {
            break;
        }
        search.state = i;
        if (table_.latency(i) <= search.limit) {
            search.fit = i;
        }
        search.intercepts = intercepts;
        search.hits = hits;
        search.recent = recent;
    }
}

void Teo63::find_candidate(Search& search) const {
    search.settled = true;
    if (table_.size() < 2) {
        search.state = 0;
        return;
    }
    if (!has_state(search.disabled, 0)) {
        search.state = 0;
        // State 1 counts even when it is disabled.
        if (table_.residency(1) > search.duration) {
            return;
        }
    }
    if (table_.size() == 2 && search.busy) {
        for (int i = 0; i < 2; ++i) {
            if (!has_state(search.disabled, i) && !table_.polls(i)) {
                search.state = i;
                return;
            }
        }
    }
    scan(search);
    if (search.state < 0) {
        search.state = 0;
        return;
    }
    search.settled = search.state == search.first;
}

void Teo63::scan_down(Search& search, bool by_intercepts, bool by_recent) const {
    int fallback = search.state;
    Nanoseconds fallback_duration = search.duration;
    std::int64_t intercepts = 0;
    int recent = 0;
    for (int i = search.state - 1; i >= 0; --i) {
        intercepts += history_.bins.intercept(i);
        recent += history_.recent[at(i)];
        const Nanoseconds middle = (table_.residency(i) + table_.residency(i + 1)) / 2;
        // With the tick stopped a state that is too shallow might last for very long.
        const bool allowed = search.ticking || middle >= tick_;
        if ((!by_recent || 2 * recent > search.recent) &&
            (!by_intercepts || 2 * intercepts > search.intercepts)) {
            const bool taken = allowed && !has_state(search.disabled, i);
            search.state = taken ? i : fallback;
            search.duration = taken ? middle : fallback_duration;
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
        fallback_duration = middle;
    }
}

void Teo63::prefer_shallower(Search& search, const Why& why) const {
    const bool by_intercepts = 2 * search.intercepts > history_.total - search.hits;
    const bool by_recent = search.recent > kRecent / 2;
    const int candidate = search.state;
    if (by_intercepts || by_recent) {
        scan_down(search, by_intercepts, by_recent);
        why.say(
            "{} intercepts ({} of the last {} wakes) below {}: early wakes are likely, {} taken",
            search.intercepts,
            search.recent,
            kRecent,
            table_.name(candidate),
            table_.name(search.state));
    }
    search.state = std::min(search.state, search.fit);
    if (search.busy) {
        search.state = table_.shallower(
            search.state, search.duration, search.disabled | table_.polling_states());
        why.say("the CPU is utilised: a state less, {}", table_.name(search.state));
    }
}

IdleDecision Teo63::select(GovernorEnvironment& environment, Explanation* explanation) {
    const Why why{explanation};
    if (history_.last >= 0) {
        update(environment.last_residency());
        history_.last = -1;
    }
    history_.selected_at = environment.now();
    const SleepLength sleep = environment.query_sleep_length();
    history_.sleep = sleep.timer;
    Search search{environment.disabled_states(),
                  environment.latency_limit(),
                  sleep.timer,
                  !environment.tick_stopped(),
                  environment.utilisation() > busy_above_};
    explain_bins(why, table_, history_.bins);
    why.say("next timer in {}, next event in {}", TimeText{sleep.timer}, TimeText{sleep.event});
    find_candidate(search);
    why.say("candidate {}", table_.name(search.state));
    if (!search.settled) {
        prefer_shallower(search, why);
    }
    IdleDecision decision{search.state};
    if ((table_.polls(decision.state) || search.duration < tick_) && search.ticking) {
        decision.stop_tick = false;
        if (decision.state > search.first && table_.residency(decision.state) > sleep.event) {
            decision.state = table_.shallower(decision.state, sleep.event, search.disabled);
            why.say("the tick goes on and ends the idle in {}: {}",
                    TimeText{sleep.event},
                    table_.name(decision.state));
        }
    }
    explain_states(why,
                   table_,
                   {decision.state,
                    search.disabled,
                    search.limit,
                    search.duration,
                    "early wakes or utilisation speak for a shallower state"});
    return decision;
}

const Register<Governor, Teo63> kTeo63{
    "teo@6.3", "teo of Linux 6.3: timer bins, recent intercepts, utilisation of the CPU"};

}  // namespace
}  // namespace idlesim
