// SPDX-License-Identifier: Apache-2.0
#include "models/specjbb/response_times.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace idlesim {

namespace {

// 128 bins for each doubling.
constexpr int kBits = 7;
constexpr std::uint64_t kBinsPerOctave = std::uint64_t{1} << static_cast<unsigned>(kBits);

std::size_t bin_of(Duration time) {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count()));
    if (value < 2 * kBinsPerOctave) {
        return value;
    }
    const int shift = static_cast<int>(std::bit_width(value)) - kBits - 1;
    return static_cast<std::size_t>(shift) * kBinsPerOctave +
           (value >> static_cast<unsigned>(shift));
}

double weight_of(const std::vector<WeightedTimes>& parts, std::size_t bin) {
    double weight = 0;
    for (const WeightedTimes& part : parts) {
        const auto& bins = part.times->bins();
        if (bin < bins.size()) {
            weight += part.weight * static_cast<double>(bins[bin]);
        }
    }
    return weight;
}

}  // namespace

void ResponseTimes::record(Duration time) {
    const std::size_t bin = bin_of(time);
    if (bin >= bins_.size()) {
        bins_.resize(bin + 1);
    }
    ++bins_[bin];
    ++count_;
}

void ResponseTimes::clear() {
    bins_.clear();
    count_ = 0;
}

Duration ResponseTimes::begin_of(std::size_t bin) {
    if (bin < 2 * kBinsPerOctave) {
        return Duration{static_cast<std::int64_t>(bin)};
    }
    const std::size_t shift = bin / kBinsPerOctave - 1;
    const std::size_t mantissa = bin - shift * kBinsPerOctave;
    return Duration{static_cast<std::int64_t>(mantissa << shift)};
}

Duration quantile(const std::vector<WeightedTimes>& parts, double q) {
    std::size_t bins = 0;
    double total = 0;
    for (const WeightedTimes& part : parts) {
        bins = std::max(bins, part.times->bins().size());
        total += part.weight * static_cast<double>(part.times->count());
    }
    double left = q * total;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double here = weight_of(parts, bin);
        if (here > 0 && left <= here) {
            const Duration begin = ResponseTimes::begin_of(bin);
            const auto width =
                static_cast<double>((ResponseTimes::begin_of(bin + 1) - begin).count());
            return begin + Duration{std::llround(width * left / here)};
        }
        left -= here;
    }
    return bins == 0 ? Duration::zero() : ResponseTimes::begin_of(bins);
}

}  // namespace idlesim
