// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/platform.hpp"
#include "sim/engine/time.hpp"

#include <vector>

namespace idlesim {

/// Energy of a machine as the integral of its power, which is constant between two reports.
class PowerMeter {
public:
    /// `platform` must outlive it and have a power section. `deepest_watts` is the power of a core
    /// that sleeps as deep as it can.
    PowerMeter(const PowerSpec& spec, int cores, double deepest_watts);

    /// The power of a core changes now; `is_awake`: it is outside the deepest state.
    void core_changes(int core, double watts, bool is_awake, Time now);

    /// What the machine would save now if this core, the only one that is, were not awake.
    [[nodiscard]] double awake_watts(int core) const;

    /// Is a core besides this one outside the deepest state?
    [[nodiscard]] bool others_awake(int core) const {
        return awake_cores_ > (cores_[static_cast<std::size_t>(core)].is_awake ? 1 : 0);
    }

    /// So much energy at once: a transition.
    void add(double joules) { joules_ += joules; }

    /// Joules from the start of the run to `now`.
    [[nodiscard]] double energy(Time now) const;

private:
    void close(Time now);
    [[nodiscard]] double power() const;

    const PowerSpec& spec_;

    struct Core {
        double watts = 0;
        bool is_awake = false;
    };

    std::vector<Core> cores_;
    double core_watts_ = 0;
    int awake_cores_ = 0;
    double joules_ = 0;
    Time since_{};
};

}  // namespace idlesim
