// SPDX-License-Identifier: Apache-2.0
#include "sim/stats/log_histogram.hpp"

#include <algorithm>

namespace idlesim {

void LogHistogram::grow(std::size_t bin) {
    const std::size_t octave = (bin >> kSubBits) + 1;
    bins_.resize(octave << kSubBits);
}

void LogHistogram::record_zeros(std::int64_t count) {
    if (count > 0) {
        if (bins_.empty()) {
            grow(0);
        }
        bins_[0].count += count;
    }
}

void LogHistogram::add(const LogHistogram& other) {
    if (bins_.size() < other.bins_.size()) {
        bins_.resize(other.bins_.size());
    }
    for (std::size_t i = 0; i < other.bins_.size(); ++i) {
        bins_[i].count += other.bins_[i].count;
        bins_[i].sum += other.bins_[i].sum;
    }
}

LogHistogram LogHistogram::since(const LogHistogram& earlier) const {
    LogHistogram difference = *this;
    for (std::size_t i = 0; i < std::min(bins_.size(), earlier.bins_.size()); ++i) {
        difference.bins_[i].count -= earlier.bins_[i].count;
        difference.bins_[i].sum -= earlier.bins_[i].sum;
    }
    return difference;
}

std::int64_t LogHistogram::count() const {
    std::int64_t total = 0;
    for (const Bin& bin : bins_) {
        total += bin.count;
    }
    return total;
}

std::int64_t LogHistogram::sum() const {
    std::int64_t total = 0;
    for (const Bin& bin : bins_) {
        total += bin.sum;
    }
    return total;
}

double LogHistogram::value_at_rank(std::int64_t rank) const {
    std::int64_t below = 0;
    for (const Bin& bin : bins_) {
        below += bin.count;
        if (rank < below) {
            return static_cast<double>(bin.sum) / static_cast<double>(bin.count);
        }
    }
    return 0.0;
}

double LogHistogram::quantile(double q) const {
    const std::int64_t n = count();
    if (n == 0) {
        return 0.0;
    }
    const double place = q * static_cast<double>(n - 1);
    const auto rank = static_cast<std::int64_t>(place);
    const double low = value_at_rank(rank);
    const double high = value_at_rank(std::min(rank + 1, n - 1));
    return low + (high - low) * (place - static_cast<double>(rank));
}

}  // namespace idlesim
