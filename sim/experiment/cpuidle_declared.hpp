// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cstate/idle_state.hpp"
#include "models/platform/declared_state.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/experiment/dump.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// A state of a dump, read as a row of a driver's table.
struct ImportedState {
    std::string key;  ///< unique name
    DeclaredState declared;
    std::string remark;  ///< what of it is not in the dump; empty: nothing
    bool polling = false;
};

/// The table of most CPUs, POLL included. A residency that the dump lacks is taken as twice the
/// latency, with a warning. Throws config::ConfigError where there is no cpuidle or no latency.
[[nodiscard]] std::vector<ImportedState> imported_states(const Dump& dump,
                                                         config::Diagnostics& diagnostics);

/// The same as governors read it.
[[nodiscard]] std::vector<IdleState> governor_table(const std::vector<ImportedState>& states);

}  // namespace idlesim
