// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace idlesim {

/// Prints what a platform file says and how much of it is known: its states, how many of its
/// numbers are documented, derived, fitted and assumed, and the range of each assumed one. False
/// where there is no platform of that name.
bool describe_platform(const std::string& name);

}  // namespace idlesim
