// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace idlesim {

/// The file that a user means: a path, or the name of a file in `folder` of the data folders
/// ("01_zen3_ipi_wake"). Throws UsageError with the nearest name when there is none.
[[nodiscard]] std::filesystem::path find_input(const std::string& name,
                                               const std::filesystem::path& folder);

}  // namespace idlesim
