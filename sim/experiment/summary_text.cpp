// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/paired.hpp"
#include "sim/experiment/depth_text.hpp"
#include "sim/experiment/result_tables.hpp"
#include "sim/experiment/text_table.hpp"

#include <cmath>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr const char* kShownStats[] = {"min", "p50", "p90", "p99", "p99.9", "max", "mean"};

// More pairs than these would hide the answer: then only those with the baseline.
constexpr std::size_t kMostArmsInAllPairs = 4;

std::string table_text(const Experiment& experiment, const std::vector<ArmResult>& results) {
    std::vector<std::string> header{"arm", "metric", "samples"};
    header.insert(header.end(), std::begin(kShownStats), std::end(kShownStats));
    header.emplace_back("unit");
    TextTable table{header};
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (const Metric& metric : results[i].metrics) {
            std::vector<std::string> row{
                experiment.arms[i].name, metric.name(), std::to_string(metric.pooled().count())};
            for (const char* name : kShownStats) {
                row.push_back(rounded_text(metric.all(*find_stat(name)).value));
            }
            row.push_back(metric.unit());
            table.add(std::move(row));
        }
    }
    return table.text();
}

/// "500 ns (25 %) earlier": how the arm differs, in the words of the metric.
std::string difference_text(const Metric& metric, const Delta& delta) {
    const bool latency = metric.unit() == "ns";
    const char* direction =
        delta.delta < 0 ? (latency ? "earlier" : "lower") : (latency ? "later" : "higher");
    return fmt::format("{} {} ({} %) {}",
                       rounded_text(std::fabs(delta.delta)),
                       metric.unit(),
                       rounded_text(std::fabs(delta.delta_percent)),
                       direction);
}

std::string subject_text(const std::string& arm, const Metric& metric) {
    if (metric.name() == "wake_latency") {
        return arm + " wakes";
    }
    return fmt::format("{}: {} is", arm, metric.name());
}

std::string sentence(const std::string& baseline_arm,
                     const Metric& baseline,
                     const std::string& arm,
                     const Metric& metric) {
    const Stat& median = *find_stat("p50");
    const Delta delta = paired_delta(baseline.all(median).value,
                                     metric.all(median).value,
                                     baseline.per_replication(median),
                                     metric.per_replication(median));
    if (delta.delta == 0) {
        return fmt::format(
            "{}: {} is the same as with {} at the median.\n", arm, metric.name(), baseline_arm);
    }
    const std::string interval = delta.percent_interval.known()
                                     ? fmt::format(" [{:+.3g} %, {:+.3g} %]",
                                                   delta.percent_interval.low,
                                                   delta.percent_interval.high)
                                     : "";
    return fmt::format("{} {} than {} at the median{}.\n",
                       subject_text(arm, metric),
                       difference_text(metric, delta),
                       baseline_arm,
                       interval);
}

// KVM's counters stand in the table; a sentence about each would drown the others.
bool is_counter_of_kvm(const Metric& metric) {
    return metric.name().starts_with("halt_");
}

}  // namespace

std::string summary_text(const Experiment& experiment, const std::vector<ArmResult>& results) {
    std::string text = table_text(experiment, results);
    for (std::size_t i = 0; i < results.size(); ++i) {
        // One state, or no driver: there is nothing to be wrong about.
        const DepthCount depth = depth_of(results[i]);
        if (results[i].find("too_deep_percent") != nullptr && depth.entries != 0) {
            text += fmt::format("{}: {}.\n", experiment.arms[i].name, depth_text(depth));
        }
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (std::size_t j = i + 1; j < results.size(); ++j) {
            const bool with_baseline = i == experiment.baseline || j == experiment.baseline;
            if (!with_baseline && results.size() > kMostArmsInAllPairs) {
                continue;
            }
            const std::size_t first = j == experiment.baseline ? j : i;
            const std::size_t second = j == experiment.baseline ? i : j;
            for (const Metric& metric : results[second].metrics) {
                const Metric* reference = results[first].find(metric.name());
                if (reference != nullptr && !is_counter_of_kvm(metric)) {
                    text += sentence(experiment.arms[first].name,
                                     *reference,
                                     experiment.arms[second].name,
                                     metric);
                }
            }
        }
    }
    return text;
}

}  // namespace idlesim
