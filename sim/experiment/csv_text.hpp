// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// The rows of a CSV text as CsvTable writes it, header included; a last line without its end is
/// left out.
[[nodiscard]] std::vector<std::vector<std::string>> parse_csv(std::string_view text);

}  // namespace idlesim
