// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/stored_result.hpp"

#include "sim/config/diagnostics.hpp"
#include "sim/config/load.hpp"
#include "sim/experiment/csv_text.hpp"
#include "sim/experiment/result_files.hpp"
#include "sim/experiment/sweep_directory.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& text) {
    throw config::ConfigError{"idlesim: " + text + '\n'};
}

std::string text_in(const config::Node& root, const char* key) {
    const config::Node* node = root.find(key);
    return node == nullptr ? "" : node->text();
}

/// NaN for an empty cell.
bool read_double(const std::string& text, double& out) {
    if (text.empty()) {
        out = std::numeric_limits<double>::quiet_NaN();
        return true;
    }
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, out);
    return error == std::errc{} && last == end;
}

std::vector<std::vector<std::string>> read_table(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        refuse(fmt::format("{} cannot be read; the result is not complete", path.string()));
    }
    std::ostringstream text;
    text << file.rdbuf();
    return parse_csv(text.str()).rows;
}

/// info.yml of a directory that idlesim wrote, in the format that this one reads.
config::Node read_info(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        refuse(
            fmt::format("there is no '{}'; compare takes directories that `idlesim run --out` "
                        "or `idlesim sweep --out` wrote",
                        path.string()));
    }
    const fs::path file = path / "info.yml";
    if (!fs::is_regular_file(file, ignored)) {
        refuse(
            fmt::format("{} holds no result (no info.yml); compare takes directories that "
                        "`idlesim run --out` or `idlesim sweep --out` wrote",
                        path.string()));
    }
    config::Diagnostics diagnostics;
    config::Node info = config::load_file(file.string(), diagnostics);
    diagnostics.throw_if_errors();
    const std::string tool = info.is_map() ? text_in(info, "toolname") : "";
    if (tool != "idlesim") {
        refuse(fmt::format("{} is a result of {}, not of idlesim",
                           path.string(),
                           tool.empty() ? "something else" : tool));
    }
    const std::string format = text_in(info, "format_version");
    if (format != std::to_string(kResultFormatVersion)) {
        refuse(
            fmt::format("{} has format {}, idlesim {} wrote it; this one reads format {}: run "
                        "it again (its info.yml names the command)",
                        path.string(),
                        format.empty() ? "none" : format,
                        text_in(info, "toolver"),
                        kResultFormatVersion));
    }
    return info;
}

class SummaryReader {
public:
    explicit SummaryReader(StoredResult& result) : result_{result} {}

    void read() {
        const fs::path path = result_.path / "summary.csv";
        const auto rows = read_table(path);
        const std::vector<std::string> columns{
            "arm", "replication", "metric", "stat", "value", "unit", "ci_low", "ci_high"};
        if (rows.empty() || rows.front() != columns) {
            refuse(fmt::format(
                "{}:1: expected the columns {}", path.string(), fmt::join(columns, ",")));
        }
        for (std::size_t i = 1; i < rows.size(); ++i) {
            if (rows[i].size() != columns.size() || !add(rows[i])) {
                refuse(fmt::format("{}:{}: this is no row of a summary; the file was changed",
                                   path.string(),
                                   i + 1));
            }
        }
        if (result_.keys.empty()) {
            refuse(fmt::format("{} has no values: the run measured nothing", path.string()));
        }
    }

private:
    bool add(const std::vector<std::string>& row) {
        double number = 0;
        if (!read_double(row[4], number)) {
            return false;
        }
        const std::string& arm = row[0];
        if (std::find(result_.arms.begin(), result_.arms.end(), arm) == result_.arms.end()) {
            result_.arms.push_back(arm);
        }
        const std::string series = fmt::format("{}.{}", arm, row[2]);
        const StoredKey key{"", fmt::format("{}.{}", series, row[3])};
        const auto [place, is_new] = result_.values.try_emplace(key);
        if (is_new) {
            place->second.series = series;
            result_.keys.push_back(key);
        }
        if (row[1] == "all") {
            place->second.all = number;
            place->second.unit = row[5];
        } else {
            place->second.replications.push_back(number);
        }
        return true;
    }

    StoredResult& result_;
};

/// The statistics of a sweep's journal; differences between arms follow from them.
void read_sweep(StoredResult& result, const SweepManifest& manifest) {
    result.kind = StoredResult::Kind::sweep;
    result.name = manifest.name;
    result.seed = manifest.seed;
    result.configuration = manifest.configuration;
    const auto plan = read_table(result.path / "plan.csv");
    const JournalContents journal = read_journal(result.path / "journal");
    if (plan.empty() || !journal.spec) {
        refuse(
            fmt::format("{} has lost its plan or its journal; run the sweep again with "
                        "--resume",
                        result.path.string()));
    }
    const std::vector<std::string>& header = plan.front();
    result.seed_is_swept = std::find(header.begin(), header.end(), "seed") != header.end();
    std::vector<std::string> names;
    std::istringstream columns{journal.spec->columns};
    for (std::string name; columns >> name;) {
        names.push_back(name);
    }
    for (std::size_t i = 1; i < plan.size(); ++i) {
        if (plan[i].size() != header.size()) {
            refuse(
                fmt::format("{}/plan.csv:{}: this is no row of a plan; run the sweep again "
                            "with --resume",
                            result.path.string(),
                            i + 1));
        }
        const std::string& id = plan[i][1];
        std::string& point = result.points[id];
        for (std::size_t c = 2; c < header.size(); ++c) {
            point += fmt::format("{}{}={}", c == 2 ? "" : " ", header[c], plan[i][c]);
        }
        const auto record = journal.records.find(id);
        if (record == journal.records.end() || record->second.values.size() != names.size()) {
            ++result.unfinished;
            continue;
        }
        for (std::size_t c = 0; c < names.size(); ++c) {
            const RecordedValue& recorded = record->second.values[c];
            if (names[c].ends_with(".delta_percent")) {
                continue;
            }
            StoredValue value;
            value.unit = recorded.unit;
            static_cast<void>(read_double(recorded.value, value.all));
            std::istringstream numbers{recorded.replications};
            for (std::string number; numbers >> number;) {
                static_cast<void>(read_double(number, value.replications.emplace_back()));
            }
            StoredKey key{id, names[c]};
            result.keys.push_back(key);
            result.values.emplace(std::move(key), std::move(value));
        }
    }
}

}  // namespace

StoredResult read_stored_result(const fs::path& path) {
    StoredResult result;
    const std::string file = path.filename().string();
    const bool is_table = file == "points.csv" || file == "points.csv.zst" || file == "summary.csv";
    result.path = is_table ? path.parent_path() : path;
    if (result.path.empty()) {
        result.path = ".";
    }
    const config::Node info = read_info(result.path);
    result.version = text_in(info, "toolver");
    if (const std::string commit = text_in(info, "commit"); !commit.empty()) {
        result.version += ' ' + commit;
    }
    if (const auto manifest = read_manifest(result.path)) {
        read_sweep(result, *manifest);
        return result;
    }
    std::error_code ignored;
    if (!fs::exists(result.path / "summary.csv", ignored)) {
        refuse(fmt::format("{} holds neither a run (summary.csv) nor a sweep (plan.csv)",
                           result.path.string()));
    }
    result.name = text_in(info, "reportid");
    const std::string seed = text_in(info, "seed");
    std::from_chars(seed.data(), seed.data() + seed.size(), result.seed);
    result.configuration = text_in(info, "configuration_hash");
    SummaryReader{result}.read();
    const fs::path effective = result.path / "effective.yaml";
    if (fs::is_regular_file(effective, ignored)) {
        config::Diagnostics unheard;
        result.effective = config::load_file(effective.string(), unheard);
    }
    return result;
}

}  // namespace idlesim
