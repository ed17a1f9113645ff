// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>
#include <string>

namespace idlesim {

/// Simulated time is counted in whole picoseconds: exact for every published latency, and 64 bits
/// reach 106 days. `5us` converts to it, `1.5us` does not compile.
using Duration = std::chrono::duration<std::int64_t, std::pico>;

/// The clock of the simulation. It has no now(): only a Simulation knows the present.
struct SimClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<SimClock, duration>;
    // The standard names it. NOLINTNEXTLINE(readability-identifier-naming)
    static constexpr bool is_steady = true;
};

/// A point in simulated time; Time{} is the start of the simulation.
using Time = SimClock::time_point;

/// Longest simulation. Later times are refused rather than wrapped.
inline constexpr Duration kLongestRun = std::chrono::days{100};

inline constexpr Time kEndOfTime = Time{kLongestRun};

/// Exact decimal text for messages, in the largest unit (s, ms, us, ns, ps) that leaves no
/// leading zero: "1.5 us".
std::string to_text(Duration duration);

}  // namespace idlesim
