// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/experiment/dump.hpp"

namespace idlesim {

/// Warns about whatever in a dump misleads its reader: no cpuidle, missing files, residencies and
/// latencies out of order, states that are off, several tables, counters that contradict each
/// other, a power that is none. Each of them once for a class of CPUs.
void check_dump(const Dump& dump, config::Diagnostics& diagnostics);

}  // namespace idlesim
