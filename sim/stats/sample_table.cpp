// SPDX-License-Identifier: Apache-2.0
#include "sim/stats/sample_table.hpp"

#include "sim/engine/check.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace idlesim {

SampleTable::SampleTable(std::string metric, std::vector<std::string> steps, std::int64_t row_limit)
    : metric_{std::move(metric)},
      steps_{std::move(steps)},
      row_limit_{row_limit},
      histograms_(steps_.size()) {}

PackedPart* SampleTable::room_for(std::size_t parts) {
    if (used_in_last_block_ + parts > kBlockParts) {
        blocks_.emplace_back(new PackedPart[kBlockParts]);
        used_in_last_block_ = 0;
    }
    PackedPart* const room = blocks_.back().get() + used_in_last_block_;
    used_in_last_block_ += parts;
    return room;
}

void SampleTable::keep_row(Time at, int cpu, Duration value, std::span<const StepPart> parts) {
    if (row_limit_ > 0 && row_count() == row_limit_) {
        // The sample at hand is number row_count() * stride_; it survives only where the doubled
        // stride still hits it.
        const std::int64_t index = row_count() * stride_;
        thin_rows(2 * stride_);
        if (index % stride_ != 0) {
            return;
        }
    }
    PackedPart* const room = room_for(parts.size());
    std::transform(
        parts.begin(), parts.end(), room, [](const StepPart& part) { return PackedPart{part}; });
    rows_.push_back({at, value, room, static_cast<std::uint32_t>(parts.size()), cpu});
}

SampleRow SampleTable::row(std::int64_t index) const {
    const Row& row = rows_[static_cast<std::size_t>(index)];
    return {row.at, row.value, row.cpu, {row.parts, row.part_count}};
}

// The parts of dropped rows stay where they are: a limited table grows with the logarithm of its
// samples.
void SampleTable::thin_rows(std::int64_t stride) {
    IDLESIM_CHECK(std::has_single_bit(static_cast<std::uint64_t>(stride)),
                  "a row stride must be a power of two");
    if (stride <= stride_) {
        return;
    }
    const auto step = static_cast<std::size_t>(stride / stride_);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows_.size(); i += step) {
        rows_[kept++] = rows_[i];
    }
    rows_.resize(kept);
    stride_ = stride;
}

LogHistogram SampleTable::step_histogram(std::size_t step) const {
    LogHistogram histogram = histograms_[step];
    histogram.record_zeros(count() - histogram.count());
    return histogram;
}

}  // namespace idlesim
