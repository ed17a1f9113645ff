// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cstate/cstate_hardware.hpp"
#include "models/governor/governor.hpp"
#include "models/idle_table/idle_table.hpp"
#include "models/kernel/foresight.hpp"
#include "models/kernel/registered_state.hpp"
#include "models/kernel/tick.hpp"
#include "models/kernel/timers.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace idlesim {

/// Counters of one state, as the sysfs files of the same names
/// (Documentation/ABI/testing/sysfs-devices-system-cpu).
struct StateUsage {
    std::uint64_t usage = 0;
    Duration time{};
    std::uint64_t above = 0;
    std::uint64_t below = 0;
    std::uint64_t rejected = 0;
    /// Time in entries that were counted in `above` and in `below`.
    Duration above_time{};
    Duration below_time{};
};

/// One entry that is over, for whoever looks (a trace, the explanation of a decision).
struct EnteredState {
    int state = 0;
    Duration residency{};  ///< time_end - time_start of cpuidle_enter_state()
    int miss = 0;          ///< -1 above: too deep; +1 below: too shallow; 0 neither
};

/// struct cpuidle_device with its governor: one CPU's view of idleness. Answers what the governor
/// asks and keeps the books of cpuidle_enter_state() (drivers/cpuidle/cpuidle.c, 6.3), in whole
/// nanoseconds.
class CpuidleDevice final : public GovernorEnvironment {
public:
    /// All must outlive the device. `limit` is cpuidle_governor_latency_req().
    CpuidleDevice(const std::vector<RegisteredState>& states,
                  std::unique_ptr<Governor> governor,
                  LogicalCpu& cpu,
                  Tick& tick,
                  const CpuTimers& timers,
                  Nanoseconds latency_limit);

    /// Called once, before the first selection.
    void enable();

    /// Asks the governor, or takes the only state where `ask` is false.
    void select(bool ask, Explanation* explanation = nullptr);

    [[nodiscard]] int selected() const { return decision_.state; }

    [[nodiscard]] const IdleDecision& decision() const { return decision_; }

    [[nodiscard]] const IdleTable& table() const { return table_; }

    /// Has the entry that is over polled until its limit?
    [[nodiscard]] bool poll_ended_at_limit() const {
        return table_.polls(decision_.state) && cpu_.poll_limit_hit();
    }

    /// Has the selection walked the timer wheel?
    [[nodiscard]] bool asked_sleep_length() const { return asked_sleep_length_; }

    /// Takes the deepest enabled state whose exit latency is at most `limit`, without asking the
    /// governor: cpuidle_find_deepest_state() (drivers/cpuidle/cpuidle.c, 6.3). In suspend-to-idle
    /// only states that have an entry for it count.
    void select_deepest(Nanoseconds limit, bool for_suspend);

    /// Takes this state, whatever the governor thinks.
    void select_state(int state);

    /// Lets the governor know what is to come. Both must outlive the device; `hardware` may be
    /// null. `others_work`: some CPU of the run never sleeps.
    void give_foresight(const WakeLog& log, const CStateHardware* hardware, bool others_work);

    /// The entry that is over was ended at `at` by something else than the tick.
    void woken(Time at) {
        if (foresight_) {
            foresight_->woken(at);
        }
    }

    /// NEED_RESCHED was found before the entry.
    void reject();

    void enter(Time now) { entered_at_ = now; }

    /// time_end is taken.
    void leave(Time now) { left_at_ = now; }

    /// Statistics of the entry between enter() and leave().
    EnteredState account();

    /// Does nothing where the governor was not asked.
    void reflect() {
        if (governor_asked_) {
            governor_->reflect(decision_.state, *this);
        }
    }

    [[nodiscard]] bool governor_needs_foresight() const { return governor_->needs_foresight(); }

    /// The idle loop was entered, or an interrupt from idle is over.
    void note_idle_entry(Time now) { idle_entry_ = now; }

    [[nodiscard]] const std::vector<StateUsage>& usage() const { return usage_; }

    // GovernorEnvironment.
    [[nodiscard]] Nanoseconds tick() const override;
    [[nodiscard]] Nanoseconds now() const override;

    [[nodiscard]] Nanoseconds latency_limit() const override { return latency_limit_; }

    [[nodiscard]] StateMask disabled_states() const override { return disabled_; }

    [[nodiscard]] bool tick_stopped() const override { return !tick_.is_running(); }

    [[nodiscard]] Nanoseconds last_residency() const override { return last_residency_; }

    [[nodiscard]] SleepLength query_sleep_length() override {
        asked_sleep_length_ = true;
        return sleep_length();
    }

    /// What query_sleep_length() answers, for somebody who is not the governor.
    [[nodiscard]] SleepLength sleep_length() const;

    [[nodiscard]] bool take_tick_wakeup() override { return tick_.take_hit(); }

    [[nodiscard]] bool poll_limit_hit() const override { return cpu_.poll_limit_hit(); }

    void clear_poll_limit_hit() override { cpu_.clear_poll_limit_hit(); }

    [[nodiscard]] Nanoseconds poll_limit() const override { return poll_limit_; }

    void set_poll_limit(Nanoseconds limit) override { poll_limit_ = limit; }

    [[nodiscard]] std::optional<Duration> true_idle_duration() const override;
    [[nodiscard]] std::optional<double> idle_energy(int state) const override;

private:
    [[nodiscard]] bool has_shallower_enabled(int state) const;
    [[nodiscard]] int next_deeper_enabled(int state) const;
    void prepare_poll();

    const std::vector<RegisteredState>& states_;
    IdleTable table_;
    std::unique_ptr<Governor> governor_;
    LogicalCpu& cpu_;
    Tick& tick_;
    const CpuTimers& timers_;
    Nanoseconds latency_limit_;
    StateMask disabled_ = 0;
    IdleDecision decision_;
    bool asked_sleep_length_ = false;
    bool governor_asked_ = true;
    bool suspended_ = false;  ///< the last selection was one of suspend-to-idle
    std::optional<Foresight> foresight_;
    const CStateHardware* hardware_ = nullptr;
    bool others_work_ = false;
    Time idle_entry_{};
    Time entered_at_{};
    Time left_at_{};
    Nanoseconds last_residency_ = 0;
    Nanoseconds poll_limit_ = 0;
    std::vector<StateUsage> usage_;
};

}  // namespace idlesim
