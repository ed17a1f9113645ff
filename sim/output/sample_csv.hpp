// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/output/atomic_file.hpp"
#include "sim/stats/sample_table.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace idlesim {

/// samples.csv: replication,time_us,cpu,<metric>_ns, then <step>_ns for every step that took time
/// in any of the tables. Times are exact decimals, so the steps add up to the metric in the file
/// too. Built for millions of rows.
class SampleCsv {
public:
    /// `tables` belong to one arm: the same metric and steps, one per replication.
    SampleCsv(const std::filesystem::path& path, const std::vector<const SampleTable*>& tables);

    /// Appends every kept row of `table`, one of those that the constructor saw.
    void add(int replication, const SampleTable& table);

    void commit() { file_.commit(); }

private:
    char* write_row(char* out, int replication, const SampleRow& row);

    AtomicFile file_;
    std::vector<std::uint16_t> columns_;          // steps, in the order of their columns
    std::vector<std::int64_t> step_picoseconds_;  // [step], of the row at hand
};

}  // namespace idlesim
