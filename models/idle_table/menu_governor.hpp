// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/idle_table/idle_table.hpp"
#include "models/idle_table/typical_interval.hpp"

#include <array>
#include <cstdint>

namespace idlesim {

/// In what the versions of menu differ.
struct MenuRules {
    enum class TimerQuery : std::uint8_t { always, unless_short, unless_short_and_ticking };
    enum class Typical : std::uint8_t { below_timer, one_sided, two_sided_largest, two_sided };
    enum class Walk : std::uint8_t { residency_first, loose, strict };

    TimerQuery query;
    Typical typical;
    Walk walk;
    /// Tasks in I/O wait have buckets of their own and shrink the latency limit.
    bool looks_at_io_wait = false;
    /// An entry that did not happen leaves a mark among the intervals.
    bool marks_rejected = true;
    /// Only one state: state 0 without further ado. From 7.0 on the core does not even ask.
    bool single_state_is_trivial = true;
    /// With the tick stopped, a short prediction gives way to the next timer only beyond this many
    /// ticks.
    int safe_timer_ticks = 0;
};

/// menu: predicts the idle time from the next timer, scaled by how early the CPU was woken before,
/// and from a repeating pattern of the last idle times; enters the deepest state that pays within
/// it (drivers/cpuidle/governors/menu.c, version by version).
class MenuGovernor : public Governor {
public:
    void enable(const std::vector<IdleState>& states, GovernorEnvironment& environment) override;
    [[nodiscard]] IdleDecision select(GovernorEnvironment& environment,
                                      Explanation* explanation) override;
    void reflect(int state, GovernorEnvironment& environment) override;

protected:
    explicit MenuGovernor(const MenuRules& rules) : rules_{rules} {}

private:
    static constexpr std::uint32_t kUnity = 8192;

    /// What one selection works with.
    struct Question {
        StateMask disabled;
        Nanoseconds limit;
        bool ticking;
        Nanoseconds predicted;
        Nanoseconds event;  ///< until the next programmed event
    };

    /// `settled` states are not looked at again.
    struct Candidate {
        int state;
        bool settled;
    };

    /// Everything that changes; as after boot when default-made.
    struct History {
        History() { factor.fill(kUnity); }

        int last = 0;
        bool pending = false;
        bool tick_wakeup = false;
        Nanoseconds next_timer = 0;
        std::size_t bucket = 0;
        std::array<std::uint32_t, 12> factor{};
        IntervalRing ring{};
        std::size_t position = 0;
    };

    void learn(const GovernorEnvironment& environment);
    void update(const GovernorEnvironment& environment);
    void push(std::uint32_t microseconds);
    void ask(GovernorEnvironment& environment, Question& question);
    void predict(GovernorEnvironment& environment, Question& question, const Why& why);
    void adjust(const GovernorEnvironment& environment, Question& question, const Why& why) const;
    [[nodiscard]] Nanoseconds measured(const GovernorEnvironment& environment) const;
    [[nodiscard]] std::uint32_t timer_microseconds() const;
    [[nodiscard]] std::uint32_t typical(std::uint32_t timer) const;
    [[nodiscard]] bool is_trivial(const Question& question) const;
    [[nodiscard]] Candidate walk(Question& question) const;
    [[nodiscard]] Candidate walk_residency_first(Question& question) const;
    [[nodiscard]] Candidate walk_latency_first(Question& question) const;
    [[nodiscard]] bool prefers_over_polling(int state, const Question& question) const;
    [[nodiscard]] Candidate beyond_prediction(int candidate, int state, Question& question) const;

    MenuRules rules_;
    IdleTable table_;
    Nanoseconds tick_ = 0;
    History history_;
};

}  // namespace idlesim
