// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstdint>
#include <vector>

namespace idlesim {

/// Counts of durations in bins whose width is below 0.8 % of their value: what a quantile of many
/// millions needs.
class ResponseTimes {
public:
    void record(Duration time);

    void clear();

    [[nodiscard]] std::int64_t count() const { return count_; }

    /// [bin]; short where no longer time was recorded.
    [[nodiscard]] const std::vector<std::int64_t>& bins() const { return bins_; }

    /// Where a bin begins; the next one begins where it ends.
    [[nodiscard]] static Duration begin_of(std::size_t bin);

private:
    std::vector<std::int64_t> bins_;
    std::int64_t count_ = 0;
};

/// One part of a population that was sampled with its own density: every recorded time stands for
/// `weight` of them.
struct WeightedTimes {
    const ResponseTimes* times = nullptr;
    double weight = 1.0;
};

/// The `q` quantile, 0 < q < 1, of all parts together, interpolated within its bin; zero where
/// nothing was recorded.
Duration quantile(const std::vector<WeightedTimes>& parts, double q);

}  // namespace idlesim
