// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/governor/governor.hpp"
#include "models/idle_table/idle_table.hpp"
#include "models/kernel/registered_state.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace idlesim {

class LogicalCpu;

/// The states that the host's kernel idles in, with its own table and its own way into each.
[[nodiscard]] std::vector<RegisteredState> host_states(const PlatformSpec& platform);

/// cpuidle of one host CPU below a virtual CPU. Its tick is stopped whenever it sleeps; the timer
/// that it knows is the one that it emulates for the guest.
class HostIdle final : public GovernorEnvironment {
public:
    /// All must outlive it.
    HostIdle(const HostIdleSpec& spec, const std::vector<RegisteredState>& states, LogicalCpu& cpu);

    void set_timers(std::function<std::optional<Time>()> next) { next_timer_ = std::move(next); }

    /// Chooses the state that is entered now.
    void select();

    [[nodiscard]] int selected() const { return selected_; }

    /// The entry is over.
    void leave();

    // GovernorEnvironment.
    [[nodiscard]] Nanoseconds tick() const override { return tick_; }

    [[nodiscard]] Nanoseconds now() const override;

    [[nodiscard]] Nanoseconds latency_limit() const override;

    [[nodiscard]] StateMask disabled_states() const override { return disabled_; }

    [[nodiscard]] bool tick_stopped() const override { return false; }

    [[nodiscard]] Nanoseconds last_residency() const override { return last_residency_; }

    [[nodiscard]] SleepLength query_sleep_length() override;

    [[nodiscard]] bool take_tick_wakeup() override { return false; }

    [[nodiscard]] bool poll_limit_hit() const override;
    void clear_poll_limit_hit() override;

    [[nodiscard]] Nanoseconds poll_limit() const override { return poll_limit_; }

    void set_poll_limit(Nanoseconds limit) override { poll_limit_ = limit; }

private:
    LogicalCpu& cpu_;
    IdleTable table_;
    std::unique_ptr<Governor> governor_;  ///< nullptr where there is nothing to choose
    std::function<std::optional<Time>()> next_timer_;
    Nanoseconds tick_;
    StateMask disabled_ = 0;
    int selected_ = 0;
    Time entered_at_{};
    Nanoseconds last_residency_ = 0;
    Nanoseconds poll_limit_ = 0;
};

}  // namespace idlesim
