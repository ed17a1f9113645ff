// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/calibration.hpp"

#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/data_files.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;
using config::Diagnostics;

constexpr const char* kPlatformFolder = "configs/platforms";
constexpr std::string_view kPlatformPrefix = "platform.";
constexpr int kSignificantDigits = 4;

void check_parameter(const CalibrationParameter& parameter,
                     const Calibration& calibration,
                     Diagnostics& diagnostics) {
    const std::vector<QuantityText>& range = parameter.range.value;
    if (range.size() != 2 || range[0].quantity.form != range[1].quantity.form ||
        !(range[0].quantity.value < range[1].quantity.value)) {
        diagnostics.error(parameter.range.location,
                          "range: expected [lowest, highest] of one kind of unit");
    }
    const std::string& path = parameter.path.value;
    if (!path.starts_with(kPlatformPrefix)) {
        diagnostics.error(parameter.path.location,
                          fmt::format("path: must begin with '{}'", kPlatformPrefix));
        return;
    }
    for (const Experiment& experiment : calibration.experiments) {
        if (experiment.arms.empty()) {
            continue;
        }
        const config::Node* node = find_path(experiment.arms.front().tree, path);
        if (node == nullptr || !node->is_scalar()) {
            diagnostics.error(parameter.path.location,
                              fmt::format("path: the platform has no value {}", path));
        }
        return;
    }
}

std::vector<config::Node> overlays_of(const CalibrationSettings& settings, const Reading* reading) {
    std::vector<config::Node> overlays;
    if (settings.overlay.node.is_map()) {
        overlays.push_back(settings.overlay.node);
    }
    if (reading != nullptr) {
        overlays.push_back(reading->set.node);
    }
    return overlays;
}

void load_experiments(Calibration& calibration,
                      LoadOptions options,
                      const Reading* reading,
                      Diagnostics& diagnostics) {
    if (!options.replications) {
        options.replications = calibration.settings.replications;
    }
    if (!options.seed) {
        options.seed = calibration.settings.seed;
    }
    options.overlays = overlays_of(calibration.settings, reading);
    for (const config::Located<std::string>& name : calibration.settings.experiments) {
        const auto found = find_data_file(name.value, calibration.path, "experiments");
        if (!found) {
            diagnostics.error(
                name.location,
                fmt::format("there is no experiment '{}'{}",
                            name.value,
                            config::suggestion_text(
                                name.value, "experiments", data_file_names("experiments"))));
            continue;
        }
        calibration.experiments.push_back(
            load_experiment(displayed(found->path), options, diagnostics));
    }
}

void check_calibration(Calibration& calibration, Diagnostics& diagnostics) {
    const CalibrationSettings& settings = calibration.settings;
    if (const auto found =
            find_data_file(settings.platform.value, calibration.path, kPlatformFolder)) {
        calibration.platform_path = displayed(found->path);
    } else {
        diagnostics.error(settings.platform.location,
                          fmt::format("there is no platform '{}'{}",
                                      settings.platform.value,
                                      config::suggestion_text(settings.platform.value,
                                                              "platforms",
                                                              data_file_names(kPlatformFolder))));
    }
    std::set<std::string> paths;
    for (const CalibrationParameter& parameter : settings.parameters) {
        check_parameter(parameter, calibration, diagnostics);
        if (!paths.insert(parameter.path.value).second) {
            diagnostics.error(parameter.path.location, "path: the same value is fitted twice");
        }
    }
    const std::size_t targets = calibration.fit_targets().size();
    if (!diagnostics.has_errors() && settings.parameters.size() > targets) {
        diagnostics.error(settings.parameters[targets].location,
                          fmt::format("{} parameters cannot be fitted to {} targets with use: fit",
                                      settings.parameters.size(),
                                      targets));
    }
}

bool is_absolute_fit(const Experiment& experiment, const Target& like, const std::string& arm) {
    const std::vector<Target>& all = experiment.settings.targets;
    return std::any_of(all.begin(), all.end(), [&](const Target& target) {
        return target.use == Use::fit && !target.is_relative() && target.arm.value == arm &&
               target.metric.value == like.metric.value && target.stat.value == like.stat.value;
    });
}

// The ratio of two numbers that are fitted anyway is no third one.
bool follows_from_others(const Experiment& experiment, const Target& target) {
    return target.is_relative() && is_absolute_fit(experiment, target, target.arm.value) &&
           is_absolute_fit(experiment, target, target.relative_to.value);
}

std::vector<TargetRef> targets_where(const std::vector<Experiment>& experiments, bool fit) {
    std::vector<TargetRef> refs;
    for (const Experiment& experiment : experiments) {
        for (const Target& target : experiment.settings.targets) {
            if ((target.use == Use::fit) == fit &&
                !(fit && follows_from_others(experiment, target))) {
                refs.push_back({&experiment, &target});
            }
        }
    }
    return refs;
}

}  // namespace

FitParameter CalibrationParameter::bounds() const {
    const double low = range.value.front().quantity.value;
    const double high = range.value.back().quantity.value;
    return {low, high, initial ? initial->quantity.value : (low + high) / 2};
}

Override CalibrationParameter::at(double value) const {
    return {path.value,
            write_quantity({range.value.front().quantity.form, value}, kSignificantDigits)};
}

std::vector<TargetRef> Calibration::fit_targets() const {
    return targets_where(experiments, true);
}

std::vector<TargetRef> Calibration::other_targets() const {
    return targets_where(experiments, false);
}

std::vector<FitParameter> Calibration::bounds() const {
    std::vector<FitParameter> all;
    for (const CalibrationParameter& parameter : settings.parameters) {
        all.push_back(parameter.bounds());
    }
    return all;
}

std::vector<Override> Calibration::at(const std::vector<double>& values) const {
    std::vector<Override> overrides;
    for (std::size_t i = 0; i < values.size(); ++i) {
        overrides.push_back(settings.parameters[i].at(values[i]));
    }
    return overrides;
}

std::vector<double> Calibration::current_values() const {
    std::vector<double> values;
    for (const CalibrationParameter& parameter : settings.parameters) {
        const config::Node* node =
            find_path(experiments.front().arms.front().tree, parameter.path.value);
        const auto parsed = parse_quantity(node->text());
        const auto* quantity = std::get_if<Quantity>(&parsed);
        const FitParameter bounds = parameter.bounds();
        values.push_back(std::clamp(
            quantity == nullptr ? bounds.initial : quantity->value, bounds.low, bounds.high));
    }
    return values;
}

Calibration load_calibration(const fs::path& path,
                             const LoadOptions& options,
                             Diagnostics& diagnostics,
                             const Reading* reading) {
    Calibration calibration;
    calibration.path = path;
    config::Node root = config::load_file(path.string(), diagnostics);
    if (root.is_invalid() ||
        !config::read(root,
                      parameters(static_cast<const CalibrationSettings*>(nullptr)),
                      calibration.settings,
                      diagnostics)) {
        return calibration;
    }
    load_experiments(calibration, options, reading, diagnostics);
    check_calibration(calibration, diagnostics);
    return calibration;
}

Calibration load_calibration(const fs::path& path,
                             const LoadOptions& options,
                             const Reading* reading) {
    Diagnostics diagnostics;
    Calibration calibration = load_calibration(path, options, diagnostics, reading);
    diagnostics.throw_if_errors();
    return calibration;
}

std::vector<double> residuals(const std::vector<TargetRef>& targets,
                              const std::vector<double>& simulated) {
    std::vector<double> result;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const Interval documented = targets[i].target->documented_range();
        const double nearest = std::clamp(simulated[i], documented.low, documented.high);
        const double tolerance = stated_tolerance(*targets[i].target);
        result.push_back((simulated[i] - nearest) / (tolerance > 0 ? tolerance : 1));
    }
    return result;
}

CalibrationFit fit_calibration(const Calibration& calibration,
                               int jobs,
                               const std::atomic<bool>* stop) {
    const std::vector<TargetRef> targets = calibration.fit_targets();
    const auto simulated_at = [&](const std::vector<std::vector<double>>& points) {
        std::vector<std::vector<Override>> overrides;
        for (const std::vector<double>& point : points) {
            overrides.push_back(calibration.at(point));
        }
        return simulated_values(targets, overrides, jobs, stop);
    };
    std::vector<double> initial;
    for (const FitParameter& bounds : calibration.bounds()) {
        initial.push_back(bounds.initial);
    }
    for (const TargetRef& ref : targets) {
        // Throws when the search would begin where nothing is possible.
        static_cast<void>(
            scenario_with(ref.experiment->arms[ref.experiment->arm_index(ref.target->arm.value)],
                          calibration.at(initial)));
    }
    // Values are written with four digits: smaller steps than this change nothing.
    FitOptions options;
    options.tolerance = 2e-4;
    const FitResult found = fit(
        calibration.bounds(),
        [&](const std::vector<std::vector<double>>& points) {
            std::vector<std::vector<double>> answers;
            for (const std::vector<double>& simulated : simulated_at(points)) {
                answers.push_back(residuals(targets, simulated));
            }
            return answers;
        },
        options);
    CalibrationFit result;
    for (std::size_t i = 0; i < found.values.size(); ++i) {
        const Override written = calibration.settings.parameters[i].at(found.values[i]);
        result.values.push_back(std::get<Quantity>(parse_quantity(written.text)).value);
    }
    result.simulated = simulated_at({result.values}).front();
    result.residuals = residuals(targets, result.simulated);
    for (const double residual : result.residuals) {
        result.cost += residual * residual / 2;
    }
    result.iterations = found.iterations;
    result.evaluations = found.evaluations;
    result.converged = found.converged;
    return result;
}

std::string fitted_platform(const Calibration& calibration, const std::vector<double>& values) {
    std::ifstream file{calibration.platform_path, std::ios::binary};
    std::ostringstream text;
    text << file.rdbuf();
    Diagnostics diagnostics;
    const config::Node root =
        config::load_text(text.str(), calibration.platform_path.string(), diagnostics);
    diagnostics.throw_if_errors();
    std::vector<config::Replacement> replacements;
    for (const Override& change : calibration.at(values)) {
        const config::Node* node =
            find_path(root, std::string_view{change.path}.substr(kPlatformPrefix.size()));
        if (node == nullptr || !node->is_scalar()) {
            throw config::ConfigError{fmt::format("{}: has no value {} to write the fit to\n",
                                                  calibration.platform_path.string(),
                                                  change.path)};
        }
        replacements.push_back({node->location(), change.text});
    }
    return config::replace_scalars(text.str(), std::move(replacements));
}

}  // namespace idlesim
