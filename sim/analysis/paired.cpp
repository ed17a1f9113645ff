// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/paired.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace idlesim {

Delta paired_delta(double baseline_all,
                   double arm_all,
                   std::span<const double> baseline,
                   std::span<const double> arm) {
    Delta result;
    result.delta = arm_all - baseline_all;
    if (baseline_all == 0) {
        result.delta_percent = std::numeric_limits<double>::quiet_NaN();
        return result;
    }
    result.delta_percent = 100 * result.delta / baseline_all;
    const std::size_t pairs = std::min(baseline.size(), arm.size());
    std::vector<double> percents;
    for (std::size_t i = 0; i < pairs; ++i) {
        percents.push_back(100 * (arm[i] - baseline[i]) / baseline[i]);
    }
    const double half = student_half_width(percents);
    result.percent_interval = {result.delta_percent - half, result.delta_percent + half};
    return result;
}

}  // namespace idlesim
