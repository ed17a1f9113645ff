// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// The rows of a CSV text as CsvTable writes it (RFC 4180), header included.
struct CsvText {
    std::vector<std::vector<std::string>> rows;
    /// False where a quote stays open or the last line has no end; that line is left out.
    bool is_whole = true;
};

[[nodiscard]] CsvText parse_csv(std::string_view text);

}  // namespace idlesim
