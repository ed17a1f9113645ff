// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/tick.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace idlesim {

Tick::Tick(LogicalCpu& cpu, Duration period, Duration phase)
    : cpu_{cpu},
      period_{period},
      phase_{phase},
      event_{cpu.simulation(),
             fmt::format("cpu{}.tick", cpu.number()),
             Phase::interrupt,
             bind<&Tick::fire>(this)} {}

void Tick::arm() {
    const Duration now = cpu_.now() - Time{};
    // The first tick after now that lies on the grid.
    const std::int64_t passed = now < phase_ ? 0 : (now - phase_) / period_ + 1;
    cpu_.simulation().schedule(event_, Time{} + phase_ + period_ * passed);
}

void Tick::fire() {
    cpu_.raise(kLocalTimerVector);
    if (running_) {
        arm();
    }
}

void Tick::stop(std::optional<Time> wheel_timer) {
    running_ = false;
    if (wheel_timer) {
        cpu_.simulation().schedule(event_, std::max(*wheel_timer, cpu_.now()));
    } else {
        cpu_.simulation().cancel(event_);
    }
}

std::optional<Time> Tick::next() const {
    return event_.is_scheduled() ? std::optional{event_.time()} : std::nullopt;
}

Time Tick::round_up(Time time) const {
    const Duration after = time - Time{} - phase_;
    if (after <= Duration::zero()) {
        return Time{} + phase_;
    }
    return Time{} + phase_ + period_ * ((after + period_ - Duration{1}) / period_);
}

void Tick::restart() {
    running_ = true;
    arm();
}

bool Tick::take_hit() {
    return std::exchange(hit_, false);
}

}  // namespace idlesim
