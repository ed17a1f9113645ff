// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cstate/power_meter.hpp"
#include "models/platform/platform.hpp"
#include "sim/engine/event.hpp"
#include "sim/engine/simulation.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace idlesim {

class LogicalCpu;

/// The power control unit of every package. At each look it takes the mean power of its package
/// since the look before, and the most cores that were active at a time, and gives all of its cores
/// the highest clock that the turbo table and the limit allow: cores in deep sleep leave headroom,
/// cores that spin take it. A package in which nothing changes is not looked at. (Intel SDM volume
/// 3B, 15.3.2 and 15.10.3; a hard limit within the interval, as the turbo table is in hardware, and
/// the long window of a running average limit are not modelled.)
class PowerControl final : public PowerListener {
public:
    /// All must outlive it; `platform` has a power budget, and `deepest_watts` is what a core that
    /// takes no part draws. Becomes the listener of `meter`.
    PowerControl(const PlatformSpec& platform,
                 Simulation& simulation,
                 PowerMeter& meter,
                 const std::vector<LogicalCpu*>& cpus,
                 double deepest_watts);
    PowerControl(const PowerControl&) = delete;
    PowerControl(PowerControl&&) = delete;
    PowerControl& operator=(const PowerControl&) = delete;
    PowerControl& operator=(PowerControl&&) = delete;
    ~PowerControl() override;

    void on_core_power(int core,
                       const CorePower& before,
                       const CorePower& after,
                       Time now) override;

    /// In Hz.
    [[nodiscard]] double clock(int package) const;

    /// Mean clock of the CPUs while they were in C0, in Hz (turbostat's Bzy_MHz); nullopt where
    /// none was.
    [[nodiscard]] std::optional<double> busy_clock() const;

private:
    struct Package;

    static void look(void* package);
    void look_at(Package& package);
    void begin_interval(Package& package, Time now);
    void account(Package& package, Time now) const;
    [[nodiscard]] double allowed_clock(const Package& package) const;
    [[nodiscard]] double clocked_factor(double clock) const;
    void set_clock(Package& package, double clock);

    const PowerBudget& budget_;
    Simulation& simulation_;
    PowerMeter& meter_;
    double nominal_;
    std::deque<Package> packages_;
};

}  // namespace idlesim
