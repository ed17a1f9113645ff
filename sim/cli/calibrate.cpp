// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/find_input.hpp"
#include "sim/cli/interruption.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/experiment/calibration_report.hpp"
#include "sim/experiment/prior.hpp"
#include "sim/experiment/result_files.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/csv.hpp"

#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// A reading to try, and the same with short runs for its range over the assumed costs.
struct Trial {
    std::string name;
    Calibration calibration;
    std::optional<Calibration> brief;
};

Trial load_trial(const Arguments& arguments,
                 const std::filesystem::path& path,
                 const std::string& name,
                 const Reading* reading) {
    Trial trial{name, load_calibration(path, arguments.load, reading), std::nullopt};
    if (reading != nullptr && !trial.calibration.other_targets().empty()) {
        LoadOptions brief = arguments.load;
        brief.replications = 1;
        brief.brief = true;
        trial.brief = load_calibration(path, brief, reading);
    }
    return trial;
}

std::vector<Interval> ranges_of(const Calibration& brief,
                                const std::vector<double>& fitted,
                                int jobs) {
    const Experiment& first = brief.experiments.front();
    const std::vector<std::vector<Override>> draws =
        prior_draws(first.arms.front().scenario.platform, first.settings.prior.draws);
    const std::vector<TargetRef> targets = brief.other_targets();
    if (draws.front().empty()) {
        return std::vector<Interval>(targets.size());
    }
    return ranges_over(targets,
                       refitted_draws(brief, draws, fitted, jobs, &stop_requested()),
                       jobs,
                       &stop_requested());
}

ReadingResult fit_trial(Trial trial, int jobs) {
    ReadingResult result;
    result.name = trial.name;
    result.calibration = std::move(trial.calibration);
    result.fit = fit_calibration(result.calibration, jobs, &stop_requested());
    const std::vector<TargetRef> others = result.calibration.other_targets();
    result.predictions =
        simulated_values(
            others, {result.calibration.at(result.fit.values)}, jobs, &stop_requested())
            .front();
    if (trial.brief) {
        result.priors = ranges_of(*trial.brief, result.fit.values, jobs);
    }
    return result;
}

// All of them before the first is fitted, so that a mistake in the last is known at once.
std::vector<Trial> load_trials(const Arguments& arguments,
                               const std::filesystem::path& path,
                               const CalibrationSettings& settings) {
    std::vector<Trial> trials;
    for (const auto& entry : settings.readings) {
        trials.push_back(load_trial(arguments, path, entry.key, &entry.value));
    }
    return trials;
}

int calibrate(const Arguments& arguments) {
    if (arguments.words.size() != 1) {
        throw UsageError{
            "calibrate takes one calibration: idlesim calibrate CALIBRATION.yaml --out DIR"};
    }
    const std::filesystem::path path =
        find_input(arguments.words.front(), "experiments/calibrations");
    Trial as_shipped = load_trial(arguments, path, "shipped", nullptr);
    std::vector<Trial> trials = load_trials(arguments, path, as_shipped.calibration.settings);
    std::unique_ptr<ResultDirectory> directory;
    if (!arguments.out.empty()) {
        directory = std::make_unique<ResultDirectory>(arguments.out);
    }
    const ReadingResult shipped = fit_trial(std::move(as_shipped), arguments.jobs);
    std::vector<ReadingResult> readings;
    for (Trial& trial : trials) {
        readings.push_back(fit_trial(std::move(trial), arguments.jobs));
    }
    if (directory) {
        const std::string platform = shipped.calibration.platform_path.stem().string();
        write_file(directory->staging() / (platform + ".yaml"),
                   fitted_platform(shipped.calibration, shipped.fit.values));
        if (!readings.empty()) {
            readings_csv(readings).write(directory->staging() / "readings.csv");
        }
        write_file(directory->staging() / "info.yml",
                   info_text("calibration-" + path.stem().string(), arguments.command, ""));
        directory->commit();
    }
    if (!arguments.quiet) {
        fmt::print("{}{}", fit_text(shipped), readings_text(readings));
    }
    return shipped.fit.converged ? kSuccess : kAnswerIsNo;
}

}  // namespace

Verb calibrate_verb() {
    return {"calibrate",
            "CALIBRATION.yaml",
            "Fits a platform's costs to published numbers: the targets with use: fit of some "
            "experiments.\nWith --out "
            "DIR it writes DIR/PLATFORM.yaml with the fitted values, and DIR/readings.csv.",
            {"set", "seed", "replications", "jobs", "out", "quiet"},
            calibrate};
}

}  // namespace idlesim
