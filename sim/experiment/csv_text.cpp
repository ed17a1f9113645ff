// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/csv_text.hpp"

#include <utility>

namespace idlesim {

CsvText parse_csv(std::string_view text) {
    CsvText csv;
    std::vector<std::string> row;
    std::string cell;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c != '"') {
                cell += c;
            } else if (i + 1 < text.size() && text[i + 1] == '"') {
                cell += '"';
                ++i;
            } else {
                quoted = false;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',' || c == '\n') {
            row.push_back(std::exchange(cell, {}));
            if (c == '\n') {
                csv.rows.push_back(std::exchange(row, {}));
            }
        } else {
            cell += c;
        }
    }
    csv.is_whole = !quoted && row.empty() && cell.empty();
    return csv;
}

}  // namespace idlesim
