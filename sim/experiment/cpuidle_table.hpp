// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/dump.hpp"

#include <string>

namespace idlesim {

/// What the counters of a dump, or of a difference, are about.
enum class CpuidleSpan : std::uint8_t { since_boot, between_dumps };

/// For people: the table of all CPUs, one of each class where there are several, what of it was too
/// deep or too shallow in words, and a line for each CPU. Shares of idle time add up to 100.
[[nodiscard]] std::string cpuidle_text(const Dump& dump, CpuidleSpan span);

/// The same for programs: a row for each state of all CPUs, of each class and of each CPU.
[[nodiscard]] std::string cpuidle_csv(const Dump& dump);

/// Shares of a whole in hundredths of a percent that add up to exactly 100 %, or to 0 where there
/// is nothing to share: what rounding leaves goes to the largest remainders.
[[nodiscard]] std::vector<int> shares_of(const std::vector<std::uint64_t>& parts);

}  // namespace idlesim
