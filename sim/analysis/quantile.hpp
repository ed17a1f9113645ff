// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace idlesim {

/// Quantile q in [0, 1] of ascending values, linear between neighbours: numpy's default and
/// pandas' ("linear", type 7 of Hyndman and Fan 1996). NaN when there are no values.
[[nodiscard]] double quantile_of_sorted(std::span<const std::int64_t> sorted, double q);
[[nodiscard]] double quantile_of_sorted(std::span<const double> sorted, double q);

/// Ascending order; a radix sort, since pooled latencies come by the million.
void sort_ascending(std::vector<std::int64_t>& values);

}  // namespace idlesim
