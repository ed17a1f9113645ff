// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace idlesim {

// 95 % confidence intervals.

/// NaN at both ends where an interval cannot be told (fewer than two values...).
struct Interval {
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();

    [[nodiscard]] bool known() const { return low <= high; }

    [[nodiscard]] double half_width() const { return (high - low) / 2; }
};

[[nodiscard]] double mean(std::span<const double> values);

/// Sample standard deviation (divisor n - 1); NaN for fewer than two values.
[[nodiscard]] double standard_deviation(std::span<const double> values);

/// Two-sided 95 % point of Student's t, rounded to float so that it does not depend on the
/// mathematical library.
[[nodiscard]] double student_t(std::int64_t degrees_of_freedom);

/// Half width of the Student interval of the mean of independent values; NaN for fewer than two.
[[nodiscard]] double student_half_width(std::span<const double> values);

/// Interval of the mean of a series whose neighbours depend on each other: means of `batches`
/// equal batches are taken as independent (a remainder at the start is dropped). Unknown when
/// there are fewer than two values per batch.
[[nodiscard]] Interval batch_means_interval(std::span<const std::int64_t> series,
                                            std::int64_t batches = 20);

/// Ranks (from 0) of the order statistics of n independent values that enclose the quantile q with
/// 95 % probability, whatever the distribution (Conover, Practical Nonparametric Statistics, 3.2).
struct RankInterval {
    std::int64_t low;
    std::int64_t high;
};

[[nodiscard]] RankInterval quantile_ranks(std::int64_t n, double q);

/// The binomial interval of a quantile of `sorted`; unknown for an empty sample.
[[nodiscard]] Interval quantile_interval(std::span<const std::int64_t> sorted, double q);
[[nodiscard]] Interval quantile_interval(std::span<const double> sorted, double q);

}  // namespace idlesim
