// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/experiment/replay.hpp"

#include <string>

namespace idlesim {

/// For people: what was read, what woke the CPUs, and for each governor, the record first, its
/// states.
[[nodiscard]] std::string replay_text(const ReplayResult& result, const std::string& path);

/// A row for each governor and state, and one for each governor with `all` as the state.
[[nodiscard]] std::string replay_csv(const ReplayResult& result);

/// The record: a row for each CPU and state that was entered.
[[nodiscard]] std::string replay_cpus_csv(const ReplayResult& result);

/// What ended the recorded idle intervals.
[[nodiscard]] std::string replay_wakes_csv(const ReplayResult& result);

/// Warns about what makes the results less than they seem: events that are missing or could not be
/// read, states that the table lacks, timers that are not in the trace.
void check_replay(const ReplayResult& result,
                  const std::string& path,
                  config::Diagnostics& diagnostics);

}  // namespace idlesim
