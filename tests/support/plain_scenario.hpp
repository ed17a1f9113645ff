// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/scenario.hpp"
#include "sim/config/load.hpp"

#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace idlesim::test {

/// A scenario on a given platform, with background interrupts and 1000 ticks a second; `workload`
/// is a YAML map. Throws std::runtime_error with the diagnostics where it is wrong.
inline Scenario plain_scenario(const PlatformSpec& platform,
                               const std::string& strategy,
                               const std::string& version,
                               const std::string& workload) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(
        fmt::format("kernel: {{ version: \"{}\", hz: 1000 }}\nidle: {{ strategy: {} }}\n"
                    "workload: {}\ninterrupts: [{{ kind: background }}]\n"
                    "platform: {{ name: x, vendor: AMD, topology: {{}}, core_clock: 1 GHz, "
                    "costs: {{}} }}\n",
                    version,
                    strategy,
                    workload),
        "plain_scenario",
        diagnostics);
    Scenario scenario;
    config::read(root, parameters(static_cast<const Scenario*>(nullptr)), scenario, diagnostics);
    if (diagnostics.has_errors()) {
        throw std::runtime_error{diagnostics.render()};
    }
    scenario.platform = platform;
    return scenario;
}

}  // namespace idlesim::test
