// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace idlesim {

/// Counts non-negative integers in bins whose width grows with the value: 64 bins to a power of
/// two, so a bin is never wider than 1/64 of its lower edge; values below 128 have a bin each.
/// A bin also keeps the sum of what fell into it and quantiles answer with the mean of a bin.
/// Hence: relative error of a quantile <= 1/64, and none at all where a bin holds a single
/// distinct value (a constant cost stays exact). Recording costs the same for every value.
class LogHistogram {
public:
    static constexpr int kSubBits = 6;
    static constexpr double kRelativeError = 1.0 / 64;

    /// `value` must not be negative.
    void record(std::int64_t value) {
        const std::size_t bin = bin_of(static_cast<std::uint64_t>(value));
        if (bin >= bins_.size()) [[unlikely]] {
            grow(bin);
        }
        ++bins_[bin].count;
        bins_[bin].sum += value;
    }

    /// `count` times the value zero.
    void record_zeros(std::int64_t count);

    void add(const LogHistogram& other);

    /// What was recorded after `earlier` was copied from this histogram.
    [[nodiscard]] LogHistogram since(const LogHistogram& earlier) const;

    [[nodiscard]] std::int64_t count() const;
    /// Exact.
    [[nodiscard]] std::int64_t sum() const;
    /// Value at rank q * (count - 1), q in [0, 1], linear between neighbours as numpy does;
    /// 0 when empty.
    [[nodiscard]] double quantile(double q) const;

    [[nodiscard]] static constexpr std::size_t bin_of(std::uint64_t value) {
        constexpr std::uint64_t kExact = (std::uint64_t{1} << (kSubBits + 1)) - 1;
        const int shift = 64 - (kSubBits + 1) - std::countl_zero(value | kExact);
        return (static_cast<std::size_t>(shift) << kSubBits) + (value >> shift);
    }

private:
    struct Bin {
        std::int64_t count = 0;
        std::int64_t sum = 0;
    };

    void grow(std::size_t bin);
    [[nodiscard]] double value_at_rank(std::int64_t rank) const;

    std::vector<Bin> bins_;
};

}  // namespace idlesim
