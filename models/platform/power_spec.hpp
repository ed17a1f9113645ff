// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/cost.hpp"
#include "sim/config/field.hpp"
#include "sim/config/quantity.hpp"
#include "sim/engine/clock_domain.hpp"

#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// Power of a platform file and how it is known.
struct Watts {
    config::Power value{};
    Basis basis = Basis::assumed;
    std::string source;
    std::string calibration;
    std::optional<std::vector<config::Power>> range;
    config::Location location;
};

const config::Fields<Watts>& parameters(const Watts*);

/// Energy of a platform file and how it is known.
struct Joules {
    config::Energy value{};
    Basis basis = Basis::assumed;
    std::string source;
    std::string calibration;
    std::optional<std::vector<config::Energy>> range;
    config::Location location;
};

const config::Fields<Joules>& parameters(const Joules*);

/// Up to so many active cores of a package may run this fast. A core is active in C0, C1 and C1E.
struct TurboLimit {
    int active_cores = 1;
    Frequency clock{2'000'000'000, 1};
    Basis basis = Basis::assumed;
    std::string source;
    config::Location location;
};

const config::Fields<TurboLimit>& parameters(const TurboLimit*);

/// How a package shares its power among its cores: all that are awake run at one clock, the highest
/// that the turbo table and the limit allow. (Intel SDM volume 3B, 15.3.2 and 15.10: opportunistic
/// processor performance and running average power limits; MSR 1ADH, MSR_TURBO_RATIO_LIMIT.)
struct PowerBudget {
    /// Of each package; absent: only the table limits.
    std::optional<Watts> package_limit;
    /// What counts against the limit beside the cores: caches, memory controllers, links.
    Watts uncore;
    /// From few active cores to many. Beyond the last row the last row counts.
    std::vector<TurboLimit> turbo;
    /// Relative rise of the voltage per relative rise of the clock: a core draws f V^2.
    Factor voltage_slope;
    Frequency step{100'000'000, 1};
    Frequency lowest{800'000'000, 1};
    /// Between two looks of the power control unit; it reckons with the mean power since the last.
    Amount interval;
    /// The core stands still while its clock changes.
    Amount stall;
    config::Location location;
};

const config::Fields<PowerBudget>& parameters(const PowerBudget*);

/// Package and core power outside idle states.
struct PowerSpec {
    /// Everything that is always on: all of it where all packages are in their deepest state.
    Watts base;
    /// More while any core of the machine is outside the deepest state.
    Watts awake;
    Watts core_running;
    Watts core_polling;
    /// More for each further thread of a core that runs or polls.
    Watts second_thread;
    /// Absent: the clock is core_clock whatever the package draws.
    std::optional<PowerBudget> budget;
    config::Location location;
};

const config::Fields<PowerSpec>& parameters(const PowerSpec*);

}  // namespace idlesim
