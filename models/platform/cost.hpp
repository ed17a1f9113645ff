// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/field.hpp"
#include "sim/engine/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// How a number of a platform file is known. `documented`: read in the source; `derived`:
/// arithmetic on documented numbers, written out in the source; `fitted`: result of the named
/// calibration; `assumed`: nothing is published, the range says how little is known.
enum class Basis { documented, derived, fitted, assumed };

/// A dimensionless number of a platform file (a factor or a probability) and how it is known.
struct Factor {
    config::Ratio value{1.0};
    Basis basis = Basis::assumed;
    std::string source;
    std::string calibration;
    std::optional<std::vector<config::Ratio>> range;
    config::Location location;
};

const config::Fields<Factor>& parameters(const Factor*);

/// A factor that contributes nothing: the default of a probability.
Factor zero_factor();

/// A duration of a platform file that is no step of its own, and how it is known.
struct Amount {
    Duration value{};
    Basis basis = Basis::assumed;
    std::string source;
    std::string calibration;
    std::optional<std::vector<Duration>> range;
    config::Location location;
};

const config::Fields<Amount>& parameters(const Amount*);

/// A class of steps that share how warm they run. A step of the class takes its own value times
/// `factor`; with `cold_probability` it finds its lines outside the near caches and takes
/// `cold_factor` times that on top; with `miss_probability` it waits
/// for memory instead, however long it is, and takes an exponentially distributed time with the
/// mean `miss_extra` on top. A longer path has more steps, so it varies more.
struct StepClass {
    Factor factor;
    Factor cold_probability = zero_factor();
    Factor cold_factor;
    /// The same on a path that is known to be cold (HardwareState::cold_work).
    Factor cold_path_factor = zero_factor();
    Factor miss_probability = zero_factor();
    Amount miss_extra;
    config::Location location;
};

const config::Fields<StepClass>& parameters(const StepClass*);

/// A second, slower mode of a hardware transition: with `probability` it takes `extra` more.
struct SecondMode {
    config::Ratio probability{0.0};
    Duration extra{};
    config::Location location;
};

const config::Fields<SecondMode>& parameters(const SecondMode*);

/// What one step of a program costs on a platform: its warm value, its spread, and where the
/// number comes from. The sum of one draw is (value + cycles / core clock, scaled by its class) +
/// lines x the transfer latency of a cache line from the peer CPU + window + jitter + second mode.
struct Cost {
    Duration value{};
    /// Core clock cycles, the part that a lower clock stretches.
    double cycles = 0;
    /// Width of a uniformly distributed addition, as where a controller polls.
    Duration window{};
    /// Mean of a gamma-distributed addition of shape `jitter_shape`; zero: none.
    Duration jitter{};
    double jitter_shape = 2.0;
    std::optional<SecondMode> second_mode;
    /// Name of a step class; empty: the value is taken as it stands.
    std::string step_class;
    /// Cache lines that the step fetches from the CPU it works with.
    int lines = 0;
    Basis basis = Basis::assumed;
    std::string source;
    std::string calibration;
    /// Where `basis: assumed`: the lowest and highest `value` that the sources allow.
    std::optional<std::vector<Duration>> range;
    /// The same of `cycles`.
    std::optional<std::vector<double>> cycles_range;
    /// The same of `window`.
    std::optional<std::vector<Duration>> window_range;
    config::Location location;
};

const config::Fields<Cost>& parameters(const Cost*);

}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<Basis> {
    static constexpr std::pair<std::string_view, Basis> values[] = {
        {"documented", Basis::documented},
        {"derived", Basis::derived},
        {"fitted", Basis::fitted},
        {"assumed", Basis::assumed}};
};

}  // namespace idlesim::config
