// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/run.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/metric.hpp"

#include <atomic>
#include <functional>
#include <string_view>
#include <vector>

namespace idlesim {

struct SimulateOptions {
    int jobs = 1;
    /// The sample rows and step histograms are wanted, not only the metrics.
    bool keep_samples = true;
    /// Record a trace of replication 1.
    bool trace = false;
    const std::atomic<bool>* stop = nullptr;
    /// Called after each run, from any thread.
    std::function<void()> run_done;
};

/// What one arm measured over its replications.
struct ArmResult {
    std::vector<Metric> metrics;
    /// One per replication; their SampleTable is empty when samples were not kept.
    std::vector<RunResult> runs;

    [[nodiscard]] const Metric* find(std::string_view metric) const;
};

/// One run to do. Arms of an experiment share seed and replication, hence random streams.
struct RunRequest {
    const Scenario* scenario = nullptr;
    std::uint64_t seed = 1;
    int replications = 1;
    std::int64_t sample_rows = 1;
};

/// Runs every request's replications, all of them in parallel. The result does not depend on the
/// number of threads. Throws Interrupted when stopped.
[[nodiscard]] std::vector<ArmResult> simulate(const std::vector<RunRequest>& requests,
                                              const SimulateOptions& options);

/// All arms of an experiment.
[[nodiscard]] std::vector<ArmResult> simulate(const Experiment& experiment,
                                              const SimulateOptions& options);

/// Puts the replications of an arm, in their order and with their samples, together.
[[nodiscard]] ArmResult arm_result(std::vector<RunResult> runs);

/// Rows of samples to keep of each run, so that an arm has no more than `limit` (0: all).
[[nodiscard]] std::int64_t rows_per_run(std::int64_t limit, int replications);

/// Metrics of a target's arms in the results of its experiment. Throws config::ConfigError when
/// the workload does not report the metric.
struct TargetMetrics {
    const Metric* metric = nullptr;
    const Metric* base = nullptr;  ///< of relative_to, else nullptr
};

[[nodiscard]] TargetMetrics metrics_of(
    const Target& target, const std::function<const ArmResult&(const std::string&)>& result_of_arm);
[[nodiscard]] TargetMetrics metrics_of(const Target& target,
                                       const Experiment& experiment,
                                       const std::vector<ArmResult>& results);

}  // namespace idlesim
