// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"
#include "sim/stats/trace.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace idlesim {

/// One row of the idle-state table, the same for all CPUs.
struct IdlestatState {
    std::string name;
    Duration target_residency{};
};

/// Where a CPU sits: cores are numbered within their package.
struct IdlestatCpu {
    int package = 0;
    int core = 0;
};

/// Writes a trace as a native file of idlestat 0.8, for `idlestat --import`: the machine and its
/// state table, which idlestat would otherwise take from the computer that it runs on, then the
/// events that it understands. `cpus` has one entry per CPU of the trace.
///
/// Not written: cpu_idle_miss, which idlestat takes for a cpu_idle with its fields swapped, and
/// interrupts of a busy CPU, which wake nothing up.
void write_idlestat(const std::filesystem::path& path,
                    const Trace& trace,
                    const std::vector<IdlestatState>& states,
                    const std::vector<IdlestatCpu>& cpus);

}  // namespace idlesim
