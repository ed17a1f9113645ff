// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cstate/idle_state.hpp"
#include "models/governor/governor.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/experiment/replay.hpp"
#include "sim/registry/registry.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// The states that the kernel would register on a platform file, given by name or path: those of
/// intel_idle where it has a table for it, else of acpi_idle, else of the haltpoll driver. Throws
/// config::ConfigError.
[[nodiscard]] std::vector<IdleState> platform_table(const std::string& name);

/// What these states take by the same platform's physical part; empty where it has none.
[[nodiscard]] std::vector<StateEnergy> platform_energy(const std::string& name);

/// The states of a sysfs dump.
[[nodiscard]] std::vector<IdleState> dump_table(const std::string& path,
                                                config::Diagnostics& diagnostics);

/// A governor by its name, or with parameters as in an experiment: "{governor: fixed, state: C6}".
/// Throws config::ConfigError.
[[nodiscard]] Choice<Governor> governor_choice(const std::string& text);

}  // namespace idlesim
