// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/run_result.hpp"
#include "sim/experiment/sweep.hpp"
#include "sim/experiment/sweep_journal.hpp"

#include <atomic>
#include <functional>
#include <vector>

namespace idlesim {

/// All runs of a point: [arm][replication - 1].
using PointRuns = std::vector<std::vector<RunResult>>;

struct SweepRunOptions {
    int jobs = 1;
    /// When it becomes true no further point is begun; those that are running end and are kept.
    const std::atomic<bool>* stop = nullptr;
    /// A point that fails has the same effect.
    bool stop_on_failure = false;
    /// Receives each point that ended, from any thread, several at once. An exception ends the
    /// sweep.
    std::function<void(std::size_t point, const PointRecord& record)> done;
    /// Where it is set: receives what a point that did not fail has simulated, with samples, before
    /// `done`. In the same way.
    std::function<void(std::size_t point, PointRuns runs)> keep;
};

/// Runs the points, each arm and replication a piece of work of its own, those with the most work
/// first. What a point measures does not depend on the others, on their order or on the number of
/// threads. Returns false when it was stopped before all were run.
bool run_points(const Sweep& sweep,
                std::vector<std::size_t> points,
                const SweepRunOptions& options);

/// How long a sweep will take, from one run that is made to learn it.
struct SweepEstimate {
    double probe_seconds = 0;  ///< of one arm and replication of the middle point
    double low_seconds = 0;    ///< of one thread for all of the points
    double high_seconds = 0;   ///< differs where replications are added until an interval is narrow
};

/// Throws config::ConfigError when the middle point is not a valid experiment.
[[nodiscard]] SweepEstimate estimate(const Sweep& sweep, const std::vector<std::size_t>& points);

}  // namespace idlesim
