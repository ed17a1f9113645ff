// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_tables.hpp"

#include <string_view>

namespace idlesim {
namespace {

/// Units of the columns, from the first point that has values.
std::vector<std::string> units_of(const SweepTable& table) {
    std::vector<std::string> units(table.column_names.size());
    for (const SweepTable::Row& row : table.rows) {
        if (row.record.values.size() == units.size()) {
            for (std::size_t i = 0; i < units.size(); ++i) {
                units[i] = row.record.values[i].unit;
            }
            break;
        }
    }
    return units;
}

/// What the name of a value consists of.
struct NameParts {
    std::string_view arm;
    std::string_view metric;
    std::string_view stat;
};

// An arm's name and a stat may hold dots ("p99.9"), a metric does not.
NameParts parts_of(std::string_view name) {
    for (const std::string& metric : metric_names()) {
        const std::size_t at = name.find('.' + metric + '.');
        if (at != std::string_view::npos) {
            return {name.substr(0, at), metric, name.substr(at + metric.size() + 2)};
        }
    }
    return {"", name, ""};
}

std::vector<std::string> leading_columns(const SweepTable& table) {
    std::vector<std::string> columns{"id"};
    columns.insert(columns.end(), table.cell_names.begin(), table.cell_names.end());
    return columns;
}

void add_leading_cells(CsvTable& csv, const SweepTable::Row& row) {
    csv.cell(row.id);
    for (const std::string& cell : row.cells) {
        csv.cell(cell);
    }
}

}  // namespace

CsvTable points_csv(const SweepTable& table) {
    std::vector<std::string> columns = leading_columns(table);
    if (table.replications) {
        columns.emplace_back("replications");
    }
    const std::vector<std::string> units = units_of(table);
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::string suffix = units[i] == "ns" ? "_ns" : "";
        columns.push_back(table.column_names[i] + suffix);
        if (table.intervals) {
            columns.push_back(table.column_names[i] + ".ci_low" + suffix);
            columns.push_back(table.column_names[i] + ".ci_high" + suffix);
        }
    }
    CsvTable csv{std::move(columns)};
    for (const SweepTable::Row& row : table.rows) {
        add_leading_cells(csv, row);
        if (table.replications) {
            csv.cell(std::int64_t{row.record.replications});
        }
        for (std::size_t i = 0; i < units.size(); ++i) {
            const RecordedValue value =
                i < row.record.values.size() ? row.record.values[i] : RecordedValue{};
            csv.cell(value.value);
            if (table.intervals) {
                csv.cell(value.low).cell(value.high);
            }
        }
        csv.end_row();
    }
    return csv;
}

CsvTable points_tidy_csv(const SweepTable& table) {
    std::vector<std::string> columns = leading_columns(table);
    for (const char* name : {"arm", "metric", "stat", "value", "unit", "ci_low", "ci_high"}) {
        columns.emplace_back(name);
    }
    CsvTable csv{std::move(columns)};
    for (const SweepTable::Row& row : table.rows) {
        for (std::size_t i = 0; i < row.record.values.size(); ++i) {
            const RecordedValue& value = row.record.values[i];
            const NameParts name = parts_of(table.column_names[i]);
            add_leading_cells(csv, row);
            csv.cell(name.arm)
                .cell(name.metric)
                .cell(name.stat)
                .cell(value.value)
                .cell(value.unit)
                .cell(value.low)
                .cell(value.high);
            csv.end_row();
        }
    }
    return csv;
}

CsvTable failures_csv(const SweepTable& table) {
    std::vector<std::string> columns = leading_columns(table);
    columns.emplace_back("error");
    CsvTable csv{std::move(columns)};
    for (const SweepTable::Row& row : table.rows) {
        if (!row.record.error.empty()) {
            add_leading_cells(csv, row);
            csv.cell(row.record.error);
            csv.end_row();
        }
    }
    return csv;
}

}  // namespace idlesim
