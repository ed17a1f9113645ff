// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace idlesim {

/// Order of events at one instant; within a phase the earlier insertion runs first.
enum class Phase : std::uint8_t {
    /// Retune, gate and ungate: everything after it sees the new clock.
    clock_change,
    /// Sources assert, the APIC latches: a wake that arrives at the very instant of an entry
    /// must be seen by the entry.
    interrupt,
    /// C-state transitions and package votes, once all wakes of the instant are known: an entry
    /// is aborted rather than entered and left.
    state_change,
    /// Idle loop, handlers, workload: software acts on settled hardware.
    execute,
    /// Probes and statistics windows see the instant as it ended.
    observe,
    /// Stop, dump, end of warm-up: last, so that the final instant is complete.
    control,
};

}  // namespace idlesim
