// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/sweep_journal.hpp"
#include "sim/output/csv.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// Everything that the tables of a sweep are made of, from one machine or merged from several.
struct SweepTable {
    std::vector<std::string> cell_names;    ///< of the swept parameters
    std::vector<std::string> column_names;  ///< of the values
    bool replications = false;              ///< they differ between points and have a column
    bool intervals = false;

    struct Row {
        std::string id;
        std::vector<std::string> cells;
        PointRecord record;
    };

    std::vector<Row> rows;
};

/// id, swept parameters, values: one row per point. A failed point has empty values.
[[nodiscard]] CsvTable points_csv(const SweepTable& table);
/// id, swept parameters, arm, metric, stat, value, unit, ci_low, ci_high: one row per value. A
/// paired difference has the stat "p50.delta_percent".
[[nodiscard]] CsvTable points_tidy_csv(const SweepTable& table);
/// id, swept parameters, error: one row per point that failed.
[[nodiscard]] CsvTable failures_csv(const SweepTable& table);

}  // namespace idlesim
