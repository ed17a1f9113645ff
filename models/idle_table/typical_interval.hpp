// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace idlesim {

/// The last idle times of a CPU in microseconds, as menu keeps them.
using IntervalRing = std::array<std::uint32_t, 8>;

/// "No typical interval", and the mark that an entry that did not happen leaves in the ring.
inline constexpr std::uint32_t kNoInterval = 0xffffffff;

// menu's search for a pattern: the average of the samples if their spread is small, after outliers
// have been dropped as long as more than six samples are left (get_typical_interval() of
// drivers/cpuidle/governors/menu.c). Results in microseconds.

/// 6.3: drops long samples only, and gives up when all samples are `prediction` or longer.
[[nodiscard]] std::uint32_t typical_interval_below(const IntervalRing& ring,
                                                   std::uint32_t prediction);

/// 6.12: drops long samples only.
[[nodiscard]] std::uint32_t typical_interval_one_sided(const IntervalRing& ring);

/// What to answer when four to six samples are left that do not agree.
enum class FewSamples : std::uint8_t { none, largest };

/// 6.15 and later: drops whichever extreme is farther from the average. FewSamples::largest is the
/// rule of 6.15 to 6.18-rc2 (85975daeaa4d, reverted by 10fad4012234).
[[nodiscard]] std::uint32_t typical_interval_two_sided(const IntervalRing& ring, FewSamples few);

}  // namespace idlesim
