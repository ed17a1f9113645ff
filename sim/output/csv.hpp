// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// A comma-separated table in memory, built cell by cell; RFC 4180 quoting, "\n" line ends. Every
/// row must have as many cells as the header.
class CsvTable {
public:
    explicit CsvTable(std::vector<std::string> columns);

    CsvTable& cell(std::string_view text);
    CsvTable& cell(std::int64_t value);
    /// NaN makes an empty cell.
    CsvTable& cell(double value);
    void end_row();

    [[nodiscard]] const std::string& text() const { return text_; }

    [[nodiscard]] std::size_t rows() const { return rows_; }

    void write(const std::filesystem::path& path) const;

private:
    void separate();

    std::string text_;
    std::size_t columns_ = 0;
    std::size_t filled_ = 0;
    std::size_t rows_ = 0;
};

/// `text` as one CSV cell, quoted only where it must be.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace idlesim
