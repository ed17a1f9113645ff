// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/platform.hpp"

#include <string>

namespace idlesim {

/// Prints what a platform file says and how much of it is known: its states, how many of its
/// numbers are documented, derived, fitted and assumed, and the range of each assumed one. False
/// where there is no platform of that name.
bool describe_platform(const std::string& name);

/// A platform by its name or path. Throws UsageError where there is none, ConfigError for a file
/// that is wrong.
[[nodiscard]] PlatformSpec read_platform(const std::string& name);

}  // namespace idlesim
