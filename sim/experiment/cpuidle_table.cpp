// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/cpuidle_table.hpp"

#include "sim/experiment/text_table.hpp"
#include "sim/output/csv.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace idlesim {
namespace {

using Value = std::optional<std::uint64_t>;

std::string text_of(const Value& value) {
    return value ? std::to_string(*value) : "-";
}

double ratio(const Value& part, const Value& whole) {
    return part && whole && *whole != 0 ? static_cast<double>(*part) / static_cast<double>(*whole)
                                        : std::numeric_limits<double>::quiet_NaN();
}

std::string percent_text(const Value& part, const Value& whole) {
    const double value = 100 * ratio(part, whole);
    return std::isnan(value) ? "-" : fmt::format("{:.2f}", value);
}

std::string share_text(int hundredths) {
    return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

/// Shares of idle time, empty where a state does not tell its time.
std::vector<int> time_shares(const DumpGroup& group) {
    std::vector<std::uint64_t> times;
    for (const DumpState& state : group.states) {
        if (!state.value(DumpValue::time)) {
            return {};
        }
        times.push_back(*state.value(DumpValue::time));
    }
    return shares_of(times);
}

std::string status_of(const DumpState& state) {
    const Value& disable = state.value(DumpValue::disable);
    std::string status = !disable ? "-" : state.is_off() ? "off" : "on";
    if (state.default_status == "disabled") {
        status += ", default off";
    }
    return status;
}

std::string table_text(const DumpGroup& group) {
    const std::vector<int> shares = time_shares(group);
    TextTable table{{"state",
                     "name",
                     "desc",
                     "exit_us",
                     "residency_us",
                     "status",
                     "entries",
                     "time_us",
                     "time_%",
                     "mean_us",
                     "too_deep",
                     "%",
                     "too_shallow",
                     "%",
                     "rejected"}};
    for (std::size_t i = 0; i < group.states.size(); ++i) {
        const DumpState& state = group.states[i];
        const Value& usage = state.value(DumpValue::usage);
        const double mean = ratio(state.value(DumpValue::time), usage);
        table.add({std::to_string(state.index),
                   state.title(),
                   state.desc.empty() ? "-" : state.desc,
                   text_of(state.value(DumpValue::latency)),
                   text_of(state.value(DumpValue::residency)),
                   status_of(state),
                   text_of(usage),
                   text_of(state.value(DumpValue::time)),
                   shares.empty() ? "-" : share_text(shares[i]),
                   std::isnan(mean) ? "-" : fmt::format("{:.1f}", mean),
                   text_of(state.value(DumpValue::above)),
                   percent_text(state.value(DumpValue::above), usage),
                   text_of(state.value(DumpValue::below)),
                   percent_text(state.value(DumpValue::below), usage),
                   text_of(state.value(DumpValue::rejected))});
    }
    return table.text();
}

/// "1234 of 5678 entries (21.73 %)"
std::string part_text(const Value& part, const Value& whole) {
    return fmt::format(
        "{} of {} entries ({} %)", text_of(part), text_of(whole), percent_text(part, whole));
}

void say_state(const DumpState& state, std::string& text) {
    const Value& usage = state.value(DumpValue::usage);
    if (state.value(DumpValue::above).value_or(0) != 0) {
        text += fmt::format("  {}: {} were too deep: over before the {} us that it takes to pay\n",
                            state.title(),
                            part_text(state.value(DumpValue::above), usage),
                            text_of(state.value(DumpValue::residency)));
    }
    if (state.value(DumpValue::below).value_or(0) != 0) {
        text += fmt::format("  {}: {} were too shallow: long enough for the next deeper state\n",
                            state.title(),
                            part_text(state.value(DumpValue::below), usage));
    }
}

std::string verdict_text(const DumpGroup& group) {
    const Value usage = group.total(DumpValue::usage);
    const Value above = group.total(DumpValue::above);
    const Value below = group.total(DumpValue::below);
    if (!usage || !above || !below) {
        return "  The kernel did not count which entries were too deep or too shallow.\n";
    }
    std::string text;
    for (const DumpState& state : group.states) {
        say_state(state, text);
    }
    const std::uint64_t right = *usage - std::min(*usage, *above + *below);
    return text + fmt::format("  All states: {} were too deep, {} too shallow, {} right.\n",
                              part_text(above, usage),
                              part_text(below, usage),
                              part_text(right, usage));
}

/// A line for each CPU: shares of time by state, and the misses.
std::string cpu_lines(const Dump& dump, const DumpGroup& group) {
    std::vector<std::string> header{"CPU", "entries", "idle_us"};
    for (const DumpState& state : group.states) {
        header.push_back(state.title() + "_%");
    }
    header.insert(header.end(), {"too_deep", "%", "too_shallow", "%"});
    TextTable table{header};
    for (const DumpCpu& cpu : dump.cpus) {
        if (std::find(group.cpus.begin(), group.cpus.end(), cpu.number) == group.cpus.end()) {
            continue;
        }
        const DumpGroup own = group_of(dump, cpu);
        const Value usage = own.total(DumpValue::usage);
        std::vector<std::string> row{
            own.label, text_of(usage), text_of(own.total(DumpValue::time))};
        const std::vector<int> shares = time_shares(own);
        for (std::size_t i = 0; i < own.states.size(); ++i) {
            row.push_back(shares.empty() ? "-" : share_text(shares[i]));
        }
        for (const DumpValue which : {DumpValue::above, DumpValue::below}) {
            row.push_back(text_of(own.total(which)));
            row.push_back(percent_text(own.total(which), usage));
        }
        table.add(row);
    }
    return table.text();
}

std::string head_text(const Dump& dump, CpuidleSpan span) {
    return fmt::format("{}: {}{}{}, {} CPU{} ({}{}), counters {}\n",
                       dump.path,
                       to_text(dump.format),
                       dump.driver.empty() ? "" : ", driver " + dump.driver,
                       dump.governor.empty() ? "" : ", governor " + dump.governor,
                       dump.cpus.size(),
                       dump.cpus.size() == 1 ? "" : "s",
                       dump.numbered ? "" : "#",
                       cpu_list(all_of(dump).cpus),
                       span == CpuidleSpan::since_boot ? "since boot" : "between the two dumps");
}

void add_rows(const DumpGroup& group, const std::string& label, CsvTable& table) {
    const Value total = group.total(DumpValue::time);
    const auto cell = [&table](const Value& value) {
        table.cell(value ? std::to_string(*value) : "");
    };
    for (const DumpState& state : group.states) {
        const Value& usage = state.value(DumpValue::usage);
        table.cell(label).cell(std::int64_t{state.index}).cell(state.title()).cell(state.desc);
        cell(state.value(DumpValue::latency));
        cell(state.value(DumpValue::residency));
        table.cell(state.default_status);
        cell(state.value(DumpValue::disable));
        table.cell(static_cast<std::int64_t>(group.cpus.size()));
        for (const DumpValue which : {DumpValue::usage,
                                      DumpValue::time,
                                      DumpValue::above,
                                      DumpValue::below,
                                      DumpValue::rejected}) {
            cell(state.value(which));
        }
        table.cell(100 * ratio(state.value(DumpValue::time), total))
            .cell(ratio(state.value(DumpValue::time), usage))
            .cell(100 * ratio(state.value(DumpValue::above), usage))
            .cell(100 * ratio(state.value(DumpValue::below), usage));
        table.end_row();
    }
}

}  // namespace

std::vector<int> shares_of(const std::vector<std::uint64_t>& parts) {
    constexpr std::uint64_t kWhole = 10000;
    const std::uint64_t total = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
    std::vector<int> shares(parts.size(), 0);
    if (total == 0) {
        return shares;
    }
    // In floating point, since 10000 times a counter need not fit into 64 bits.
    std::vector<double> remainders(parts.size(), 0);
    int given = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double exact =
            static_cast<double>(parts[i]) / static_cast<double>(total) * double{kWhole};
        shares[i] = static_cast<int>(exact);
        remainders[i] = exact - shares[i];
        given += shares[i];
    }
    for (; given < static_cast<int>(kWhole); ++given) {
        const auto largest = std::max_element(remainders.begin(), remainders.end());
        ++shares[static_cast<std::size_t>(largest - remainders.begin())];
        *largest = -1;
    }
    return shares;
}

std::string cpuidle_text(const Dump& dump, CpuidleSpan span) {
    if (dump.cpus.empty()) {
        return fmt::format("{}: no cpuidle; {} CPU{} ({}) without idle states\n",
                           dump.path,
                           dump.cpus_without_cpuidle.size(),
                           dump.cpus_without_cpuidle.size() == 1 ? "" : "s",
                           cpu_list(dump.cpus_without_cpuidle));
    }
    std::string text = head_text(dump, span);
    const DumpGroup all = all_of(dump);
    text += "\n" + table_text(all) + "\n" + verdict_text(all);
    const std::vector<DumpGroup> classes = classes_of(dump);
    for (const DumpGroup& group : classes) {
        if (classes.size() > 1) {
            text += fmt::format("\nCPUs {}\n", group.label) + table_text(group) + "\n" +
                    verdict_text(group);
        }
        if (dump.cpus.size() > 1) {
            text += "\n" + cpu_lines(dump, group);
        }
    }
    return text;
}

std::string cpuidle_csv(const Dump& dump) {
    CsvTable table{{"cpu",
                    "state",
                    "name",
                    "desc",
                    "latency_us",
                    "residency_us",
                    "default_status",
                    "disable",
                    "cpus",
                    "usage",
                    "time_us",
                    "above",
                    "below",
                    "rejected",
                    "time_share_percent",
                    "mean_us",
                    "too_deep_percent",
                    "too_shallow_percent"}};
    if (!dump.cpus.empty()) {
        add_rows(all_of(dump), "all", table);
    }
    const std::vector<DumpGroup> classes = classes_of(dump);
    for (const DumpGroup& group : classes) {
        // The rows of a class of one CPU are those of the CPU.
        if (classes.size() > 1 && group.cpus.size() > 1) {
            add_rows(group, group.label, table);
        }
    }
    for (const DumpCpu& cpu : dump.cpus) {
        const DumpGroup group = group_of(dump, cpu);
        add_rows(group, group.label, table);
    }
    return table.text();
}

}  // namespace idlesim
