// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/distribution.hpp"
#include "sim/engine/random.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace idlesim {

/// Poisson arrivals whose rate alternates between two phases.
class ModulatedPoisson {
public:
    struct Phase {
        std::optional<Duration> mean_gap;  ///< absent: nothing arrives
        Distribution length;
    };

    ModulatedPoisson(Phase first, Phase second)
        : phases_{Mode{std::move(first)}, Mode{std::move(second)}} {}

    // What is left of a gap when the phase ends is drawn anew: an exponential has no memory.
    Duration next_gap(RandomStream& random) {
        Duration waited{};
        for (;;) {
            Mode& mode = phases_[current_];
            if (left_ == Duration::zero()) {
                left_ = mode.phase.length.sample(random);
            }
            if (mode.phase.mean_gap) {
                const Duration gap = mode.gap.sample(random);
                if (gap < left_) {
                    left_ -= gap;
                    return waited + gap;
                }
            }
            waited += left_;
            left_ = Duration::zero();
            current_ = 1 - current_;
        }
    }

private:
    struct Mode {
        explicit Mode(Phase of)
            : phase{std::move(of)},
              gap{Distribution::exponential(phase.mean_gap.value_or(Duration{1}))} {}

        Phase phase;
        Distribution gap;
    };

    std::array<Mode, 2> phases_;
    std::size_t current_ = 0;
    Duration left_{};
};

/// Arrivals a second of two rates, each in force for its mean time.
[[nodiscard]] inline double mean_rate(double first,
                                      Duration for_first,
                                      double second,
                                      Duration for_second) {
    const auto a = static_cast<double>(for_first.count());
    const auto b = static_cast<double>(for_second.count());
    return (first * a + second * b) / (a + b);
}

}  // namespace idlesim
