// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/interval.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace idlesim {
namespace {

constexpr double kUpperTail = 0.975;

template <class Value>
Interval order_statistic_interval(std::span<const Value> sorted, double q) {
    if (sorted.empty()) {
        return {};
    }
    const RankInterval ranks = quantile_ranks(static_cast<std::int64_t>(sorted.size()), q);
    return {static_cast<double>(sorted[static_cast<std::size_t>(ranks.low)]),
            static_cast<double>(sorted[static_cast<std::size_t>(ranks.high)])};
}

}  // namespace

double mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : sum / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
    if (values.size() < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double centre = mean(values);
    double squares = 0;
    for (const double value : values) {
        squares += (value - centre) * (value - centre);
    }
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double student_t(std::int64_t degrees_of_freedom) {
    const boost::math::students_t distribution{static_cast<double>(degrees_of_freedom)};
    return static_cast<double>(static_cast<float>(boost::math::quantile(distribution, kUpperTail)));
}

double student_half_width(std::span<const double> values) {
    if (values.size() < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return student_t(static_cast<std::int64_t>(values.size()) - 1) * standard_deviation(values) /
           std::sqrt(static_cast<double>(values.size()));
}

Interval batch_means_interval(std::span<const std::int64_t> series, std::int64_t batches) {
    const auto n = static_cast<std::int64_t>(series.size());
    const std::int64_t length = n / batches;
    if (length < 2) {
        return {};
    }
    std::vector<double> means;
    for (std::int64_t start = n % batches; start < n; start += length) {
        double sum = 0;
        for (std::int64_t i = start; i < start + length; ++i) {
            sum += static_cast<double>(series[static_cast<std::size_t>(i)]);
        }
        means.push_back(sum / static_cast<double>(length));
    }
    const double half = student_half_width(means);
    const double centre = mean(means);
    return {centre - half, centre + half};
}

RankInterval quantile_ranks(std::int64_t n, double q) {
    using boost::math::policies::discrete_quantile;
    using boost::math::policies::integer_round_outwards;
    using boost::math::policies::policy;
    const boost::math::binomial_distribution<double,
                                             policy<discrete_quantile<integer_round_outwards>>>
        below{static_cast<double>(n), q};
    const auto low = static_cast<std::int64_t>(boost::math::quantile(below, 1 - kUpperTail));
    const auto high = static_cast<std::int64_t>(boost::math::quantile(below, kUpperTail));
    // X values lie below the quantile, X binomial. With P(X <= low) and P(X > high) at most 2.5 %
    // each, the values of these ranks (from 0) enclose it.
    return {std::clamp<std::int64_t>(low, 0, n - 1), std::clamp<std::int64_t>(high, 0, n - 1)};
}

Interval quantile_interval(std::span<const std::int64_t> sorted, double q) {
    return order_statistic_interval(sorted, q);
}

Interval quantile_interval(std::span<const double> sorted, double q) {
    return order_statistic_interval(sorted, q);
}

}  // namespace idlesim
