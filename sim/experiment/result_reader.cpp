// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/result_reader.hpp"

#include "sim/config/diagnostics.hpp"
#include "sim/config/load.hpp"
#include "sim/experiment/csv_text.hpp"
#include "sim/experiment/result_files.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

[[noreturn]] void complain(const std::string& path, std::string_view what) {
    throw config::ConfigError{fmt::format("{}: error: {}\n", path, what)};
}

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        complain(path.string(), "cannot be read");
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string text_of(const config::Node& root, const char* key) {
    const config::Node* node = root.find(key);
    return node == nullptr ? "" : node->text();
}

}  // namespace

ResultTable::ResultTable(const std::filesystem::path& path) : path_{path.string()} {
    CsvText csv = parse_csv(content_of(path));
    rows_ = std::move(csv.rows);
    const auto ragged = [this](const std::vector<std::string>& row) {
        return row.size() != rows_.front().size();
    };
    if (!csv.is_whole || rows_.empty() || std::any_of(rows_.begin(), rows_.end(), ragged)) {
        complain(path_, "is empty or damaged: run the experiment again");
    }
    header_ = std::move(rows_.front());
    rows_.erase(rows_.begin());
}

const std::string& ResultTable::at(std::size_t row, std::string_view column) const {
    const auto found = std::find(header_.begin(), header_.end(), column);
    if (found == header_.end()) {
        complain(path_,
                 fmt::format("lacks the column {}: it is from another version of idlesim, or was "
                             "changed",
                             column));
    }
    return rows_[row][static_cast<std::size_t>(found - header_.begin())];
}

double ResultTable::number(std::size_t row, std::string_view column) const {
    const std::string& text = at(row, column);
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
    return good ? value : std::numeric_limits<double>::quiet_NaN();
}

ResultInfo read_result_info(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / "info.yml";
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        complain(folder.string(),
                 "no result of idlesim: it has no info.yml; `idlesim run EXPERIMENT --out DIR` "
                 "writes one");
    }
    config::Diagnostics diagnostics;
    const config::Node root = config::load_file(path.string(), diagnostics);
    diagnostics.throw_if_errors();
    if (!root.is_map() || text_of(root, "toolname") != "idlesim") {
        complain(path.string(), "was not written by idlesim");
    }
    if (const std::string format = text_of(root, "format_version");
        format != std::to_string(kResultFormatVersion)) {
        complain(path.string(),
                 fmt::format("has format_version {} (idlesim {}), this program reads {}: run the "
                             "experiment again",
                             format,
                             text_of(root, "toolver"),
                             kResultFormatVersion));
    }
    return {text_of(root, "reportid"),
            text_of(root, "title"),
            text_of(root, "toolver"),
            text_of(root, "commit"),
            text_of(root, "date"),
            text_of(root, "command"),
            text_of(root, "seed"),
            text_of(root, "replications")};
}

}  // namespace idlesim
