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
      cores_(static_cast<std::size_t>(cores), Core{{deepest_watts, 0, false, false}, 1.0}),
      core_watts_{deepest_watts * cores} {}

void PowerMeter::replace(Core& core, const Core& by) {
    core_watts_ += by.watts() - core.watts();
    awake_cores_ += static_cast<int>(by.power.is_awake) - static_cast<int>(core.power.is_awake);
    core = by;
}

void PowerMeter::core_changes(int core, const CorePower& power, Time now) {
    close(now);
    Core& changed = cores_[static_cast<std::size_t>(core)];
    const CorePower before = changed.power;
    replace(changed, {power, changed.clock_factor});
    if (listener_ != nullptr) {
        listener_->on_core_power(core, before, power, now);
    }
}

void PowerMeter::clock_changes(int core, double factor, Time now) {
    close(now);
    Core& changed = cores_[static_cast<std::size_t>(core)];
    replace(changed, {changed.power, factor});
}

double PowerMeter::awake_watts(int core) const {
    const bool is_only_one =
        awake_cores_ == 1 && cores_[static_cast<std::size_t>(core)].power.is_awake;
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
