// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/result_tables.hpp"

#include "sim/analysis/paired.hpp"
#include "sim/engine/check.hpp"
#include "sim/output/number.hpp"

#include <map>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr double kPicosecondsPerNanosecond = 1000;

void add_summary_row(CsvTable& table,
                     const std::string& arm,
                     const std::string& replication,
                     const Metric& metric,
                     const Stat& stat,
                     const StatValue& value) {
    table.cell(arm)
        .cell(replication)
        .cell(metric.name())
        .cell(stat.name)
        .cell(value.value)
        .cell(stat.kind == Stat::Kind::count ? "" : metric.unit())
        .cell(value.interval.low)
        .cell(value.interval.high)
        .end_row();
}

void add_comparison_rows(CsvTable& table,
                         const std::string& baseline_arm,
                         const Metric& baseline,
                         const std::string& arm,
                         const Metric& metric) {
    for (const Stat& stat : all_stats()) {
        if (stat.kind == Stat::Kind::count) {
            continue;
        }
        const double baseline_value = baseline.all(stat).value;
        const double value = metric.all(stat).value;
        const Delta delta = paired_delta(
            baseline_value, value, baseline.per_replication(stat), metric.per_replication(stat));
        table.cell(metric.name())
            .cell(stat.name)
            .cell(baseline_arm)
            .cell(arm)
            .cell(baseline_value)
            .cell(value)
            .cell(delta.delta)
            .cell(delta.delta_percent)
            .cell(delta.percent_interval.low)
            .cell(delta.percent_interval.high)
            .cell(metric.unit())
            .end_row();
    }
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

CsvTable summary_csv(const Experiment& experiment, const std::vector<ArmResult>& results) {
    CsvTable table{{"arm", "replication", "metric", "stat", "value", "unit", "ci_low", "ci_high"}};
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::string& arm = experiment.arms[i].name;
        for (const Metric& metric : results[i].metrics) {
            for (std::size_t r = 0; r < metric.replications(); ++r) {
                for (const Stat& stat : all_stats()) {
                    add_summary_row(table,
                                    arm,
                                    std::to_string(r + 1),
                                    metric,
                                    stat,
                                    metric.replication(r, stat));
                }
            }
            for (const Stat& stat : all_stats()) {
                add_summary_row(table, arm, "all", metric, stat, metric.all(stat));
            }
        }
    }
    return table;
}

CsvTable comparison_csv(const Experiment& experiment, const std::vector<ArmResult>& results) {
    CsvTable table{{"metric",
                    "stat",
                    "baseline",
                    "arm",
                    "baseline_value",
                    "value",
                    "delta",
                    "delta_percent",
                    "ci_low",
                    "ci_high",
                    "unit"}};
    const ArmResult& baseline = results[experiment.baseline];
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (const Metric& metric : results[i].metrics) {
            const Metric* reference = baseline.find(metric.name());
            if (i != experiment.baseline && reference != nullptr) {
                add_comparison_rows(table,
                                    experiment.arms[experiment.baseline].name,
                                    *reference,
                                    experiment.arms[i].name,
                                    metric);
            }
        }
    }
    return table;
}

CsvTable findings_csv(const Experiment& experiment, const std::vector<ArmResult>& results) {
    CsvTable table{{"time_us", "cpu", "kind", "program", "step", "detail"}};
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (std::size_t r = 0; r < results[i].runs.size(); ++r) {
            for (const Finding& finding : results[i].runs[r].findings) {
                table.cell(format_us(finding.at.time_since_epoch()))
                    .cell(std::int64_t{finding.cpu})
                    .cell(finding.kind)
                    .cell(finding.program)
                    .cell(finding.step)
                    .cell(fmt::format("{}, replication {}{}{}",
                                      experiment.arms[i].name,
                                      r + 1,
                                      finding.detail.empty() ? "" : ": ",
                                      finding.detail))
                    .end_row();
            }
        }
    }
    return table;
}

CsvTable breakdown_csv(const ArmResult& arm) {
    CsvTable table{{"step", "mean_ns", "share_percent", "p50_ns", "p99_ns"}};
    const SampleTable& shape = arm.runs.front().samples;
    std::vector<LogHistogram> steps(shape.steps().size());
    double total = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (const RunResult& run : arm.runs) {
            IDLESIM_CHECK(run.samples.steps() == shape.steps(),
                          "the replications of an arm have the same steps");
            steps[i].add(run.samples.step_histogram(i));
        }
        total += static_cast<double>(steps[i].sum());
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto sum = static_cast<double>(steps[i].sum());
        const auto count = static_cast<double>(steps[i].count());
        table.cell(shape.steps()[i])
            .cell(sum / count / kPicosecondsPerNanosecond)
            .cell(total == 0 ? 0 : 100 * sum / total)
            .cell(steps[i].quantile(0.5) / kPicosecondsPerNanosecond)
            .cell(steps[i].quantile(0.99) / kPicosecondsPerNanosecond)
            .end_row();
    }
    return table;
}

CsvTable cpuidle_csv(const ArmResult& arm) {
    CsvTable table{{"replication",
                    "cpu",
                    "state",
                    "name",
                    "latency_us",
                    "residency_us",
                    "usage",
                    "time_us",
                    "above",
                    "below",
                    "rejected",
                    "too_deep_percent",
                    "too_shallow_percent",
                    "granted_time_us"}};
    for (std::size_t r = 0; r < arm.runs.size(); ++r) {
        for (const CpuidleRow& row : arm.runs[r].cpuidle) {
            table.cell(static_cast<std::int64_t>(r + 1))
                .cell(std::int64_t{row.cpu})
                .cell(std::int64_t{row.state})
                .cell(row.name)
                .cell(format_us(row.exit_latency))
                .cell(format_us(row.target_residency))
                .cell(static_cast<std::int64_t>(row.usage))
                .cell(format_us(row.time))
                .cell(static_cast<std::int64_t>(row.above))
                .cell(static_cast<std::int64_t>(row.below))
                .cell(static_cast<std::int64_t>(row.rejected))
                .cell(share(row.above, row.usage))
                .cell(share(row.below, row.usage))
                .cell(format_us(row.granted_time))
                .end_row();
        }
    }
    return table;
}

CsvTable wakes_csv(const ArmResult& arm) {
    CsvTable table{{"replication", "cpu", "cause", "wakes", "share_percent", "slept_us"}};
    for (std::size_t r = 0; r < arm.runs.size(); ++r) {
        std::map<int, std::uint64_t> all;
        for (const WakeRow& row : arm.runs[r].wakes) {
            all[row.cpu] += row.wakes;
        }
        for (const WakeRow& row : arm.runs[r].wakes) {
            table.cell(static_cast<std::int64_t>(r + 1))
                .cell(std::int64_t{row.cpu})
                .cell(row.cause)
                .cell(static_cast<std::int64_t>(row.wakes))
                .cell(share(row.wakes, all[row.cpu]))
                .cell(format_us(row.slept))
                .end_row();
        }
    }
    return table;
}

CsvTable load_curve_csv(const ArmResult& arm) {
    CsvTable table{{"replication", "percent", "rate", "p50_ns", "p99_ns", "pause_ns", "sustained"}};
    for (std::size_t r = 0; r < arm.runs.size(); ++r) {
        for (const LoadStep& step : arm.runs[r].load_curve->steps) {
            table.cell(static_cast<std::int64_t>(r + 1))
                .cell(std::int64_t{step.percent})
                .cell(step.rate)
                .cell(format_ns(step.p50))
                .cell(format_ns(step.p99))
                .cell(format_ns(step.pause))
                .cell(step.is_sustained ? "yes" : "no")
                .end_row();
        }
    }
    return table;
}

}  // namespace idlesim
