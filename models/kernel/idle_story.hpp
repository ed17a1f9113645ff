// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/governor/governor.hpp"
#include "sim/engine/time.hpp"

#include <string>
#include <utility>
#include <vector>

namespace idlesim {

/// Which idle interval shall be explained: that of the CPU at the time.
struct IdleQuestion {
    int cpu = 0;
    Time at{};
};

/// What was known, decided and found out about one idle interval, from the question to the governor
/// to the statistics.
struct IdleStory {
    Time begin{};
    Time end{};
    // What there was to know when the governor was asked.
    bool tick_stopped = false;  ///< already
    bool can_stop_tick = true;
    Nanoseconds tick = 0;  ///< its length
    SleepLength sleep;     ///< as the governor is told it, if it asks
    Nanoseconds latency_limit = 0;
    Nanoseconds last_residency = 0;
    std::vector<std::string> disabled;  ///< states
    // What it answered.
    bool governor_asked = true;  ///< false: the driver has a single state
    bool asked_sleep_length = false;
    IdleDecision decision;
    std::vector<std::string> why;  ///< its own words, line by line
    // What came of it.
    std::string state;  ///< name
    Duration exit_latency{};
    Duration target_residency{};
    Duration residency{};
    int miss = 0;  ///< as EnteredState::miss
    bool tick_ran = true;
    std::string cause;  ///< of the wake-up
    /// Time in hardware states, as granted, in the order of depth; empty without a physical model.
    std::vector<std::pair<std::string, Duration>> granted;
};

}  // namespace idlesim
