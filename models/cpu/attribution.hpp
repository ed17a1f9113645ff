// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/check.hpp"
#include "sim/engine/time.hpp"
#include "sim/stats/sample_table.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// Index of a step's column in a sample.
using StepId = std::uint16_t;

constexpr std::size_t kMaxSteps = 96;

/// Names of the steps that samples are explained by, in order of first use.
class StepNames {
public:
    /// The step of that name, made on first use. More than kMaxSteps is a broken invariant.
    StepId id(std::string_view name);

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

private:
    std::vector<std::string> names_;
};

/// The path of one measured event through the machine: from its start it follows whoever works
/// on it (a CPU, a message on the fabric, a hardware exit), and every stretch of time goes to
/// the step that took it. The steps add up to the elapsed time, to the picosecond, because each
/// mark closes what the one before it opened.
class Attribution {
public:
    void start(Time now) {
        for (std::size_t i = 0; i < count_; ++i) {
            place_[parts_[i].step] = 0;
        }
        count_ = 0;
        begin_ = now;
        last_ = now;
    }

    /// The time since the last mark belongs to `step`.
    void mark(StepId step, Time now) {
        std::uint8_t& place = place_[step];
        if (place == 0) {
            parts_[count_] = {step, Duration::zero()};
            place = static_cast<std::uint8_t>(++count_);
        }
        parts_[place - 1U].duration += now - last_;
        last_ = now;
    }

    /// The time from the last mark to `end`, which may lie before it when the event came late into
    /// the step, belongs to `step`.
    void mark_until(StepId step, Time end) {
        if (end > last_) {
            mark(step, end);
        }
    }

    /// Leaves a step out, as if it had taken no time: what a tool subtracts as its own overhead.
    void leave_out(StepId step) {
        const std::uint8_t place = place_[step];
        if (place != 0) {
            begin_ += parts_[place - 1U].duration;
            parts_[place - 1U].duration = Duration::zero();
        }
    }

    /// From the start to the last mark, what was left out not counted.
    [[nodiscard]] Duration total() const { return last_ - begin_; }

    [[nodiscard]] Time begin() const { return begin_; }

    [[nodiscard]] Time last() const { return last_; }

    /// The steps that were marked, in the order of their first mark.
    [[nodiscard]] std::span<const StepPart> parts() const { return {parts_.data(), count_}; }

    /// Zero for a step that was not marked.
    [[nodiscard]] Duration of(StepId step) const {
        return place_[step] == 0 ? Duration::zero() : parts_[place_[step] - 1U].duration;
    }

private:
    Time begin_{};
    Time last_{};
    std::size_t count_ = 0;
    std::array<StepPart, kMaxSteps> parts_{};
    std::array<std::uint8_t, kMaxSteps> place_{};  // of a step among parts_, counted from 1
};

}  // namespace idlesim
