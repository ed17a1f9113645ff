// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/compare.hpp"
#include "sim/experiment/text_table.hpp"
#include "sim/output/csv.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

constexpr std::array<std::string_view, 6> kShownStats{
    ".p50", ".p90", ".p99", ".p99.9", ".max", ".mean"};
constexpr std::size_t kMostListed = 10;
constexpr std::size_t kMostPointsListed = 5;

std::string percent(double value) {
    return std::isnan(value) ? "" : fmt::format("{:+.3g} %", value);
}

std::string interval_text(const Interval& interval) {
    return interval.known() ? fmt::format("[{:+.3g} %, {:+.3g} %]", interval.low, interval.high)
                            : "";
}

std::string listed(const std::vector<std::string>& names, const char* separator) {
    const std::size_t shown = std::min(names.size(), kMostListed);
    std::string text = fmt::format(
        "{}",
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), separator));
    if (shown < names.size()) {
        text += fmt::format("{}and {} more", separator, names.size() - shown);
    }
    return text;
}

std::string source_text(const char* label, const StoredResult& result) {
    const std::string size =
        result.kind == StoredResult::Kind::sweep
            ? fmt::format(
                  ", {} points{}",
                  result.points.size(),
                  result.unfinished == 0
                      ? ""
                      : fmt::format(" of which {} are not finished or failed", result.unfinished))
            : "";
    return fmt::format("{} {}: {}, {}, idlesim {}{}\n",
                       label,
                       result.path.string(),
                       result.name,
                       result.seed_is_swept ? "swept seeds" : fmt::format("seed {}", result.seed),
                       result.version,
                       size);
}

std::size_t count_of(const Comparison& comparison, Pairing pairing) {
    return static_cast<std::size_t>(
        std::count_if(comparison.values.begin(), comparison.values.end(), [&](const auto& value) {
            return value.pairing == pairing;
        }));
}

/// Whether and why the intervals are of pairs.
std::string pairing_text(const Comparison& comparison) {
    const bool paired = count_of(comparison, Pairing::paired) > 0;
    std::string text;
    if (paired) {
        text =
            "paired: the seeds match, so replication n of both has the same random streams; "
            "intervals are of the differences within the pairs\n";
    } else if (count_of(comparison, Pairing::unpaired) > 0) {
        text = fmt::format(
            "not paired: the seeds differ ({} and {}); intervals are Welch's, and "
            "wider than with one seed for both\n",
            comparison.baseline.seed,
            comparison.other.seed);
    } else {
        text =
            "no intervals: they need two replications or more of both; with one seed for both "
            "they are paired\n";
    }
    if (comparison.unequal_replications) {
        text +=
            "the numbers of replications differ: values are means over the replications that "
            "both have\n";
    }
    if (paired && comparison.baseline.version != comparison.other.version) {
        text +=
            "the versions differ: where they draw other random numbers, the pairs have "
            "nothing in common and the intervals are only wider\n";
    }
    return text;
}

std::string differences_text(const Comparison& comparison) {
    std::string text;
    const bool same = !comparison.baseline.configuration.empty() &&
                      comparison.baseline.configuration == comparison.other.configuration;
    if (!comparison.changes.empty()) {
        text += fmt::format("what differs:\n  {}\n", listed(comparison.changes, "\n  "));
    } else if (same && comparison.baseline.seed == comparison.other.seed) {
        text +=
            "the configurations are the same: what differs is the version of idlesim, or "
            "nothing\n";
    }
    const char* what =
        comparison.other.kind == StoredResult::Kind::run ? "not compared" : "points not compared";
    if (!comparison.only_in_baseline.empty()) {
        text += fmt::format("{}, only in A: {}\n", what, listed(comparison.only_in_baseline, ", "));
    }
    if (!comparison.only_in_other.empty()) {
        text += fmt::format("{}, only in B: {}\n", what, listed(comparison.only_in_other, ", "));
    }
    return text;
}

std::string verdict(const ComparedValue& value) {
    if (value.delta.delta == 0) {
        return "same";
    }
    const int direction = value.direction();
    return direction < 0 ? "lower" : direction > 0 ? "higher" : "not shown";
}

std::string run_table(const Comparison& comparison) {
    TextTable table{{"value", "A", "B", "B - A", "unit", "percent", "95 % interval", "B is"}};
    for (const ComparedValue& value : comparison.values) {
        const bool shown =
            std::any_of(kShownStats.begin(), kShownStats.end(), [&](std::string_view stat) {
                return value.key.name.ends_with(stat);
            });
        if (!shown) {
            continue;
        }
        table.add({value.key.name == value.baseline_name
                       ? value.key.name
                       : fmt::format("{} against {}", value.key.name, value.baseline_name),
                   rounded_text(value.baseline),
                   rounded_text(value.value),
                   rounded_text(value.delta.delta),
                   value.unit,
                   percent(value.delta.delta_percent),
                   interval_text(value.delta.percent_interval),
                   verdict(value)});
    }
    return table.text();
}

/// How many points of a column differ, and by how much.
struct ColumnCounts {
    std::map<std::string, std::size_t> verdicts;
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    std::size_t points = 0;
};

std::string sweep_table(const Comparison& comparison) {
    std::map<std::string, ColumnCounts> counts;
    for (const ComparedValue& value : comparison.values) {
        ColumnCounts& column = counts[value.key.name];
        ++column.points;
        ++column.verdicts[verdict(value)];
        column.least = std::fmin(column.least, value.delta.delta_percent);
        column.most = std::fmax(column.most, value.delta.delta_percent);
    }
    TextTable table{{"value",
                     "points",
                     "B same",
                     "lower",
                     "higher",
                     "not shown",
                     "average",
                     "95 % interval",
                     "least",
                     "most"}};
    for (const ComparedValue& average : comparison.averages) {
        ColumnCounts& column = counts[average.key.name];
        const bool known = column.least <= column.most;
        table.add({average.key.name,
                   std::to_string(column.points),
                   std::to_string(column.verdicts["same"]),
                   std::to_string(column.verdicts["lower"]),
                   std::to_string(column.verdicts["higher"]),
                   std::to_string(column.verdicts["not shown"]),
                   percent(average.delta.delta_percent),
                   interval_text(average.delta.percent_interval),
                   known ? percent(column.least) : "",
                   known ? percent(column.most) : ""});
    }
    return table.text() +
           "average, interval, least and most are of B - A in percent of A, over the points\n";
}

std::string largest_text(const Comparison& comparison) {
    std::vector<const ComparedValue*> order;
    for (const ComparedValue& value : comparison.values) {
        if (value.direction() != 0) {
            order.push_back(&value);
        }
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return std::fabs(a->delta.delta_percent) > std::fabs(b->delta.delta_percent);
    });
    order.resize(std::min(order.size(), kMostPointsListed));
    std::string text = order.empty() ? "" : "the largest:\n";
    for (const ComparedValue* value : order) {
        text += fmt::format("  {} {} {}: {} at {}\n",
                            value->key.name,
                            percent(value->delta.delta_percent),
                            interval_text(value->delta.percent_interval),
                            value->key.point,
                            comparison.other.points.at(value->key.point));
    }
    return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
    std::string text = source_text("A", comparison.baseline) + source_text("B", comparison.other) +
                       pairing_text(comparison) + differences_text(comparison) + '\n';
    if (comparison.other.kind == StoredResult::Kind::run) {
        return text + run_table(comparison);
    }
    return text + sweep_table(comparison) + largest_text(comparison);
}

std::string comparisons_csv(const std::vector<Comparison>& comparisons) {
    CsvTable table{{"baseline_result",
                    "result",
                    "point",
                    "baseline",
                    "name",
                    "baseline_value",
                    "value",
                    "delta",
                    "delta_percent",
                    "ci_low",
                    "ci_high",
                    "unit",
                    "pairing",
                    "replications"}};
    for (const Comparison& comparison : comparisons) {
        for (const ComparedValue& value : comparison.values) {
            table.cell(comparison.baseline.path.string())
                .cell(comparison.other.path.string())
                .cell(value.key.point)
                .cell(value.baseline_name)
                .cell(value.key.name)
                .cell(value.baseline)
                .cell(value.value)
                .cell(value.delta.delta)
                .cell(value.delta.delta_percent)
                .cell(value.delta.percent_interval.low)
                .cell(value.delta.percent_interval.high)
                .cell(value.unit)
                .cell(to_text(value.pairing))
                .cell(static_cast<std::int64_t>(value.replications))
                .end_row();
        }
    }
    return table.text();
}

}  // namespace idlesim
