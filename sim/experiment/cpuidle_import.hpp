// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/experiment/dump.hpp"

#include <string>
#include <string_view>

namespace idlesim {

/// The first words of a file that import wrote: it may be replaced.
inline constexpr std::string_view kImportMark = "# Imported by idlesim cpuidle import";

/// A platform file for the machine of the dump. Its table of states is the dump's. Everything
/// physical is that of the nearest shipped platform and marked as assumed with half and twice its
/// value as the range; energy is not reported.
[[nodiscard]] std::string imported_platform(const Dump& dump,
                                            const std::string& name,
                                            config::Diagnostics& diagnostics);

}  // namespace idlesim
