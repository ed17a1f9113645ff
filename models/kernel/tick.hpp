// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/logical_cpu.hpp"
#include "sim/engine/event.hpp"
#include "sim/engine/simulation.hpp"

#include <algorithm>
#include <optional>

namespace idlesim {

/// The periodic tick of one CPU: raises the local timer's vector every 1/HZ while it is not
/// stopped; a restarted tick keeps its phase (kernel/time/tick-sched.c).
class Tick {
public:
    /// `phase` in [0, period) places the ticks.
    Tick(LogicalCpu& cpu, Duration period, Duration phase);

    [[nodiscard]] bool is_running() const { return running_; }

    /// CONFIG_NO_HZ_IDLE, and not the CPU that has to keep the time under nohz_full.
    [[nodiscard]] bool can_stop() const { return can_stop_; }

    void set_can_stop(bool can_stop) { can_stop_ = can_stop; }

    [[nodiscard]] Duration period() const { return period_; }

    /// How long this CPU may sleep while it keeps the time: timekeeping_max_deferment(); absent:
    /// as long as it likes.
    [[nodiscard]] std::optional<Duration> deferment() const { return deferment_; }

    void set_deferment(std::optional<Duration> deferment) { deferment_ = deferment; }

    /// The time at which a stopped tick has to come once more, given the next timer of the wheel.
    [[nodiscard]] std::optional<Time> wanted(std::optional<Time> wheel_timer) const {
        if (!deferment_) {
            return wheel_timer;
        }
        const Time latest = cpu_.now() + *deferment_;
        return wheel_timer ? std::min(*wheel_timer, latest) : latest;
    }

    /// The next interrupt, if one is programmed.
    [[nodiscard]] std::optional<Time> next() const;

    /// Stops it. With a time, the interrupt comes once more then, for a timer of the wheel.
    void stop(std::optional<Time> wheel_timer = {});
    void restart();

    /// First grid point at or after `time`: when a timer of the wheel is looked at.
    [[nodiscard]] Time round_up(Time time) const;

    /// Did a tick fire since the last call?
    bool take_hit();

    void note_hit() { hit_ = true; }

private:
    void fire();
    void arm();

    LogicalCpu& cpu_;
    Duration period_;
    Duration phase_;
    Event event_;
    bool running_ = false;
    bool hit_ = false;
    bool can_stop_ = true;
    std::optional<Duration> deferment_;
};

}  // namespace idlesim
