// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/experiment/dump.hpp"

namespace idlesim {

/// What happened between two dumps of a machine: a dump whose counters are `after` minus `before`.
///
/// CPUs that only one of them has, or whose counters ran backwards, are left out with a warning.
/// Throws config::ConfigError when nothing is left, or when a state has another name in the other
/// dump.
[[nodiscard]] Dump difference(const Dump& before,
                              const Dump& after,
                              config::Diagnostics& diagnostics);

}  // namespace idlesim
