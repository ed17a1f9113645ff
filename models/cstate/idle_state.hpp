// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <string>

namespace idlesim {

/// Longest table of idle states (CPUIDLE_STATE_MAX, include/linux/cpuidle.h, 6.3).
inline constexpr int kMaxIdleStates = 10;

/// One row of the table that a cpuidle driver declares, as the governor reads it. Declared values
/// are promises, not physics: what the hardware does belongs elsewhere. The kernel keeps whole
/// nanoseconds, so the durations must be.
struct IdleState {
    std::string name;
    Duration exit_latency{};
    Duration target_residency{};
    bool polling = false;   ///< CPUIDLE_FLAG_POLLING
    bool disabled = false;  ///< at the start; governors are told the present flags
};

}  // namespace idlesim
