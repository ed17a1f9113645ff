// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/governor/explanation.hpp"
#include "models/governor/governor.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// A table of idle states in the kernel's units, with the searches that several governors share.
class IdleTable {
public:
    IdleTable() = default;

    /// Throws GovernorError for a table that is empty, too long, or not in whole nanoseconds.
    explicit IdleTable(const std::vector<IdleState>& states);

    [[nodiscard]] int size() const { return size_; }

    [[nodiscard]] int last() const { return size_ - 1; }

    // Behind the last state all values are zero, as in the kernel's array.
    [[nodiscard]] Nanoseconds latency(int state) const { return latency_[index(state)]; }

    [[nodiscard]] Nanoseconds residency(int state) const { return residency_[index(state)]; }

    [[nodiscard]] bool polls(int state) const { return polls_[index(state)]; }

    [[nodiscard]] const std::string& name(int state) const { return names_[index(state)]; }

    [[nodiscard]] StateMask polling_states() const;

    /// The nearest state above `state`, those in `skip` left out, whose residency is at most
    /// `duration`; else the shallowest one, else `state` itself. Latencies are not looked at.
    [[nodiscard]] int shallower(int state, Nanoseconds duration, StateMask skip) const;

    /// The highest state whose residency is at most `duration`, disabled or not; 0 if there is
    /// none.
    [[nodiscard]] int deepest_within(Nanoseconds duration) const;

private:
    static std::size_t index(int state) { return static_cast<std::size_t>(state); }

    int size_ = 0;
    std::array<Nanoseconds, kMaxIdleStates + 1> latency_{};
    std::array<Nanoseconds, kMaxIdleStates + 1> residency_{};
    std::array<bool, kMaxIdleStates + 1> polls_{};
    std::array<std::string, kMaxIdleStates + 1> names_{};
};

/// Limit of a polling state for which nobody has chosen one: 1/16 tick, or if less the residency of
/// the first enabled state behind it that is at least 10 us (drivers/cpuidle/cpuidle.c, 6.3).
[[nodiscard]] Nanoseconds default_poll_limit(const IdleTable& table,
                                             StateMask disabled,
                                             Nanoseconds tick);

/// The outcome of a decision as the states see it.
struct StateVerdicts {
    int chosen = 0;
    StateMask disabled = 0;
    Nanoseconds limit = 0;  ///< of the exit latency
    /// Idle time that the governor reckoned with; kEndlessSleep where it reckons with none.
    Nanoseconds expected = 0;
    std::string_view deeper;  ///< why a deeper state that fits was not chosen
    std::string_view shallower = "a deeper state is worth entering";
};

/// One line for each state: chosen, or why not.
void explain_states(const Why& why, const IdleTable& table, const StateVerdicts& verdicts);

}  // namespace idlesim
