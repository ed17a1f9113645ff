// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/quantile.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace idlesim {
namespace {

template <class Value>
double interpolate(std::span<const Value> sorted, double q) {
    if (sorted.empty()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double place = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const auto low = static_cast<double>(sorted[below]);
    const auto high = static_cast<double>(sorted[above]);
    return low + (high - low) * (place - static_cast<double>(below));
}

constexpr unsigned kDigitBits = 11;
constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;
constexpr std::size_t kWorthRadix = 4096;

// Offset so that the order of the bits is the order of the values.
std::uint64_t key_of(std::int64_t value, std::int64_t smallest) {
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(smallest);
}

}  // namespace

double quantile_of_sorted(std::span<const std::int64_t> sorted, double q) {
    return interpolate(sorted, q);
}

double quantile_of_sorted(std::span<const double> sorted, double q) {
    return interpolate(sorted, q);
}

void sort_ascending(std::vector<std::int64_t>& values) {
    if (values.size() < kWorthRadix) {
        std::sort(values.begin(), values.end());
        return;
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const std::int64_t smallest = *least;
    const std::uint64_t range = key_of(*most, smallest);
    std::vector<std::int64_t> other(values.size());
    for (unsigned shift = 0; shift < 64 && (range >> shift) != 0; shift += kDigitBits) {
        std::array<std::size_t, kBuckets> next{};
        for (const std::int64_t value : values) {
            ++next[(key_of(value, smallest) >> shift) & (kBuckets - 1)];
        }
        std::size_t start = 0;
        for (std::size_t& bucket : next) {
            start += std::exchange(bucket, start);
        }
        for (const std::int64_t value : values) {
            other[next[(key_of(value, smallest) >> shift) & (kBuckets - 1)]++] = value;
        }
        values.swap(other);
    }
}

}  // namespace idlesim
