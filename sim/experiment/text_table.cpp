// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/text_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace idlesim {
namespace {

// Code points, so that "µs" takes two places.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

bool looks_like_number(const std::string& text) {
    return text.empty() || text.find_first_not_of("+-.,0123456789 %e") == std::string::npos;
}

}  // namespace

std::string TextTable::text() const {
    const std::size_t columns = rows_.front().size();
    std::vector<std::size_t> widths(columns, 0);
    std::vector<bool> numeric(columns, true);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            widths[column] = std::max(widths[column], width_of(rows_[row][column]));
            numeric[column] =
                numeric[column] && (row == 0 || looks_like_number(rows_[row][column]));
        }
    }
    std::string text;
    for (const std::vector<std::string>& row : rows_) {
        std::string line;
        for (std::size_t column = 0; column < columns; ++column) {
            const std::string padding(widths[column] - width_of(row[column]), ' ');
            line += numeric[column] ? padding + row[column] : row[column] + padding;
            line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string rounded_text(double value) {
    if (std::isnan(value)) {
        return "";
    }
    const double magnitude = std::fabs(value);
    if (magnitude >= 1e9 || (magnitude > 0 && magnitude < 1e-3)) {
        return fmt::format("{:.4g}", value);
    }
    const int decimals = magnitude >= 1000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : 3;
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text;
}

}  // namespace idlesim
