// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <vector>

namespace idlesim {

/// A step of a response-throughput curve.
struct LoadStep {
    int percent = 0;    ///< of the high bound
    double rate = 0;    ///< injected, per second
    double served = 0;  ///< per second
    Duration p50{};     ///< of the response time
    Duration p99{};
    Duration pause{};  ///< mean of the pauses during the step
    bool is_sustained = true;
};

/// A throughput at which the 99th percentile of the response time meets an agreement.
struct Agreement {
    Duration limit{};
    double rate = 0;  ///< per second
};

/// What SPECjbb2015 reports of one run.
struct LoadCurve {
    double high_bound = 0;  ///< settled high-bound injection rate, per second
    /// Of the last step that was sustained before the first that was not.
    double max_rate = 0;
    double critical_rate = 0;
    std::vector<Agreement> agreements;
    std::vector<LoadStep> steps;  ///< rising
};

}  // namespace idlesim
