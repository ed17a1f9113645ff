// SPDX-License-Identifier: Apache-2.0
#include "models/cstate/power_meter.hpp"

namespace idlesim {

namespace {

double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

}  // namespace

PowerMeter::PowerMeter(const PowerSpec& spec, int cores, double deepest_watts)
    : spec_{spec},
      cores_(static_cast<std::size_t>(cores), Core{deepest_watts, false}),
      core_watts_{deepest_watts * cores} {}

void PowerMeter::core_changes(int core, double watts, bool is_awake, Time now) {
    close(now);
    Core& changed = cores_[static_cast<std::size_t>(core)];
    core_watts_ += watts - changed.watts;
    awake_cores_ += static_cast<int>(is_awake) - static_cast<int>(changed.is_awake);
    changed = {watts, is_awake};
}

double PowerMeter::awake_watts(int core) const {
    const bool is_only_one = awake_cores_ == 1 && cores_[static_cast<std::size_t>(core)].is_awake;
    return is_only_one ? spec_.awake.value.watts : 0.0;
}

double PowerMeter::energy(Time now) const {
    return joules_ + power() * seconds(now - since_);
}

void PowerMeter::close(Time now) {
    joules_ += power() * seconds(now - since_);
    since_ = now;
}

double PowerMeter::power() const {
    const double awake = awake_cores_ > 0 ? spec_.awake.value.watts : 0.0;
    return spec_.base.value.watts + awake + core_watts_;
}

}  // namespace idlesim
