// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/platform.hpp"
#include "sim/engine/time.hpp"

#include <vector>

namespace idlesim {

/// What a core draws, in watts.
struct CorePower {
    double fixed = 0;        ///< whatever its clock is
    double clocked = 0;      ///< at the nominal clock; follows f V^2
    bool is_awake = false;   ///< outside the deepest state
    bool is_active = false;  ///< in C0, C1 or C1E: counts for the turbo table
};

/// Told about each change of what a core draws at the nominal clock.
class PowerListener {
public:
    virtual ~PowerListener() = default;
    virtual void on_core_power(int core,
                               const CorePower& before,
                               const CorePower& after,
                               Time now) = 0;
};

/// Energy of a machine as the integral of its power, which is constant between two reports.
class PowerMeter {
public:
    /// `platform` must outlive it and have a power section. `deepest_watts` is the power of a core
    /// that sleeps as deep as it can.
    PowerMeter(const PowerSpec& spec, int cores, double deepest_watts);

    /// At most one; must outlive the meter's use.
    void set_listener(PowerListener* listener) { listener_ = listener; }

    void core_changes(int core, const CorePower& power, Time now);

    /// The clock of a core changes now: its clocked power is `factor` times the nominal one.
    void clock_changes(int core, double factor, Time now);

    /// What the machine would save now if this core, the only one that is, were not awake.
    [[nodiscard]] double awake_watts(int core) const;

    /// Is a core besides this one outside the deepest state?
    [[nodiscard]] bool others_awake(int core) const {
        return awake_cores_ > (cores_[static_cast<std::size_t>(core)].power.is_awake ? 1 : 0);
    }

    /// So much energy at once: a transition.
    void add(double joules) { joules_ += joules; }

    /// Joules from the start of the run to `now`.
    [[nodiscard]] double energy(Time now) const;

private:
    struct Core {
        CorePower power;
        double clock_factor = 1.0;

        [[nodiscard]] double watts() const { return power.fixed + power.clocked * clock_factor; }
    };

    void close(Time now);
    void replace(Core& core, const Core& by);
    [[nodiscard]] double power() const;

    const PowerSpec& spec_;
    std::vector<Core> cores_;
    PowerListener* listener_ = nullptr;
    double core_watts_ = 0;
    int awake_cores_ = 0;
    double joules_ = 0;
    Time since_{};
};

}  // namespace idlesim
