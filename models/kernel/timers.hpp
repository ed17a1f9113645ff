// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/logical_cpu.hpp"
#include "sim/engine/event.hpp"
#include "sim/engine/simulation.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace idlesim {

struct Task;

/// A high-resolution timer of one CPU: expires at its instant, by an interrupt of its own.
struct HrTimer {
    /// Woken when it expires, or nullptr.
    Task* wakes = nullptr;
    /// Called when it expires, after `wakes`; may be empty.
    Effect on_expiry;
    /// The measured event that begins at the expiry time, or nullptr.
    Attribution* path = nullptr;
    Time expires{};
    bool is_armed = false;
};

/// A timer of the wheel: runs in the softirq of the first tick at or after its time, and asks for
/// no interrupt of its own. Whoever arms one while the tick is stopped relies on the idle loop to
/// look again before it sleeps (kernel/time/timer.c, 6.3).
struct WheelTimer {
    Effect on_expiry;
    Time expires{};
    bool is_armed = false;
};

/// Timers of one CPU and the clock event that the earliest hrtimer programs
/// (kernel/time/{hrtimer,timer}.c, 6.3). The tick has an event of its own, see Tick.
class CpuTimers {
public:
    explicit CpuTimers(LogicalCpu& cpu);

    /// True when the clock event has to be programmed anew.
    bool start(HrTimer& timer, Time expires);
    void cancel(HrTimer& timer);

    void add(WheelTimer& timer, Time expires);

    /// The earliest, if any is armed.
    [[nodiscard]] std::optional<Time> next_hrtimer() const;
    [[nodiscard]] std::optional<Time> next_wheel_timer() const;

    /// Takes the earliest expired one off, or nullptr.
    HrTimer* take_expired(Time now);
    WheelTimer* take_expired_wheel_timer(Time now);

    /// The interrupt has been served: programs what is next.
    void reprogram();

private:
    void fire();

    LogicalCpu& cpu_;
    Event event_;
    std::vector<HrTimer*> hrtimers_;  // few: searched
    std::vector<WheelTimer*> wheel_;
};

}  // namespace idlesim
