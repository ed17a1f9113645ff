// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/describe.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// The kinds of files that have a schema: experiment, platform, sweep, calibration.
[[nodiscard]] const std::vector<std::string>& schema_names();

/// JSON Schema (draft 7) of a kind of file, from the tables that read it: for editors, by way of
/// yaml-language-server. It finds unknown keys, wrong types, missing units, names that do not
/// exist; what depends on several values stays with `idlesim check`. std::out_of_range for another
/// name.
[[nodiscard]] std::string json_schema(std::string_view name);

/// The same of a file that consists of these parameters.
[[nodiscard]] std::string json_schema_of(const std::string& title,
                                         const std::vector<config::FieldDescription>& fields);

}  // namespace idlesim
