// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/calibration_report.hpp"

#include "sim/experiment/text_table.hpp"

#include <cmath>

#include <fmt/format.h>

namespace idlesim {
namespace {

const std::string& latency_or_rate_unit(const Target& target) {
    static const std::string kPercent = "%";
    static const std::string kNone;
    if (target.is_relative()) {
        return kPercent;
    }
    if (target.documented) {
        return target.documented->value.unit;
    }
    return target.range && !target.range->value.empty() ? target.range->value.front().unit : kNone;
}

double root_mean_square(const std::vector<double>& values) {
    double squares = 0;
    for (const double value : values) {
        squares += value * value;
    }
    return values.empty() ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
}

std::string range_text(const ReadingResult& result, std::size_t target) {
    return result.priors.empty() ? ""
                                 : fmt::format("{} to {}",
                                               rounded_text(result.priors[target].low),
                                               rounded_text(result.priors[target].high));
}

void add_csv_row(CsvTable& table,
                 const ReadingResult& result,
                 const TargetRef& ref,
                 double simulated,
                 const Interval& prior) {
    const Target& target = *ref.target;
    table.cell(result.name)
        .cell(ref.experiment->settings.name)
        .cell(target.arm.value)
        .cell(target.metric.value)
        .cell(target.stat.value)
        .cell(target.documented_text())
        .cell(latency_or_rate_unit(target))
        .cell(simulated)
        .cell(prior.low)
        .cell(prior.high)
        .cell(to_text(target.use))
        .cell(root_mean_square(result.fit.residuals))
        .end_row();
}

}  // namespace

std::string fit_text(const ReadingResult& result) {
    const Calibration& calibration = result.calibration;
    TextTable parameters{{"parameter", "lowest", "highest", "fitted"}};
    for (std::size_t i = 0; i < result.fit.values.size(); ++i) {
        const CalibrationParameter& parameter = calibration.settings.parameters[i];
        parameters.add({parameter.path.value,
                        parameter.range.value.front().text,
                        parameter.range.value.back().text,
                        parameter.at(result.fit.values[i]).text});
    }
    TextTable targets{{"fit target",
                       "arm",
                       "metric",
                       "stat",
                       "documented",
                       "simulated",
                       "unit",
                       "error in tolerances"}};
    const std::vector<TargetRef> refs = calibration.fit_targets();
    for (std::size_t i = 0; i < refs.size(); ++i) {
        const Target& target = *refs[i].target;
        targets.add({refs[i].experiment->settings.name,
                     target.arm.value,
                     target.metric.value,
                     target.stat.value,
                     target.documented_text(),
                     rounded_text(result.fit.simulated[i]),
                     latency_or_rate_unit(target),
                     fmt::format("{:+.3f}", result.fit.residuals[i])});
    }
    std::string text = parameters.text() + "\n" + targets.text();
    text += fmt::format("{} parameters, {} targets: {}; {} after {} iterations, {} points\n",
                        result.fit.values.size(),
                        refs.size(),
                        result.fit.values.size() == refs.size()
                            ? "exactly determined, so the fit proves nothing"
                            : fmt::format("root mean square error {:.3f} tolerances",
                                          root_mean_square(result.fit.residuals)),
                        result.fit.converged ? "converged" : "not converged",
                        result.fit.iterations,
                        result.fit.evaluations);
    return text;
}

std::string readings_text(const std::vector<ReadingResult>& results) {
    if (results.empty()) {
        return "";
    }
    TextTable table{{"reading",
                     "fit error",
                     "experiment",
                     "arm",
                     "metric",
                     "stat",
                     "published",
                     "simulated",
                     "range over assumed costs",
                     "unit"}};
    for (const ReadingResult& result : results) {
        const std::vector<TargetRef> refs = result.calibration.other_targets();
        for (std::size_t i = 0; i < refs.size(); ++i) {
            const Target& target = *refs[i].target;
            if (target.use == Use::context) {
                continue;
            }
            table.add({result.name,
                       fmt::format("{:.3f}", root_mean_square(result.fit.residuals)),
                       refs[i].experiment->settings.name,
                       target.arm.value,
                       target.metric.value,
                       target.stat.value,
                       target.documented_text(),
                       rounded_text(result.predictions[i]),
                       range_text(result, i),
                       latency_or_rate_unit(target)});
        }
    }
    return "\n" + table.text();
}

CsvTable readings_csv(const std::vector<ReadingResult>& results) {
    CsvTable table{{"reading",
                    "experiment",
                    "arm",
                    "metric",
                    "stat",
                    "documented",
                    "unit",
                    "simulated",
                    "prior_low",
                    "prior_high",
                    "use",
                    "fit_error"}};
    for (const ReadingResult& result : results) {
        const std::vector<TargetRef> fitted = result.calibration.fit_targets();
        for (std::size_t i = 0; i < fitted.size(); ++i) {
            add_csv_row(table, result, fitted[i], result.fit.simulated[i], {});
        }
        const std::vector<TargetRef> others = result.calibration.other_targets();
        for (std::size_t i = 0; i < others.size(); ++i) {
            add_csv_row(table,
                        result,
                        others[i],
                        result.predictions[i],
                        result.priors.empty() ? Interval{} : result.priors[i]);
        }
    }
    return table;
}

}  // namespace idlesim
