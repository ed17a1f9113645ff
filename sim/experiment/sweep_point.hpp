// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/run_result.hpp"
#include "sim/experiment/sweep.hpp"
#include "sim/experiment/sweep_journal.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// The metrics of one run that the sweep wants.
struct RunMetrics {
    struct Values {
        std::string metric;
        std::string unit;
        SortedValues values;
    };

    std::vector<Values> metrics;
    std::vector<std::string> reported;  ///< names of all, for messages
};

[[nodiscard]] RunMetrics metrics_of_run(const Sweep& sweep, const RunResult& run);

/// What a point has measured so far: its arms, each with its replications in order.
class PointMeasurements {
public:
    explicit PointMeasurements(std::size_t arms) : arms_(arms) {}

    /// Makes room for replications up to this number.
    void reserve(int replications);
    void set(std::size_t arm, int replication, RunMetrics run);

    /// Whether the rule of the sweep is content.
    [[nodiscard]] bool narrow_enough(const Sweep& sweep) const;

    /// The columns of the sweep. Throws std::runtime_error when an arm does not report a metric.
    [[nodiscard]] std::vector<RecordedValue> columns(const Sweep& sweep) const;

private:
    std::vector<std::vector<RunMetrics>> arms_;
};

}  // namespace idlesim
