// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/sweep.hpp"
#include "sim/experiment/sweep_journal.hpp"
#include "sim/experiment/sweep_tables.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace idlesim {

/// Share number `index` (from 1) of `count`: points index-1, index-1+count, ... of the sweep.
struct Shard {
    std::size_t index = 1;
    std::size_t count = 1;

    friend bool operator==(const Shard&, const Shard&) = default;

    [[nodiscard]] std::string text() const {
        return std::to_string(index) + '/' + std::to_string(count);
    }
};

[[nodiscard]] std::vector<std::size_t> points_of_shard(const Sweep& sweep, const Shard& shard);

/// What a directory says about the sweep that it holds a part of.
struct SweepManifest {
    std::string name;
    std::size_t points = 0;  ///< of the whole sweep
    Shard shard;
    std::string plan;  ///< hash of all ids and of what the columns are
    bool intervals = false;
    bool replications = false;  ///< they have a column
    std::uint64_t seed = 1;     ///< of the first point; a swept seed is in the plan
    std::string configuration;  ///< hash of every value that counts in the first point

    friend bool operator==(const SweepManifest&, const SweepManifest&) = default;
};

[[nodiscard]] SweepManifest manifest_of(const Sweep& sweep, const Shard& shard);
[[nodiscard]] std::string manifest_text(const SweepManifest& manifest);
/// nullopt when the directory holds no sweep.
[[nodiscard]] std::optional<SweepManifest> read_manifest(const std::filesystem::path& directory);

/// Which tables a finished sweep has.
struct TableFiles {
    bool tidy = false;  ///< points_tidy.csv too
    bool zstd = false;  ///< points.csv.zst and points_tidy.csv.zst instead

    [[nodiscard]] const char* suffix() const { return zstd ? ".zst" : ""; }
};

/// Whether the points' table is in place, so that all of the directory is there.
[[nodiscard]] bool has_points_table(const std::filesystem::path& directory);

/// How to treat a directory that holds a sweep already.
enum class Existing {
    replace_finished,  ///< begin anew, unless it holds an unfinished one
    resume,            ///< go on, if it is of the same configuration and version
    restart            ///< begin anew
};

/// The directory of a sweep while it is run: info.yml and plan.csv say what it is, the journal has
/// what is finished, and at the end points.csv and failures.csv are put in place. It is ours alone;
/// nothing in it is locked, and every file but the journal appears whole.
class SweepDirectory {
public:
    /// Throws config::ConfigError when there is something that may not be replaced or continued,
    /// OutputError when it cannot be written.
    SweepDirectory(std::filesystem::path path,
                   const Sweep& sweep,
                   const Shard& shard,
                   Existing existing,
                   const std::string& command,
                   bool point_directories = false);

    /// The result of one point: a directory as `run --out` writes it. A point without it is not
    /// finished where point_directories were asked for.
    [[nodiscard]] std::filesystem::path of_point(std::size_t point) const;

    /// Points of the shard that are not finished.
    [[nodiscard]] const std::vector<std::size_t>& missing() const { return missing_; }

    [[nodiscard]] std::size_t reused() const { return points_.size() - missing_.size(); }

    /// Keeps a finished point. From any thread.
    void add(std::size_t point, const PointRecord& record);

    /// Writes the tables; every point of the shard must have been added. The number of failures.
    std::size_t finish(const TableFiles& files);

    [[nodiscard]] std::size_t failures() const;

private:
    void create(const std::string& command);
    void open_existing(const std::string& command);
    void adopt(JournalContents contents);
    void write_plan(const std::filesystem::path& folder) const;

    std::filesystem::path path_;
    const Sweep& sweep_;
    SweepManifest manifest_;
    bool point_directories_;
    std::vector<std::size_t> points_;
    std::vector<std::size_t> missing_;
    std::unique_ptr<Journal> journal_;
    std::mutex mutex_;
    std::unordered_map<std::size_t, PointRecord> records_;
};

/// The columns of a sweep's tables, without rows.
[[nodiscard]] SweepTable table_of(const Sweep& sweep);

/// Writes points.csv, failures.csv and, where wanted, points_tidy.csv; removes what was not wanted.
void write_tables(const std::filesystem::path& directory,
                  const SweepTable& table,
                  const TableFiles& files);

}  // namespace idlesim
