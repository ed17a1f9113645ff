// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/idle_table/idle_table.hpp"
#include "sim/experiment/replay.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace idlesim {

/// An idle period of one CPU, as the world saw it.
struct ReplayPeriod {
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    std::optional<Nanoseconds> next_timer;
    Nanoseconds tick_phase = 0;  ///< ticks are due at this and whole lengths of a tick later
    bool stayed = false;         ///< in the idle loop since the period before
};

/// Whether an entry that lasted so long was too deep or too shallow
/// (drivers/cpuidle/cpuidle.c, cpuidle_enter_state(), 6.3).
enum class DepthVerdict : std::uint8_t { right, too_deep, too_shallow };

[[nodiscard]] DepthVerdict verdict_on(const IdleTable& table,
                                      StateMask disabled,
                                      int state,
                                      Nanoseconds duration);

/// Counts an entry that lasted so long by its verdict.
void judge(DepthVerdict verdict, Nanoseconds duration, ReplayCount& count);

/// One governor on one CPU.
class ReplayLane final : public GovernorEnvironment {
public:
    ReplayLane(const ReplaySettings& settings, const Choice<Governor>& governor);

    /// Decides the period, as often as the tick and the poll limit make it, and counts what came
    /// of it. Periods come in order of time.
    void run(const ReplayPeriod& period, std::vector<ReplayCount>& counts);

    [[nodiscard]] Nanoseconds tick() const override { return tick_; }

    [[nodiscard]] Nanoseconds now() const override { return now_; }

    [[nodiscard]] Nanoseconds latency_limit() const override { return latency_limit_; }

    [[nodiscard]] StateMask disabled_states() const override { return disabled_; }

    [[nodiscard]] bool tick_stopped() const override { return tick_stopped_; }

    [[nodiscard]] Nanoseconds last_residency() const override { return last_residency_; }

    [[nodiscard]] SleepLength query_sleep_length() override { return sleep_; }

    [[nodiscard]] bool take_tick_wakeup() override;

    [[nodiscard]] bool poll_limit_hit() const override { return poll_limit_hit_; }

    void clear_poll_limit_hit() override { poll_limit_hit_ = false; }

    [[nodiscard]] Nanoseconds poll_limit() const override { return poll_limit_; }

    void set_poll_limit(Nanoseconds limit) override { poll_limit_ = limit; }

    [[nodiscard]] std::optional<Duration> true_idle_duration() const override;
    [[nodiscard]] std::optional<double> idle_energy(int state) const override;

private:
    [[nodiscard]] Nanoseconds until_tick() const;
    void look_ahead(const ReplayPeriod& period);
    [[nodiscard]] Nanoseconds poll_length();

    IdleTable table_;
    std::vector<StateEnergy> energy_;
    StateMask disabled_ = 0;
    Nanoseconds tick_;
    Nanoseconds latency_limit_;
    std::unique_ptr<Governor> governor_;
    SleepLength sleep_;
    Nanoseconds now_ = 0;
    Nanoseconds tick_phase_ = 0;
    Nanoseconds end_ = 0;
    Nanoseconds last_residency_ = 0;
    Nanoseconds poll_limit_ = 0;
    bool tick_stopped_ = false;
    bool tick_wakeup_ = false;
    bool poll_limit_hit_ = false;
};

}  // namespace idlesim
