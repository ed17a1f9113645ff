// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_point.hpp"

#include "sim/analysis/paired.hpp"
#include "sim/output/number.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

bool wanted(const Sweep& sweep, const std::string& metric) {
    return (sweep.until && sweep.until->metric == metric) ||
           std::any_of(sweep.columns.begin(), sweep.columns.end(), [&](const MetricColumn& column) {
               return column.metric == metric;
           });
}

/// Metrics over the replications, pooled once however many statistics are taken of them.
class Pool {
public:
    Pool(const Sweep& sweep, const std::vector<std::vector<RunMetrics>>& arms)
        : sweep_{sweep}, arms_{arms} {}

    const Metric& metric(std::size_t arm, const std::string& name) {
        const auto key = std::pair{arm, name};
        if (const auto known = metrics_.find(key); known != metrics_.end()) {
            return known->second;
        }
        Metric metric{name, ""};
        for (const RunMetrics& run : arms_[arm]) {
            const auto values =
                std::find_if(run.metrics.begin(), run.metrics.end(), [&](const auto& candidate) {
                    return candidate.metric == name;
                });
            if (values == run.metrics.end()) {
                throw std::runtime_error{
                    fmt::format("the workload of arm '{}' does not report {}; it reports {}",
                                sweep_.base.arms()[arm],
                                name,
                                fmt::join(run.reported, ", "))};
            }
            if (metric.replications() == 0) {
                metric = Metric{name, values->unit};
            }
            metric.add_replication(values->values);
        }
        metric.pool();
        return metrics_.emplace(key, std::move(metric)).first->second;
    }

    /// Value and interval of a column, or of the stopping rule.
    StatValue value(std::size_t arm, const std::string& name, const Stat& stat, bool delta) {
        const Metric& own = metric(arm, name);
        if (!delta) {
            return own.all(stat);
        }
        const Metric& base = metric(sweep_.base.baseline(), name);
        const Delta paired = paired_delta(base.all(stat).value,
                                          own.all(stat).value,
                                          base.per_replication(stat),
                                          own.per_replication(stat));
        return {paired.delta_percent, paired.percent_interval};
    }

private:
    const Sweep& sweep_;
    const std::vector<std::vector<RunMetrics>>& arms_;
    std::map<std::pair<std::size_t, std::string>, Metric> metrics_;
};

std::string replications_text(Pool& pool, const MetricColumn& column) {
    const std::vector<double> values =
        pool.metric(column.arm, column.metric).per_replication(*column.stat);
    std::string text;
    for (std::size_t i = 0; values.size() > 1 && i < values.size(); ++i) {
        text += i == 0 ? "" : " ";
        text += format_number(values[i]);
    }
    return text;
}

}  // namespace

RunMetrics metrics_of_run(const Sweep& sweep, const RunResult& run) {
    RunMetrics result;
    if (run.samples.count() > 0) {
        result.reported.push_back(run.samples.metric());
        if (wanted(sweep, run.samples.metric())) {
            result.metrics.push_back(
                {run.samples.metric(), "ns", SortedValues::times(run.samples.values())});
        }
    }
    for (const ScalarSeries& series : run.series) {
        result.reported.push_back(series.metric);
        if (wanted(sweep, series.metric)) {
            result.metrics.push_back(
                {series.metric, series.unit, SortedValues::numbers(series.values)});
        }
    }
    return result;
}

void PointMeasurements::reserve(int replications) {
    for (std::vector<RunMetrics>& runs : arms_) {
        runs.resize(static_cast<std::size_t>(replications));
    }
}

void PointMeasurements::set(std::size_t arm, int replication, RunMetrics run) {
    arms_[arm][static_cast<std::size_t>(replication - 1)] = std::move(run);
}

bool PointMeasurements::narrow_enough(const Sweep& sweep) const {
    Pool pool{sweep, arms_};
    const UntilRule& rule = *sweep.until;
    return std::all_of(rule.arms.begin(), rule.arms.end(), [&](std::size_t arm) {
        const StatValue value = pool.value(arm, rule.metric, *rule.stat, rule.delta);
        return rule.narrow_enough(value.value, value.interval.high - value.interval.low);
    });
}

std::vector<RecordedValue> PointMeasurements::columns(const Sweep& sweep) const {
    Pool pool{sweep, arms_};
    std::vector<RecordedValue> values;
    for (const MetricColumn& column : sweep.columns) {
        const StatValue value = pool.value(column.arm, column.metric, *column.stat, column.delta);
        const bool is_count = column.stat->kind == Stat::Kind::count;
        std::string unit = column.delta ? "%"
                           : is_count   ? ""
                                        : pool.metric(column.arm, column.metric).unit();
        values.push_back({format_number(value.value),
                          format_number(value.interval.low),
                          format_number(value.interval.high),
                          std::move(unit),
                          column.delta ? "" : replications_text(pool, column)});
    }
    return values;
}

}  // namespace idlesim
