// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace idlesim {

/// Prints the program of an idle strategy, operation by operation: where interrupts are on, and
/// with a platform what each costs there and how that is known. `state` is one that the platform
/// declares; empty: its first. Throws UsageError for a platform or state that does not exist, and
/// where the platform lacks a cost.
void describe_program(const std::string& strategy,
                      const std::string& platform,
                      const std::string& state);

}  // namespace idlesim
