// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/idle_table.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// Climbs one state after four idle times that were long for the state, descends after one that was
/// short (drivers/cpuidle/governors/ladder.c, 6.3). It never asks for the next timer and always
/// lets the tick be stopped.
class Ladder final : public Governor {
public:
    struct Params {};

    explicit Ladder(Params /*params*/) {}

    void enable(const std::vector<IdleState>& states, GovernorEnvironment& environment) override;
    [[nodiscard]] IdleDecision select(GovernorEnvironment& environment,
                                      Explanation* explanation) override;

    void reflect(int state, GovernorEnvironment& /*environment*/) override {
        if (state > 0) {
            last_ = state;
        }
    }

private:
    /// Thresholds of a polling state 0 stay zero.
    struct Rung {
        int promotions = 0;
        int demotions = 0;
        int promotions_needed = 0;
        int demotions_needed = 0;
        std::uint64_t promotes_above = 0;
        std::uint64_t demotes_below = 0;
    };

    [[nodiscard]] Rung& rung(int state) { return rungs_[static_cast<std::size_t>(state)]; }

    IdleDecision move(int state, const Why& why, std::string_view reason);
    [[nodiscard]] IdleDecision decide(GovernorEnvironment& environment, const Why& why);
    [[nodiscard]] bool promotes(int state, std::uint64_t idle, StateMask off, Nanoseconds limit);

    IdleTable table_;
    std::array<Rung, kMaxIdleStates> rungs_{};
    int base_ = 0;
    int last_ = 0;
};

void Ladder::enable(const std::vector<IdleState>& states, GovernorEnvironment& /*environment*/) {
    table_ = IdleTable{states};
    base_ = table_.polls(0) ? 1 : 0;
    if (base_ >= table_.size()) {
        throw GovernorError{"governor ladder needs a state behind the polling one"};
    }
    last_ = base_;
    rungs_.fill(Rung{});
    for (int i = base_; i < table_.size(); ++i) {
        Rung& r = rung(i);
        r.promotions_needed = 4;
        r.demotions_needed = 1;
        const auto latency = static_cast<std::uint64_t>(table_.latency(i));
        r.promotes_above = i < table_.last() ? latency : 0;
        r.demotes_below = i > base_ ? latency : 0;
    }
}

IdleDecision Ladder::move(int state, const Why& why, std::string_view reason) {
    why.say("from {} to {}: {}", table_.name(last_), table_.name(state), reason);
    rung(last_).promotions = 0;
    rung(last_).demotions = 0;
    last_ = state;
    return {state};
}

bool Ladder::promotes(int state, std::uint64_t idle, StateMask off, Nanoseconds limit) {
    Rung& r = rung(state);
    if (state >= table_.last() || has_state(off, state + 1) || idle <= r.promotes_above ||
        table_.latency(state + 1) > limit) {
        return false;
    }
    ++r.promotions;
    r.demotions = 0;
    return r.promotions >= r.promotions_needed;
}

IdleDecision Ladder::select(GovernorEnvironment& environment, Explanation* explanation) {
    const Why why{explanation};
    const IdleDecision decision = decide(environment, why);
    explain_states(why,
                   table_,
                   {decision.state,
                    environment.disabled_states(),
                    environment.latency_limit(),
                    kEndlessSleep,
                    "the ladder climbs one state at a time, after four long idle times",
                    "the ladder descends one state at a time, after an idle time that was short"});
    return decision;
}

IdleDecision Ladder::decide(GovernorEnvironment& environment, const Why& why) {
    const Nanoseconds limit = environment.latency_limit();
    if (limit == 0) {
        return move(0, why, "the latency limit is 0");
    }
    const int state = last_;
    // Unsigned: a residency below the latency counts as huge.
    const std::uint64_t idle = static_cast<std::uint64_t>(environment.last_residency()) -
                               static_cast<std::uint64_t>(table_.latency(state));
    const StateMask off = environment.disabled_states();
    if (promotes(state, idle, off, limit)) {
        return move(state + 1, why, "enough long idle times");
    }
    if (state > base_ && (has_state(off, state) || table_.latency(state) > limit)) {
        int target = state - 1;
        while (target > base_ && table_.latency(target) > limit) {
            --target;
        }
        return move(target, why, "the state is disabled or exceeds the latency limit");
    }
    Rung& r = rung(state);
    if (state > base_ && idle < r.demotes_below) {
        ++r.demotions;
        r.promotions = 0;
        if (r.demotions >= r.demotions_needed) {
            return move(state - 1, why, "the last idle time was short");
        }
    }
    why.say("stays in {}: last residency {}, {} of {} long idle times",
            table_.name(state),
            TimeText{environment.last_residency()},
            r.promotions,
            r.promotions_needed);
    return {state};
}

const Register<Governor, Ladder> kLadder{
    "ladder@6.3",
    "ladder of Linux 6.3: one state up after four long idle times, down after a short"};

}  // namespace
}  // namespace idlesim
