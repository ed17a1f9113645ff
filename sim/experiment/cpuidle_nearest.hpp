// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/platform.hpp"
#include "sim/experiment/cpuidle_declared.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// The shipped platform whose table is most like an imported one: same states by how they are
/// entered, else by name; nearest latencies and residencies.
struct NearestPlatform {
    std::string file;  ///< as `extends:` names it
    PlatformSpec platform;
    bool by_acpi = false;  ///< its table acpi_states, not idle_states
    /// For each imported state but POLL the hardware state that its likeness asks for.
    std::vector<std::string> hardware;
};

/// Throws config::ConfigError when no shipped platform has a table.
[[nodiscard]] NearestPlatform nearest_platform(const std::vector<ImportedState>& states,
                                               bool by_acpi);

}  // namespace idlesim
