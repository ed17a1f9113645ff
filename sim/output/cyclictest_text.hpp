// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace idlesim {

/// One thread of cyclictest.
struct CyclictestThread {
    int pid = 0;
    int priority = 0;  ///< 0 or the SCHED_FIFO priority
    int cpu = 0;
    Duration interval{};
    std::span<const std::int64_t> latencies;  ///< in picoseconds, one per cycle, in order
};

/// The machine as `uname` shows it.
struct CyclictestMachine {
    std::string node_name;
    std::string release;
    std::string version;
    std::string architecture = "x86_64";
    bool realtime = false;  ///< a PREEMPT_RT kernel
};

/// A run of cyclictest with the options that show in its output.
struct CyclictestRun {
    std::vector<CyclictestThread> threads;
    bool nanoseconds = false;               ///< -N; else everything is in microseconds
    std::int64_t histogram = 0;             ///< -h: number of bins, of one unit each
    std::optional<Duration> latency_limit;  ///< what went into /dev/cpu_dma_latency, if anything
    std::string command;
    std::string tool_version;
    CyclictestMachine machine;
    Duration start{};  ///< in simulated time, which began with 1970
    Duration end{};
};

// The three outputs as text, byte for byte as cyclictest 2.4 of Debian 12 prints them. As there, a
// latency is a whole number of the unit, rounded down, and all else is computed from such numbers.

/// The closing lines, one per thread: "T: 0 (25807) P: 0 I:1000 C:    500 Min:     27 ...".
[[nodiscard]] std::string cyclictest_summary(const CyclictestRun& run);

/// What -h prints instead. Latencies beyond the last bin are overflows.
[[nodiscard]] std::string cyclictest_histogram(const CyclictestRun& run);

/// The file of --json. It holds simulated dates, so equal runs write equal files.
[[nodiscard]] std::string cyclictest_json(const CyclictestRun& run);

}  // namespace idlesim
