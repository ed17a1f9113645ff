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
    Delta result = Delta::between(baseline_all, arm_all);
    if (baseline_all == 0) {
        return result;
    }
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
