// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/replay_columns.hpp"
#include "sim/experiment/replay_report.hpp"
#include "sim/output/csv.hpp"
#include "sim/output/number.hpp"

#include <limits>

namespace idlesim {
namespace {

void add_csv_row(const ReplayResult& result,
                 const ReplayColumn& column,
                 const ReplayCount& count,
                 std::optional<std::size_t> state,
                 CsvTable& table) {
    const bool judged = !result.table.empty();
    const ReplayCount total = total_of(column);
    const bool known = state && *state < result.table.size();
    const Nanoseconds added =
        state ? count.wakes * latency_of(result, *state) : added_latency(result, column);
    const auto judgement = [&](std::int64_t misses) {
        table.cell(judged ? std::to_string(misses) : "");
        table.cell(judged ? percent(misses, count.entries)
                          : std::numeric_limits<double>::quiet_NaN());
    };
    table.cell(column.governor)
        .cell(state ? std::to_string(*state) : "all")
        .cell(state ? state_name(result, *state) : "")
        .cell(known ? format_us(result.table[*state].exit_latency) : "")
        .cell(known ? format_us(result.table[*state].target_residency) : "")
        .cell(count.entries)
        .cell(microseconds(count.time))
        .cell(percent(count.time, total.time));
    judgement(count.too_deep);
    judgement(count.too_shallow);
    table.cell(count.wakes)
        .cell(judged ? microseconds(added) : "")
        .cell(judged ? microseconds(count.too_deep_time) : "")
        .cell(judged ? microseconds(count.too_shallow_time) : "")
        .cell(energy_of(result, column, state).value_or(std::numeric_limits<double>::quiet_NaN()));
    table.end_row();
}

}  // namespace

std::string replay_csv(const ReplayResult& result) {
    CsvTable table{{"governor",
                    "state",
                    "name",
                    "latency_us",
                    "residency_us",
                    "entries",
                    "time_us",
                    "time_share_percent",
                    "too_deep",
                    "too_deep_percent",
                    "too_shallow",
                    "too_shallow_percent",
                    "wakes",
                    "added_latency_us",
                    "too_deep_time_us",
                    "too_shallow_time_us",
                    "energy_j"}};
    for (const ReplayColumn& column : result.columns) {
        for (std::size_t i = 0; i < column.states.size(); ++i) {
            add_csv_row(result, column, column.states[i], i, table);
        }
        add_csv_row(result, column, total_of(column), std::nullopt, table);
    }
    return table.text();
}

std::string replay_cpus_csv(const ReplayResult& result) {
    CsvTable table{{"cpu",
                    "state",
                    "name",
                    "entries",
                    "closed",
                    "time_us",
                    "unfinished",
                    "exits_without_entry",
                    "entries_after_entry",
                    "open_at_end",
                    "cut_by_loss"}};
    const auto add_gaps = [&table](const IdleGaps& gaps) {
        table.cell(gaps.exits_without_entry)
            .cell(gaps.entries_after_entry)
            .cell(gaps.open_at_end)
            .cell(gaps.cut_by_loss);
        table.end_row();
    };
    for (std::size_t cpu = 0; cpu < result.gaps.size(); ++cpu) {
        const IdleGaps& gaps = result.gaps[cpu];
        const int number = static_cast<int>(cpu);
        auto entry = result.cpu_states.lower_bound({number, 0});
        const bool slept = entry != result.cpu_states.end() && entry->first.first == number;
        if (!slept && gaps.exits_without_entry != 0) {
            table.cell(std::int64_t{number}).cell("").cell("");
            table.cell(std::int64_t{0}).cell(std::int64_t{0}).cell("0").cell(std::int64_t{0});
            add_gaps(gaps);
        }
        for (; entry != result.cpu_states.end() && entry->first.first == number; ++entry) {
            const ReplayCpuState& own = entry->second;
            const int state = entry->first.second;
            table.cell(std::int64_t{number})
                .cell(std::int64_t{state})
                .cell(state_name(result, static_cast<std::size_t>(state)))
                .cell(own.closed + own.unfinished)
                .cell(own.closed)
                .cell(microseconds(own.time))
                .cell(own.unfinished);
            add_gaps(gaps);
        }
    }
    return table.text();
}

std::string replay_wakes_csv(const ReplayResult& result) {
    CsvTable table{{"cause", "irq", "name", "wakes"}};
    for (std::size_t i = 0; i < kWakeKinds; ++i) {
        table.cell(kCauses[i]).cell("").cell("").cell(result.causes[i]);
        table.end_row();
    }
    for (const auto& [irq, count] : result.irqs) {
        const auto name = result.irq_names.find(irq);
        table.cell("one device interrupt")
            .cell(std::int64_t{irq})
            .cell(name == result.irq_names.end() ? "" : name->second)
            .cell(count);
        table.end_row();
    }
    return table.text();
}

}  // namespace idlesim
