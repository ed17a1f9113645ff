// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/scenario.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace idlesim {

// How the tree of an arm comes about, of an experiment or of a point of a sweep.

[[nodiscard]] const config::Fields<Scenario>& scenario_fields();

/// The keys that an experiment and its arms share: platform, kernel, workload...
[[nodiscard]] std::vector<std::string> scenario_keys();

/// The tree of the platform that a scalar names; an invalid node, reported, when there is none.
/// `portable_names` learns what each file that was read is called on every machine.
[[nodiscard]] config::Node named_platform(const config::Node& name,
                                          const std::filesystem::path& naming_file,
                                          config::Diagnostics& diagnostics,
                                          std::map<std::string, std::string>& portable_names);

/// What the experiment says of a scenario, with the arm's own words (a map, or nothing) laid over
/// it. A platform of its own replaces the shared one; a map only changes some of its values.
[[nodiscard]] config::Node arm_tree(const config::Node& experiment,
                                    const config::Node& arm,
                                    bool has_own_platform);

/// The keys of a scenario in the order in which they are declared, wherever defaults were added.
void put_in_order(config::Node& scenario);

}  // namespace idlesim
