// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/unpaired.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace idlesim {
namespace {

/// Variance of the mean of independent values, as a share of `scale` squared.
double variance_of_mean(std::span<const double> values, double scale) {
    const double deviation = standard_deviation(values) / scale;
    return deviation * deviation / static_cast<double>(values.size());
}

}  // namespace

Delta unpaired_delta(double baseline_all,
                     double other_all,
                     std::span<const double> baseline,
                     std::span<const double> other) {
    Delta result = Delta::between(baseline_all, other_all);
    if (baseline_all == 0 || baseline.size() < 2 || other.size() < 2) {
        return result;
    }
    // d(b/a) = (db - b/a da) / a.
    const double ratio = other_all / baseline_all;
    const double of_baseline = ratio * ratio * variance_of_mean(baseline, baseline_all);
    const double of_other = variance_of_mean(other, baseline_all);
    const double sum = of_baseline + of_other;
    double half = 0;
    if (sum > 0) {
        const double squares =
            of_baseline * of_baseline / static_cast<double>(baseline.size() - 1) +
            of_other * of_other / static_cast<double>(other.size() - 1);
        const double freedom = std::max(1.0, std::floor(sum * sum / squares));
        half = 100 * student_t(static_cast<std::int64_t>(freedom)) * std::sqrt(sum);
    }
    result.percent_interval = {result.delta_percent - half, result.delta_percent + half};
    return result;
}

}  // namespace idlesim
