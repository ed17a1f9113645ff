// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/ledger.hpp"

#include "sim/experiment/text_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace idlesim {
namespace {

std::string percent_text(double value) {
    return std::isnan(value) ? "" : fmt::format("{:+.2f} %", value);
}

std::string range_text(const Interval& interval) {
    return interval.known()
               ? fmt::format("{} to {}", rounded_text(interval.low), rounded_text(interval.high))
               : "";
}

// What equal replications leave in floating point is no uncertainty.
constexpr double kRoundingError = 1e-12;

std::string half_width_text(const Interval& interval) {
    if (!interval.known()) {
        return "";
    }
    const double half = interval.half_width();
    const double size = std::max(std::abs(interval.low), std::abs(interval.high));
    return "+-" + rounded_text(half < kRoundingError * size ? 0.0 : half);
}

struct Counts {
    std::map<Verdict, int> verdicts;
    std::map<Use, int> uses;
    double holdout_error = 0;
    double worst_holdout = 0;
    int holdout_errors = 0;
    int without_effect = 0;  ///< held-out rows that ask for none
    double worst_without_effect = 0;
};

// "No change": hardly a prediction that can be far off, so it must not water down the mean.
bool asks_for_no_effect(const Target& target) {
    const Interval documented = target.documented_range();
    return target.is_relative() && documented.low == 0.0 && documented.high == 0.0;
}

Counts count(const std::vector<LedgerRow>& rows) {
    Counts counts;
    for (const LedgerRow& row : rows) {
        ++counts.verdicts[row.judgement.verdict];
        ++counts.uses[row.target.use];
        const double error = std::fabs(row.judgement.error_percent);
        if (row.target.use != Use::holdout || std::isnan(error)) {
            continue;
        }
        if (asks_for_no_effect(row.target)) {
            ++counts.without_effect;
            counts.worst_without_effect = std::max(counts.worst_without_effect, error);
        } else {
            counts.holdout_error += error;
            counts.worst_holdout = std::max(counts.worst_holdout, error);
            ++counts.holdout_errors;
        }
    }
    return counts;
}

std::string counts_text(const std::vector<LedgerRow>& rows) {
    Counts counts = count(rows);
    std::string text = fmt::format(
        "{} targets: {} pass, {} missed, {} known misses, {} undecided, {} not judged "
        "({} fit, {} holdout)\n",
        rows.size(),
        counts.verdicts[Verdict::pass],
        counts.verdicts[Verdict::missed],
        counts.verdicts[Verdict::known_miss],
        counts.verdicts[Verdict::undecided],
        counts.verdicts[Verdict::context],
        counts.uses[Use::fit],
        counts.uses[Use::holdout]);
    if (counts.holdout_errors > 0) {
        text += fmt::format("held-out error: mean {:.2f} %, worst {:.2f} %, of {} rows\n",
                            counts.holdout_error / counts.holdout_errors,
                            counts.worst_holdout,
                            counts.holdout_errors);
    }
    if (counts.without_effect > 0) {
        text += fmt::format("no effect held out: {} rows, worst {:.2f} points\n",
                            counts.without_effect,
                            counts.worst_without_effect);
    }
    return text;
}

std::string explanations(const std::vector<LedgerRow>& rows) {
    std::string text;
    for (const LedgerRow& row : rows) {
        const std::string name = fmt::format("{} {} {} {}",
                                             row.experiment,
                                             row.target.arm.value,
                                             row.target.metric.value,
                                             row.target.stat.value);
        if (row.judgement.verdict == Verdict::known_miss) {
            text += fmt::format("known miss: {}: {}\n", name, row.target.known_miss);
        } else if (row.judgement.verdict == Verdict::undecided) {
            text += fmt::format(
                "undecided: {}: the interval is wider than the tolerance; more "
                "--replications narrow it\n",
                name);
        }
    }
    return text;
}

}  // namespace

std::vector<LedgerRow> judge_targets(const Experiment& experiment,
                                     const std::vector<ArmResult>& results,
                                     const std::vector<PriorRange>& priors) {
    std::vector<LedgerRow> rows;
    for (const Target& target : experiment.settings.targets) {
        const TargetMetrics metrics = metrics_of(target, experiment, results);
        LedgerRow row;
        row.experiment = experiment.settings.name;
        row.target = target;
        row.unit = target.unit_of(metrics.metric->unit());
        row.judgement = judge(target, *metrics.metric, metrics.base);
        if (!priors.empty()) {
            row.prior =
                priors[rows.size()].around(row.judgement.simulated.value, target.is_relative());
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

CsvTable ledger_csv(const std::vector<LedgerRow>& rows) {
    CsvTable table{{"experiment",
                    "arm",
                    "metric",
                    "stat",
                    "documented",
                    "unit",
                    "simulated",
                    "ci_low",
                    "ci_high",
                    "prior_low",
                    "prior_high",
                    "error_percent",
                    "tolerance",
                    "use",
                    "verdict",
                    "source"}};
    for (const LedgerRow& row : rows) {
        const Target& target = row.target;
        const Judgement& judgement = row.judgement;
        table.cell(row.experiment)
            .cell(target.arm.value)
            .cell(target.metric.value)
            .cell(target.stat.value)
            .cell(target.documented_text())
            .cell(row.unit)
            .cell(judgement.simulated.value)
            .cell(judgement.simulated.interval.low)
            .cell(judgement.simulated.interval.high)
            .cell(row.prior.low)
            .cell(row.prior.high)
            .cell(judgement.error_percent)
            .cell(judgement.tolerance)
            .cell(to_text(target.use))
            .cell(to_text(judgement.verdict))
            .cell(target.source)
            .end_row();
    }
    return table;
}

std::string ledger_text(const std::vector<LedgerRow>& rows) {
    TextTable table{{"experiment",
                     "arm",
                     "metric",
                     "stat",
                     "documented",
                     "simulated",
                     "+-95 %",
                     "unit",
                     "error",
                     "prior range",
                     "use",
                     "verdict"}};
    for (const LedgerRow& row : rows) {
        const Target& target = row.target;
        table.add({row.experiment,
                   target.arm.value + (target.is_relative() ? "/" + target.relative_to.value : ""),
                   target.metric.value,
                   target.stat.value,
                   target.documented_text(),
                   rounded_text(row.judgement.simulated.value),
                   half_width_text(row.judgement.simulated.interval),
                   row.unit,
                   percent_text(row.judgement.error_percent),
                   range_text(row.prior),
                   std::string{to_text(target.use)},
                   std::string{to_text(row.judgement.verdict)}});
    }
    return table.text() + explanations(rows) + counts_text(rows);
}

bool any_missed(const std::vector<LedgerRow>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const LedgerRow& row) {
        return row.judgement.verdict == Verdict::missed;
    });
}

}  // namespace idlesim
