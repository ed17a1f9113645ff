// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cstate/idle_state.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace idlesim {

class Explanation;

/// Time as governors count it: whole nanoseconds in 64 bits. Divisions that truncate and sums that
/// wrap are part of their decisions, and "no timer" is beyond the reach of Duration.
using Nanoseconds = std::int64_t;

/// No timer was asked for, or none exists.
inline constexpr Nanoseconds kEndlessSleep = std::numeric_limits<Nanoseconds>::max();

/// Bit i: state i.
using StateMask = std::uint32_t;

[[nodiscard]] constexpr bool has_state(StateMask mask, int state) {
    return ((mask >> static_cast<unsigned>(state)) & 1U) != 0;
}

/// A governor that cannot work with its table or its parameters; what() is a sentence for the user.
class GovernorError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Answer of tick_nohz_get_sleep_length() (kernel/time/tick-sched.c, 6.3).
struct SleepLength {
    Nanoseconds timer = 0;  ///< until the next timer, the tick left out; negative when overdue
    Nanoseconds event = 0;  ///< until the next programmed event, a running tick included
};

/// What one CPU tells its governor. The kernel model and the replay of recorded inputs implement
/// it.
class GovernorEnvironment {
public:
    GovernorEnvironment() = default;
    GovernorEnvironment(const GovernorEnvironment&) = delete;
    GovernorEnvironment(GovernorEnvironment&&) = delete;
    GovernorEnvironment& operator=(const GovernorEnvironment&) = delete;
    GovernorEnvironment& operator=(GovernorEnvironment&&) = delete;
    virtual ~GovernorEnvironment() = default;

    /// Length of a tick, TICK_NSEC: (10^9 + HZ/2) / HZ.
    [[nodiscard]] virtual Nanoseconds tick() const = 0;

    /// arch_scale_cpu_capacity(), 1024 for the fastest CPU.
    [[nodiscard]] virtual std::int64_t cpu_capacity() const { return 1024; }

    /// local_clock(); the start does not matter.
    [[nodiscard]] virtual Nanoseconds now() const = 0;

    /// cpuidle_governor_latency_req().
    [[nodiscard]] virtual Nanoseconds latency_limit() const = 0;

    /// States that are switched off at the moment, by the user or by the driver.
    [[nodiscard]] virtual StateMask disabled_states() const = 0;

    /// The tick was stopped earlier in this idle period.
    [[nodiscard]] virtual bool tick_stopped() const = 0;

    /// Measured time in the last state; 0 at boot and after an entry that did not happen.
    [[nodiscard]] virtual Nanoseconds last_residency() const = 0;

    /// Tasks in I/O wait that belong to this CPU.
    [[nodiscard]] virtual std::int64_t io_waiters() const { return 0; }

    /// Scheduler's utilisation of the CPU, 0..1024.
    [[nodiscard]] virtual std::int64_t utilisation() const { return 0; }

    /// Asks for the sleep length. The walk through the timer wheel costs time, so whether a
    /// governor asks is part of its behaviour.
    [[nodiscard]] virtual SleepLength query_sleep_length() = 0;

    /// tick_nohz_idle_got_tick(): has the tick fired while idle? Reads and clears the flag.
    [[nodiscard]] virtual bool take_tick_wakeup() = 0;

    /// Polling ended at its time limit. Set and cleared by the polling state; teo clears it too.
    [[nodiscard]] virtual bool poll_limit_hit() const = 0;
    virtual void clear_poll_limit_hit() = 0;

    /// Longest poll of this CPU; 0 while nobody has chosen one.
    [[nodiscard]] virtual Nanoseconds poll_limit() const = 0;
    virtual void set_poll_limit(Nanoseconds limit) = 0;

    /// What no kernel knows: how long the CPU will be left alone, a tick not counted as a wake.
    [[nodiscard]] virtual std::optional<Duration> true_idle_duration() const {
        return std::nullopt;
    }

    /// Energy in joules of spending the coming idle period in the state, if a physical model can
    /// tell.
    [[nodiscard]] virtual std::optional<double> idle_energy(int /*state*/) const {
        return std::nullopt;
    }
};

/// What select() answers.
struct IdleDecision {
    int state = 0;
    /// The governor's flag as it leaves it. It changes nothing when the tick is stopped already.
    bool stop_tick = true;
    /// menu: predicted idle time when its search through the states begins. -1: there was none.
    Nanoseconds predicted = -1;
};

/// Chooses an idle state before each idle period of one CPU; one object per CPU.
///
/// Order of calls (drivers/cpuidle/{cpuidle,governor}.c, kernel/sched/idle.c, 6.3): enable() once;
/// then for each round select(), and reflect() with the state that was entered unless the entry was
/// given up because of a wake-up in between. Nobody checks a decision against the latency limit or
/// the disable flags afterwards: the state is entered.
class Governor {
public:
    static constexpr std::string_view kKindKey = "governor";

    Governor() = default;
    Governor(const Governor&) = delete;
    Governor(Governor&&) = delete;
    Governor& operator=(const Governor&) = delete;
    Governor& operator=(Governor&&) = delete;
    virtual ~Governor() = default;

    /// It asks for true_idle_duration(): somebody has to find out before.
    [[nodiscard]] virtual bool needs_foresight() const { return false; }

    /// Forgets everything and starts with this table. Throws GovernorError.
    virtual void enable(const std::vector<IdleState>& states, GovernorEnvironment& environment) = 0;

    /// With an explanation (it may be null), also says what it knew, what it predicted and why each
    /// state was or was not chosen; the decision is the same.
    [[nodiscard]] virtual IdleDecision select(GovernorEnvironment& environment,
                                              Explanation* explanation) = 0;

    virtual void reflect(int state, GovernorEnvironment& environment) = 0;
};

}  // namespace idlesim
