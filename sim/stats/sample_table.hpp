// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"
#include "sim/stats/log_histogram.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace idlesim {

/// A share of a sample's value and the step that took it.
struct StepPart {
    std::uint16_t step = 0;
    Duration duration{};
};

/// A StepPart in 8 bytes, as it is kept by the million: up to 1023 steps of up to 5 hours.
class PackedPart {
public:
    PackedPart() = default;

    explicit PackedPart(const StepPart& part)
        : bits_{(std::uint64_t{part.step} << kDurationBits) |
                static_cast<std::uint64_t>(part.duration.count())} {}

    [[nodiscard]] std::uint16_t step() const {
        return static_cast<std::uint16_t>(bits_ >> kDurationBits);
    }

    [[nodiscard]] Duration duration() const {
        return Duration{static_cast<std::int64_t>(bits_ & kDurationMask)};
    }

private:
    static constexpr unsigned kDurationBits = 54;
    static constexpr std::uint64_t kDurationMask = (std::uint64_t{1} << kDurationBits) - 1;

    std::uint64_t bits_ = 0;
};

/// One sample with its parts; a step that is not among them took nothing.
struct SampleRow {
    Time at{};
    Duration value{};
    int cpu = 0;
    std::span<const PackedPart> parts;
};

/// The samples of one metric of one run, each explained by steps that add up to it.
/// Kept: every value, so quantiles are exact; per step a histogram of its durations (sum exact,
/// quantiles within LogHistogram::kRelativeError); and whole rows (time, cpu, value, steps) of
/// every n-th sample. n is a power of two: it starts at 1 and doubles whenever more than
/// `row_limit` rows would be kept, so that memory stays bounded and the rows stay evenly spread.
class SampleTable {
public:
    SampleTable() = default;
    /// `row_limit` <= 0 keeps every row.
    SampleTable(std::string metric, std::vector<std::string> steps, std::int64_t row_limit);

    /// Room for so many values, where their number is known.
    void reserve(std::int64_t samples) { values_.reserve(static_cast<std::size_t>(samples)); }

    /// `parts` name each step at most once, none is negative, and they add up to `value`.
    void record(Time at, int cpu, Duration value, std::span<const StepPart> parts) {
        const auto index = static_cast<std::int64_t>(values_.size());
        values_.push_back(value.count());
        for (const StepPart& part : parts) {
            histograms_[part.step].record(part.duration.count());
        }
        if ((index & (stride_ - 1)) == 0) {
            keep_row(at, cpu, value, parts);
        }
    }

    [[nodiscard]] const std::string& metric() const { return metric_; }

    [[nodiscard]] const std::vector<std::string>& steps() const { return steps_; }

    /// Number of samples recorded, kept as rows or not.
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(values_.size()); }

    /// Every value in picoseconds, in the order in which it was recorded.
    [[nodiscard]] const std::vector<std::int64_t>& values() const { return values_; }

    /// Durations of one step in picoseconds over all samples; an absent step counts as zero.
    [[nodiscard]] LogHistogram step_histogram(std::size_t step) const;

    /// Did the step take any time in any sample?
    [[nodiscard]] bool has_step(std::size_t step) const { return histograms_[step].sum() > 0; }

    /// Rows are kept of samples 0, n, 2n...; this is n.
    [[nodiscard]] std::int64_t row_stride() const { return stride_; }

    [[nodiscard]] std::int64_t row_count() const { return static_cast<std::int64_t>(rows_.size()); }

    /// Drops rows until only every `stride`-th sample (a power of two) has one.
    void thin_rows(std::int64_t stride);

    /// A kept row; its parts live as long as the table keeps them.
    [[nodiscard]] SampleRow row(std::int64_t index) const;

private:
    // Blocks instead of one vector: a run that keeps every row never copies what it has.
    static constexpr std::size_t kBlockParts = std::size_t{1} << 16U;

    struct Row {
        Time at;
        Duration value;
        const PackedPart* parts;
        std::uint32_t part_count;
        int cpu;
    };

    void keep_row(Time at, int cpu, Duration value, std::span<const StepPart> parts);
    PackedPart* room_for(std::size_t parts);

    std::string metric_;
    std::vector<std::string> steps_;
    std::int64_t row_limit_ = 0;
    std::int64_t stride_ = 1;
    std::vector<std::int64_t> values_;
    std::vector<LogHistogram> histograms_;
    std::vector<Row> rows_;
    std::vector<std::unique_ptr<PackedPart[]>> blocks_;
    std::size_t used_in_last_block_ = kBlockParts;
};

}  // namespace idlesim
