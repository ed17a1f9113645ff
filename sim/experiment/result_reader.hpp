// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// A CSV file that idlesim wrote.
class ResultTable {
public:
    /// Throws ConfigError for a file that is missing, empty or damaged.
    explicit ResultTable(const std::filesystem::path& path);

    [[nodiscard]] std::size_t rows() const { return rows_.size(); }

    /// Throws ConfigError where there is no such column: the file is from another version.
    [[nodiscard]] const std::string& at(std::size_t row, std::string_view column) const;

    /// NaN for an empty cell and for one that is no number.
    [[nodiscard]] double number(std::size_t row, std::string_view column) const;

private:
    std::string path_;
    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> rows_;
};

/// What info.yml of a result says.
struct ResultInfo {
    std::string report;
    std::string title;
    std::string version;
    std::string commit;
    std::string date;
    std::string command;
    std::string seed;
    std::string replications;
};

/// Throws ConfigError for a folder that holds no result of this format.
[[nodiscard]] ResultInfo read_result_info(const std::filesystem::path& folder);

}  // namespace idlesim
