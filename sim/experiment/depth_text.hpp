// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"
#include "sim/experiment/simulate.hpp"

#include <cstdint>
#include <string>

namespace idlesim {

/// How well idle states were chosen, as cpuidle_enter_state() counts it: `above` are entries that
/// were too deep for the time they lasted, `below` those that were too shallow.
struct DepthCount {
    std::uint64_t entries = 0;
    std::uint64_t too_deep = 0;
    std::uint64_t too_shallow = 0;
    Duration time{};
    Duration too_deep_time{};
    Duration too_shallow_time{};
};

/// "12 % of 500 idle entries too deep (above), with 3 % of the idle time; 40 % too shallow (below),
/// with 80 % of the idle time"
[[nodiscard]] std::string depth_text(const DepthCount& count);

/// Over all replications, CPUs and states of an arm.
[[nodiscard]] DepthCount depth_of(const ArmResult& arm);

}  // namespace idlesim
