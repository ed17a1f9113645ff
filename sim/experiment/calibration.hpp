// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/analysis/fit.hpp"
#include "sim/experiment/evaluate.hpp"
#include "sim/experiment/quantity_text.hpp"

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// A quantity as a calibration file spells it.
struct QuantityText {
    Quantity quantity;
    std::string text;
};

/// A value of the platform that a calibration may change.
struct CalibrationParameter {
    config::Located<std::string> path;
    config::Located<std::vector<QuantityText>> range;
    std::optional<QuantityText> initial;  ///< else the middle of the range
    config::Location location;

    [[nodiscard]] FitParameter bounds() const;
    [[nodiscard]] Override at(double value) const;
};

const config::Fields<CalibrationParameter>& parameters(const CalibrationParameter*);

/// One way to read what the publications leave open, laid over the experiments.
struct Reading {
    std::string description;
    RawTree set;
    config::Location location;
};

const config::Fields<Reading>& parameters(const Reading*);

struct CalibrationSettings {
    std::string title;
    std::string description;
    config::Located<std::string> platform;
    std::vector<config::Located<std::string>> experiments;
    std::vector<CalibrationParameter> parameters;
    config::OrderedMap<Reading> readings;
    std::optional<int> replications;  ///< instead of the experiments' own
    std::optional<std::uint64_t> seed;
    RawTree overlay;
};

const config::Fields<CalibrationSettings>& parameters(const CalibrationSettings*);

/// A calibration, its experiments read and checked.
struct Calibration {
    std::filesystem::path path;
    std::filesystem::path platform_path;
    CalibrationSettings settings;
    std::vector<Experiment> experiments;

    /// Targets with `use: fit`, without ratios of two of them, and the ones with another use that
    /// have a number.
    [[nodiscard]] std::vector<TargetRef> fit_targets() const;
    [[nodiscard]] std::vector<TargetRef> other_targets() const;
    [[nodiscard]] std::vector<FitParameter> bounds() const;
    [[nodiscard]] std::vector<Override> at(const std::vector<double>& values) const;
    /// What the platform file says now.
    [[nodiscard]] std::vector<double> current_values() const;
};

/// Reads the calibration and its experiments; refuses more parameters than fit targets. `reading`
/// is laid over the experiments.
[[nodiscard]] Calibration load_calibration(const std::filesystem::path& path,
                                           const LoadOptions& options,
                                           config::Diagnostics& diagnostics,
                                           const Reading* reading = nullptr);
[[nodiscard]] Calibration load_calibration(const std::filesystem::path& path,
                                           const LoadOptions& options,
                                           const Reading* reading = nullptr);

/// (simulated - documented) / tolerance of each target, zero inside a documented range.
[[nodiscard]] std::vector<double> residuals(const std::vector<TargetRef>& targets,
                                            const std::vector<double>& simulated);

struct CalibrationFit {
    std::vector<double> values;     ///< rounded as they are written
    std::vector<double> residuals;  ///< of the fit targets there
    std::vector<double> simulated;  ///< values of the fit targets there
    double cost = 0;
    int iterations = 0;
    int evaluations = 0;
    bool converged = false;
};

/// Least squares over the fit targets. Common random numbers, so it is deterministic.
[[nodiscard]] CalibrationFit fit_calibration(const Calibration& calibration,
                                             int jobs,
                                             const std::atomic<bool>* stop);

/// The platform file with the fitted values in place of the old ones, comments kept.
[[nodiscard]] std::string fitted_platform(const Calibration& calibration,
                                          const std::vector<double>& values);

}  // namespace idlesim

namespace idlesim::config {

template <>
struct Converter<QuantityText> {
    static bool read(const Node& node, QuantityText& out, Diagnostics& diagnostics);

    static std::string write(const QuantityText& value) { return value.text; }

    static std::string type_name() { return "duration, percentage or number"; }
};

}  // namespace idlesim::config
