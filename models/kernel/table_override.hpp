// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/registered_state.hpp"

#include <string_view>
#include <vector>

namespace idlesim {

/// The parameter `table` of intel_idle (7.0): "name:latency:residency,..." in microseconds replaces
/// the declared numbers of the states that it names. POLL cannot be changed; a latency is above 0
/// and at most 5 ms, a residency at least the latency and at most 100 ms, and both rise from state
/// to state. Throws DriverError where the kernel would ignore the parameter.
void override_table(std::vector<RegisteredState>& states, std::string_view table);

}  // namespace idlesim
