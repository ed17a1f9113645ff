// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/analysis/interval.hpp"

#include <limits>

namespace idlesim {

/// How a result differs from a baseline.
struct Delta {
    double delta = 0;          ///< result - baseline, of the aggregated values
    double delta_percent = 0;  ///< of the aggregated baseline value; NaN when that is 0
    Interval percent_interval;

    /// Without an interval.
    [[nodiscard]] static Delta between(double baseline, double other) {
        const double delta = other - baseline;
        const double percent =
            baseline == 0 ? std::numeric_limits<double>::quiet_NaN() : 100 * delta / baseline;
        return {delta, percent, {}};
    }
};

}  // namespace idlesim
