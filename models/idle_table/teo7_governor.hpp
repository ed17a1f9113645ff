// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/idle_table/teo_bins.hpp"

namespace idlesim {

/// In what teo of 7.1 differs from teo of 7.0: only for a stopped tick.
enum class Teo7Rules : std::uint8_t {
    floor,       ///< 7.0: with the tick stopped the search ends at a state of at least a tick
    safe_timer,  ///< 7.1: with the tick stopped a far timer sends the CPU into a deeper state
};

/// teo: reckons with the next timer unless wakes before it outweigh the rest; asks for the timer
/// only when the candidate is worth it (drivers/cpuidle/governors/teo.c, 7.0.9 and 7.1-rc4).
class Teo7Governor : public Governor {
public:
    void enable(const std::vector<IdleState>& states, GovernorEnvironment& environment) override;
    [[nodiscard]] IdleDecision select(GovernorEnvironment& environment,
                                      Explanation* explanation) override;
    void reflect(int state, GovernorEnvironment& environment) override;

protected:
    explicit Teo7Governor(Teo7Rules rules) : rules_{rules} {}

private:
    /// All of them fade by an eighth with each event.
    struct History {
        int last = 0;
        bool tick_wakeup = false;
        TeoBins bins;
        std::int64_t total = 0;
        std::int64_t short_idles = 0;
        std::int64_t tick_intercepts = 0;  ///< intercepts within a tick
        std::int64_t tick_wakeups = 0;
        Nanoseconds sleep = 0;
    };

    struct Search {
        StateMask disabled;
        Nanoseconds limit;
        bool ticking;
        Nanoseconds duration;  ///< expected idle time
        Nanoseconds event;
        int first = 0;  ///< the shallowest enabled state
        int fit = 0;    ///< the deepest state within the latency limit
        int state = -1;
        int top = -1;                 ///< the bin with most intercepts
        std::int64_t intercepts = 0;  ///< below the candidate
        std::int64_t hits = 0;
    };

    /// How a step leaves the search: going on, at the check against the next event, decided with
    /// the tick kept, or decided as the tick is.
    enum class Next : std::uint8_t { go_on, finish, keep, take };

    void update(GovernorEnvironment& environment);
    void count(Nanoseconds idle, Nanoseconds latency);
    [[nodiscard]] bool count_tick(int timer_bin, std::int64_t others);
    void find_candidate(Search& search) const;
    void find_shallower(Search& search) const;
    void scan_down(Search& search, int floor) const;
    [[nodiscard]] Next without_timer(Search& search, const Why& why) const;
    [[nodiscard]] Next with_timer(Search& search, const Why& why) const;
    [[nodiscard]] bool is_cheap(const Search& search) const;
    [[nodiscard]] int deeper_within(const Search& search) const;
    [[nodiscard]] IdleDecision finish(const Search& search, const Why& why) const;

    Teo7Rules rules_;
    IdleTable table_;
    Nanoseconds tick_ = 0;
    History history_;
};

}  // namespace idlesim
