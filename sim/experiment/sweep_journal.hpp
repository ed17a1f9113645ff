// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/sweep.hpp"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace idlesim {

/// A value of a point as text that goes into tables unchanged; empty where unknown.
struct RecordedValue {
    std::string value;
    std::string low;
    std::string high;
    std::string unit;
    /// Of each replication, between spaces, where there are several; two sweeps of one seed are
    /// paired by them. None of a paired difference.
    std::string replications;

    friend bool operator==(const RecordedValue&, const RecordedValue&) = default;
};

/// A point that ended.
struct PointRecord {
    std::string id;
    std::uint64_t content = 0;
    int replications = 0;
    std::string error;                  ///< of a point that failed, else empty
    std::vector<RecordedValue> values;  ///< one per column; none where it failed

    friend bool operator==(const PointRecord&, const PointRecord&) = default;
};

/// One line of a journal, line end included: a checksum, then fields between tabs.
[[nodiscard]] std::string journal_line(const PointRecord& record);
/// nullopt for what is torn or changed.
[[nodiscard]] std::optional<PointRecord> parse_journal_line(std::string_view line);
/// The first line of a journal.
[[nodiscard]] std::string journal_header(const SweepSpec& spec);

/// What a journal holds.
struct JournalContents {
    std::optional<SweepSpec> spec;  ///< absent: no journal, or one that cannot be read
    std::unordered_map<std::string, PointRecord> records;  ///< by id, the last of each
    bool damaged = false;                                  ///< some line was unreadable
};

[[nodiscard]] JournalContents read_journal(const std::filesystem::path& path);

/// Appends to a journal: a record goes out in one write and belongs to the kernel before append()
/// returns, so that the death of the process loses none and tears none but the last.
class Journal {
public:
    explicit Journal(std::filesystem::path path);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    Journal(Journal&&) = delete;
    Journal& operator=(Journal&&) = delete;
    ~Journal();

    /// From any thread. Throws OutputError, and leaves no part of the record behind.
    void append(const PointRecord& record);

private:
    std::filesystem::path path_;
    int descriptor_ = -1;
    std::mutex mutex_;
};

}  // namespace idlesim
