// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/logical_cpu.hpp"
#include "sim/engine/event.hpp"
#include "sim/engine/simulation.hpp"

namespace idlesim {

/// The periodic tick of one CPU: raises the local timer's vector every 1/HZ while it is not
/// stopped; a restarted tick keeps its phase (kernel/time/tick-sched.c).
class Tick {
public:
    /// `phase` in [0, period) places the ticks.
    Tick(LogicalCpu& cpu, Duration period, Duration phase);

    [[nodiscard]] bool is_running() const { return running_; }

    void stop();
    void restart();

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
};

}  // namespace idlesim
