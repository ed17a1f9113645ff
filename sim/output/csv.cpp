// SPDX-License-Identifier: Apache-2.0
#include "sim/output/csv.hpp"

#include "sim/engine/check.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/number.hpp"

#include <array>

namespace idlesim {

std::string csv_cell(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos) {
        return std::string{text};
    }
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') {
            quoted += '"';
        }
        quoted += c;
    }
    quoted += '"';
    return quoted;
}

CsvTable::CsvTable(std::vector<std::string> columns) : columns_{columns.size()} {
    for (const std::string& column : columns) {
        cell(std::string_view{column});
    }
    end_row();
    rows_ = 0;
}

void CsvTable::separate() {
    if (filled_++ > 0) {
        text_ += ',';
    }
}

CsvTable& CsvTable::cell(std::string_view text) {
    separate();
    text_ += csv_cell(text);
    return *this;
}

CsvTable& CsvTable::cell(std::int64_t value) {
    separate();
    std::array<char, kLongestDecimal> digits{};
    text_.append(digits.data(), write_integer(digits.data(), value));
    return *this;
}

CsvTable& CsvTable::cell(double value) {
    separate();
    text_ += format_number(value);
    return *this;
}

void CsvTable::end_row() {
    IDLESIM_CHECK(filled_ == columns_, "a CSV row has as many cells as its header");
    text_ += '\n';
    filled_ = 0;
    ++rows_;
}

void CsvTable::write(const std::filesystem::path& path) const {
    write_file(path, text_);
}

}  // namespace idlesim
