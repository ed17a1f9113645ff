// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_directory.hpp"

#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "sim/engine/check.hpp"
#include "sim/engine/hash.hpp"
#include "sim/experiment/parallel.hpp"
#include "sim/experiment/result_files.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/output_error.hpp"
#include "sim/output/result_directory.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInfo = "info.yml";
constexpr const char* kPlan = "plan.csv";
constexpr const char* kJournal = "journal";
constexpr const char* kPoints = "points.csv";
constexpr const char* kTidy = "points_tidy.csv";
constexpr const char* kFailures = "failures.csv";
constexpr const char* kPointFolder = "points";
constexpr const char* kCompressed = ".zst";

[[noreturn]] void refuse(const std::string& text) {
    throw config::ConfigError{"idlesim: " + text + '\n'};
}

std::size_t number_in(const config::Node& root, const char* key) {
    const config::Node* node = root.find(key);
    std::size_t value = 0;
    if (node != nullptr) {
        const std::string& text = node->text();
        std::from_chars(text.data(), text.data() + text.size(), value);
    }
    return value;
}

std::string text_in(const config::Node& root, const char* key) {
    const config::Node* node = root.find(key);
    return node == nullptr ? "" : node->text();
}

std::string difference(const SweepSpec& stored, const SweepSpec& now) {
    if (stored.version != now.version || stored.commit != now.commit) {
        return fmt::format("it was made by idlesim {} {}, this is {} {}",
                           stored.version,
                           stored.commit,
                           now.version,
                           now.commit);
    }
    if (stored.columns != now.columns) {
        return fmt::format("its columns are: {}; now they are: {}", stored.columns, now.columns);
    }
    return fmt::format("its stopping rule was '{}', now it is '{}'", stored.until, now.until);
}

/// Removes the tables but the one that is about to be replaced, if any.
void remove_tables(const fs::path& directory, const std::string& kept = "") {
    for (const std::string name : {kPoints, kTidy, kFailures}) {
        for (const std::string& file : {name, name + kCompressed}) {
            std::error_code ignored;
            if (file != kept) {
                fs::remove(directory / file, ignored);
            }
        }
    }
}

// What a killed process was writing. Files of ours are renamed from ".NAME.XXXXXX".
void remove_leftovers(const fs::path& directory) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator{directory, ignored}) {
        const std::string name = entry.path().filename().string();
        for (const char* ours : {kInfo, kPlan, kJournal, kPoints, kTidy, kFailures}) {
            if (name.starts_with(fmt::format(".{}.", ours))) {
                fs::remove(entry.path(), ignored);
            }
        }
    }
    for (const fs::directory_entry& entry :
         fs::directory_iterator{directory / kPointFolder, ignored}) {
        if (entry.path().filename().string().starts_with('.')) {
            fs::remove_all(entry.path(), ignored);
        }
    }
}

bool holds_something(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored) && !fs::is_empty(path, ignored);
}

}  // namespace

std::vector<std::size_t> points_of_shard(const Sweep& sweep, const Shard& shard) {
    std::vector<std::size_t> points;
    for (std::size_t i = shard.index - 1; i < sweep.points.count(); i += shard.count) {
        points.push_back(i);
    }
    return points;
}

SweepManifest manifest_of(const Sweep& sweep, const Shard& shard) {
    std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n",
                                   sweep.spec.version,
                                   sweep.spec.commit,
                                   sweep.spec.columns,
                                   sweep.spec.until,
                                   fmt::join(sweep.points.cell_names(), " "));
    text += fmt::format("{}", fmt::join(sweep.ids, "\n"));
    return {sweep.settings.name,
            sweep.points.count(),
            shard,
            fmt::format("{:016x}", hash_text(text)),
            sweep.settings.intervals,
            sweep.until.has_value(),
            sweep.seed,
            fmt::format("{:016x}", sweep.configuration)};
}

std::string manifest_text(const SweepManifest& manifest) {
    return fmt::format(
        "sweep: {}\npoints: {}\nshard: {}\nshards: {}\nplan: \"{}\"\nintervals: {}\n"
        "replications_column: {}\nseed: {}\nconfiguration_hash: \"{}\"\n",
        config::write_scalar(manifest.name, true),
        manifest.points,
        manifest.shard.index,
        manifest.shard.count,
        manifest.plan,
        manifest.intervals,
        manifest.replications,
        manifest.seed,
        manifest.configuration);
}

std::optional<SweepManifest> read_manifest(const fs::path& directory) {
    std::error_code ignored;
    if (!fs::is_regular_file(directory / kInfo, ignored)) {
        return std::nullopt;
    }
    config::Diagnostics unheard;
    const config::Node root = config::load_file((directory / kInfo).string(), unheard);
    if (!root.is_map() || root.find("sweep") == nullptr) {
        return std::nullopt;
    }
    return SweepManifest{text_in(root, "sweep"),
                         number_in(root, "points"),
                         {number_in(root, "shard"), number_in(root, "shards")},
                         text_in(root, "plan"),
                         text_in(root, "intervals") == "true",
                         text_in(root, "replications_column") == "true",
                         number_in(root, "seed"),
                         text_in(root, "configuration_hash")};
}

SweepDirectory::SweepDirectory(fs::path path,
                               const Sweep& sweep,
                               const Shard& shard,
                               Existing existing,
                               const std::string& command,
                               bool point_directories)
    : path_{std::move(path)},
      sweep_{sweep},
      manifest_{manifest_of(sweep, shard)},
      point_directories_{point_directories},
      points_{points_of_shard(sweep, shard)},
      missing_{points_} {
    const std::optional<SweepManifest> known = read_manifest(path_);
    if (existing == Existing::resume && known) {
        open_existing(command);
    } else {
        if (existing == Existing::resume && holds_something(path_)) {
            refuse(
                fmt::format("{} holds no sweep that could be resumed; choose another place with "
                            "--out, or replace what is there with --restart",
                            path_.string()));
        }
        if (existing == Existing::replace_finished && known && !has_points_table(path_)) {
            refuse(
                fmt::format("{} holds an unfinished sweep; go on with --resume, or begin anew "
                            "with --restart",
                            path_.string()));
        }
        create(command);
    }
    journal_ = std::make_unique<Journal>(path_ / kJournal);
}

fs::path SweepDirectory::of_point(std::size_t point) const {
    return path_ / kPointFolder / sweep_.ids[point];
}

void SweepDirectory::write_plan(const fs::path& folder) const {
    std::vector<std::string> columns{"index", "id"};
    for (const std::string& name : sweep_.points.cell_names()) {
        columns.push_back(name);
    }
    CsvTable plan{std::move(columns)};
    for (const std::size_t point : points_) {
        plan.cell(static_cast<std::int64_t>(point)).cell(sweep_.ids[point]);
        for (const std::string& cell : sweep_.points.cells(point)) {
            plan.cell(cell);
        }
        plan.end_row();
    }
    plan.write(folder / kPlan);
}

// It appears whole, so that a process that is killed here leaves nothing that --resume could
// stumble over.
void SweepDirectory::create(const std::string& command) {
    ResultDirectory directory{path_};
    write_plan(directory.staging());
    write_file(directory.staging() / kJournal, journal_header(sweep_.spec));
    write_file(directory.staging() / kInfo,
               info_text(sweep_.settings.name, command, manifest_text(manifest_)));
    directory.commit();
}

void SweepDirectory::open_existing(const std::string& command) {
    remove_leftovers(path_);
    JournalContents contents = read_journal(path_ / kJournal);
    if (!contents.spec) {
        refuse(
            fmt::format("the journal of {} is missing or damaged at its beginning; begin anew "
                        "with --restart",
                        path_.string()));
    }
    if (*contents.spec != sweep_.spec) {
        refuse(
            fmt::format("{} cannot be resumed: {}. Begin anew with --restart, or choose another "
                        "place with --out",
                        path_.string(),
                        difference(*contents.spec, sweep_.spec)));
    }
    if (contents.damaged) {
        std::vector<std::string> lines;
        for (const auto& [id, record] : contents.records) {
            lines.push_back(journal_line(record));
        }
        std::sort(lines.begin(), lines.end());
        write_file(path_ / kJournal,
                   fmt::format("{}{}", journal_header(sweep_.spec), fmt::join(lines, "")));
    }
    adopt(std::move(contents));
    if (!missing_.empty()) {
        remove_tables(path_);
    }
    write_plan(path_);
    write_file(path_ / kInfo, info_text(sweep_.settings.name, command, manifest_text(manifest_)));
}

/// Takes over what is finished; a failure is tried again.
void SweepDirectory::adopt(JournalContents contents) {
    missing_.clear();
    std::vector<std::size_t> kept;
    for (const std::size_t point : points_) {
        const auto found = contents.records.find(sweep_.ids[point]);
        const bool finished = found != contents.records.end() && found->second.error.empty() &&
                              (!point_directories_ || fs::exists(of_point(point) / kInfo));
        (finished ? kept : missing_).push_back(point);
    }
    // Each point has to be made to see whether it is the same as then.
    parallel_for(kept.size(), available_jobs(), [&](std::size_t i) {
        config::Diagnostics diagnostics;
        const ResolvedPoint resolved =
            sweep_.base.resolve(sweep_.points.values(kept[i]), diagnostics);
        const std::string& id = sweep_.ids[kept[i]];
        if (diagnostics.has_errors() || resolved.content != contents.records.at(id).content) {
            refuse(fmt::format(
                "{} cannot be resumed: the configuration has changed since point {} was run (the "
                "experiment, its platform, seed or replications). Begin anew with --restart, or "
                "choose another place with --out",
                path_.string(),
                id));
        }
    });
    for (const std::size_t point : kept) {
        records_.emplace(point, std::move(contents.records.at(sweep_.ids[point])));
    }
}

void SweepDirectory::add(std::size_t point, const PointRecord& record) {
    try {
        journal_->append(record);
    } catch (const OutputError& error) {
        const std::lock_guard lock{mutex_};
        const std::size_t left = points_.size() - records_.size();
        // A line of the journal, and about as much in the tables at the end.
        const std::size_t need = 2 * left * journal_line(record).size();
        throw OutputError{
            fmt::format("{}. What is finished is kept; the {} points that are left need about {} "
                        "kB, --resume goes on with them",
                        error.what(),
                        left,
                        need / 1000 + 1)};
    }
    const std::lock_guard lock{mutex_};
    records_.insert_or_assign(point, record);
}

std::size_t SweepDirectory::failures() const {
    return static_cast<std::size_t>(
        std::count_if(records_.begin(), records_.end(), [](const auto& entry) {
            return !entry.second.error.empty();
        }));
}

std::size_t SweepDirectory::finish(const TableFiles& files) {
    SweepTable table = table_of(sweep_);
    for (const std::size_t point : points_) {
        const auto record = records_.find(point);
        IDLESIM_CHECK(record != records_.end(), "a point of the sweep was not run");
        table.rows.push_back({sweep_.ids[point], sweep_.points.cells(point), record->second});
    }
    write_tables(path_, table, files);
    return failures();
}

SweepTable table_of(const Sweep& sweep) {
    SweepTable table;
    table.cell_names = sweep.points.cell_names();
    for (const MetricColumn& column : sweep.columns) {
        table.column_names.push_back(column.name);
    }
    table.replications = sweep.until.has_value();
    table.intervals = sweep.settings.intervals;
    return table;
}

bool has_points_table(const fs::path& directory) {
    std::error_code ignored;
    return fs::exists(directory / kPoints, ignored) ||
           fs::exists(directory / fmt::format("{}{}", kPoints, kCompressed), ignored);
}

void write_tables(const fs::path& directory, const SweepTable& table, const TableFiles& files) {
    const std::string points = fmt::format("{}{}", kPoints, files.suffix());
    remove_tables(directory, points);
    const CsvTable failures = failures_csv(table);
    if (failures.rows() > 0) {
        failures.write(directory / kFailures);
    }
    if (files.tidy) {
        points_tidy_csv(table).write(directory / fmt::format("{}{}", kTidy, files.suffix()));
    }
    // Last: where it is, all is there.
    points_csv(table).write(directory / points);
}

}  // namespace idlesim
