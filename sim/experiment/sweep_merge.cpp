// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_merge.hpp"

#include "sim/experiment/csv_text.hpp"
#include "sim/experiment/result_files.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/result_directory.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& text) {
    throw config::ConfigError{"idlesim: " + text + '\n'};
}

struct ShardFiles {
    fs::path path;
    SweepManifest manifest;
    std::vector<std::vector<std::string>> plan;
    JournalContents journal;
};

ShardFiles read_shard(const fs::path& path) {
    ShardFiles shard{path, {}, {}, {}};
    const auto manifest = read_manifest(path);
    if (!manifest) {
        refuse(fmt::format("{} holds no sweep", path.string()));
    }
    shard.manifest = *manifest;
    std::ifstream file{path / "plan.csv", std::ios::binary};
    std::ostringstream text;
    text << file.rdbuf();
    shard.plan = parse_csv(text.str()).rows;
    shard.journal = read_journal(path / "journal");
    if (shard.plan.empty() || !shard.journal.spec) {
        refuse(fmt::format("{} has lost its plan or its journal; run that shard again",
                           path.string()));
    }
    return shard;
}

void check_together(const std::vector<ShardFiles>& shards) {
    const ShardFiles& first = shards.front();
    std::vector<const ShardFiles*> by_index(first.manifest.shard.count, nullptr);
    for (const ShardFiles& shard : shards) {
        SweepManifest same = shard.manifest;
        same.shard.index = first.manifest.shard.index;
        if (same != first.manifest || *shard.journal.spec != *first.journal.spec) {
            refuse(
                fmt::format("{} and {} are not shards of one sweep (another sweep file, "
                            "configuration, seed, version, or division)",
                            first.path.string(),
                            shard.path.string()));
        }
        const std::size_t index = shard.manifest.shard.index;
        if (index == 0 || index > by_index.size()) {
            refuse(fmt::format(
                "{}: shard {} does not exist", shard.path.string(), shard.manifest.shard.text()));
        }
        const ShardFiles*& place = by_index[index - 1];
        if (place != nullptr) {
            refuse(fmt::format("{} and {} are the same shard, {}",
                               place->path.string(),
                               shard.path.string(),
                               shard.manifest.shard.text()));
        }
        place = &shard;
    }
    std::vector<std::size_t> absent;
    for (std::size_t i = 0; i < by_index.size(); ++i) {
        if (by_index[i] == nullptr) {
            absent.push_back(i + 1);
        }
    }
    if (!absent.empty()) {
        refuse(fmt::format(
            "of {} shards these are missing: {}", by_index.size(), fmt::join(absent, ", ")));
    }
}

/// Rows of all shards in point order.
SweepTable merged_table(const std::vector<ShardFiles>& shards) {
    const SweepManifest& manifest = shards.front().manifest;
    SweepTable table;
    const std::vector<std::string>& header = shards.front().plan.front();
    constexpr std::ptrdiff_t kPlanColumns = 2;
    table.cell_names.assign(header.begin() + kPlanColumns, header.end());
    std::istringstream names{shards.front().journal.spec->columns};
    for (std::string name; names >> name;) {
        table.column_names.push_back(name);
    }
    table.replications = manifest.replications;
    table.intervals = manifest.intervals;
    table.rows.resize(manifest.points);
    for (const ShardFiles& shard : shards) {
        std::size_t unfinished = 0;
        for (std::size_t i = 1; i < shard.plan.size(); ++i) {
            const std::vector<std::string>& row = shard.plan[i];
            const std::size_t index =
                shard.manifest.shard.index - 1 + (i - 1) * shard.manifest.shard.count;
            const auto record =
                row.size() > 1 ? shard.journal.records.find(row[1]) : shard.journal.records.end();
            if (row.size() != header.size() || row[0] != std::to_string(index) ||
                index >= table.rows.size()) {
                refuse(fmt::format("the plan of {} is damaged; resume that shard",
                                   shard.path.string()));
            }
            if (record == shard.journal.records.end()) {
                ++unfinished;
                continue;
            }
            table.rows[index] = {row[1], {row.begin() + kPlanColumns, row.end()}, record->second};
        }
        if (unfinished > 0) {
            refuse(
                fmt::format("{} is not finished: {} of its {} points are missing; run it again "
                            "with --resume",
                            shard.path.string(),
                            unfinished,
                            shard.plan.size() - 1));
        }
    }
    for (const SweepTable::Row& row : table.rows) {
        if (row.id.empty()) {
            refuse("a shard's plan has lost points; resume that shard");
        }
    }
    return table;
}

std::string journal_of(const SweepSpec& spec, const SweepTable& table) {
    std::string text = journal_header(spec);
    for (const SweepTable::Row& row : table.rows) {
        text += journal_line(row.record);
    }
    return text;
}

CsvTable plan_of(const SweepTable& table) {
    std::vector<std::string> columns{"index", "id"};
    columns.insert(columns.end(), table.cell_names.begin(), table.cell_names.end());
    CsvTable plan{std::move(columns)};
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        plan.cell(static_cast<std::int64_t>(i)).cell(table.rows[i].id);
        for (const std::string& cell : table.rows[i].cells) {
            plan.cell(cell);
        }
        plan.end_row();
    }
    return plan;
}

}  // namespace

MergeResult merge_shards(const std::vector<fs::path>& paths,
                         const fs::path& out,
                         const TableFiles& files,
                         const std::string& command) {
    std::vector<ShardFiles> shards;
    for (const fs::path& path : paths) {
        shards.push_back(read_shard(path));
    }
    check_together(shards);
    const SweepTable table = merged_table(shards);
    SweepManifest manifest = shards.front().manifest;
    manifest.shard = {};
    ResultDirectory directory{out};
    const fs::path& folder = directory.staging();
    plan_of(table).write(folder / "plan.csv");
    write_file(folder / "journal", journal_of(*shards.front().journal.spec, table));
    write_tables(folder, table, files);
    write_file(folder / "info.yml", info_text(manifest.name, command, manifest_text(manifest)));
    directory.commit();
    MergeResult result{table.rows.size(), 0};
    for (const SweepTable::Row& row : table.rows) {
        result.failures += std::size_t{!row.record.error.empty()};
    }
    return result;
}

}  // namespace idlesim
