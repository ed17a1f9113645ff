// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/analysis/interval.hpp"

namespace idlesim {

/// How a result differs from a baseline.
struct Delta {
    double delta = 0;          ///< result - baseline, of the aggregated values
    double delta_percent = 0;  ///< of the aggregated baseline value; NaN when that is 0
    Interval percent_interval;
};

}  // namespace idlesim
