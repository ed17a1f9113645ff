// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/replay_report.hpp"

#include "sim/experiment/cpuidle_table.hpp"
#include "sim/experiment/depth_text.hpp"
#include "sim/experiment/replay_columns.hpp"
#include "sim/experiment/text_table.hpp"

#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace idlesim {
namespace {

std::string percent_text(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? "-" : fmt::format("{:.2f}", percent(part, whole));
}

std::string mean_text(Nanoseconds sum, std::int64_t count) {
    constexpr double kNanosecondsPerMicrosecond = 1000;
    return count == 0 ? "-"
                      : fmt::format("{:.2f}",
                                    static_cast<double>(sum) / static_cast<double>(count) /
                                        kNanosecondsPerMicrosecond);
}

std::string joules_text(std::optional<double> joules) {
    return joules ? fmt::format("{:.4g}", *joules) : "-";
}

/// The column's mistakes in words, by count and by time.
std::string verdict_sentence(const ReplayResult& result, const ReplayColumn& column) {
    if (result.table.empty()) {
        return {};
    }
    const ReplayCount total = total_of(column);
    DepthCount depth;
    depth.entries = static_cast<std::uint64_t>(total.entries);
    depth.too_deep = static_cast<std::uint64_t>(total.too_deep);
    depth.too_shallow = static_cast<std::uint64_t>(total.too_shallow);
    depth.time = std::chrono::nanoseconds{total.time};
    depth.too_deep_time = std::chrono::nanoseconds{total.too_deep_time};
    depth.too_shallow_time = std::chrono::nanoseconds{total.too_shallow_time};
    return fmt::format("{}: {}.\n", column.governor, depth_text(depth));
}

void add_text_rows(const ReplayResult& result, const ReplayColumn& column, TextTable& table) {
    const bool judged = !result.table.empty();
    const ReplayCount total = total_of(column);
    std::vector<std::uint64_t> times;
    for (const ReplayCount& count : column.states) {
        times.push_back(static_cast<std::uint64_t>(count.time));
    }
    const std::vector<int> shares = shares_of(times);
    const auto add = [&](const std::string& state,
                         const ReplayCount& count,
                         const std::string& share,
                         Nanoseconds added,
                         std::optional<double> joules) {
        table.add({column.governor,
                   state,
                   std::to_string(count.entries),
                   share,
                   judged ? std::to_string(count.too_deep) : "-",
                   judged ? percent_text(count.too_deep, count.entries) : "-",
                   judged ? std::to_string(count.too_shallow) : "-",
                   judged ? percent_text(count.too_shallow, count.entries) : "-",
                   std::to_string(count.wakes),
                   judged ? mean_text(added, count.wakes) : "-",
                   joules_text(joules)});
    };
    for (std::size_t i = 0; i < column.states.size(); ++i) {
        const ReplayCount& count = column.states[i];
        add(state_name(result, i),
            count,
            fmt::format("{}.{:02}", shares[i] / 100, shares[i] % 100),
            count.wakes * latency_of(result, i),
            energy_of(result, column, i));
    }
    add("all",
        total,
        total.time == 0 ? "0.00" : "100.00",
        added_latency(result, column),
        energy_of(result, column, std::nullopt));
}

std::string head_text(const ReplayResult& result, const std::string& path) {
    const FtraceSummary& trace = result.trace;
    std::vector<int> cpus;
    for (const auto& entry : result.cpu_states) {
        if (cpus.empty() || cpus.back() != entry.first.first) {
            cpus.push_back(entry.first.first);
        }
    }
    return fmt::format("{}: {} events, {} of them cpu_idle, in {} us; {} CPU{} ({}) slept\n",
                       path,
                       trace.events,
                       trace.idle_events,
                       microseconds(trace.last_time - trace.first_time),
                       cpus.size(),
                       cpus.size() == 1 ? "" : "s",
                       cpu_list(cpus));
}

std::string cause_text(const ReplayResult& result) {
    const std::int64_t all =
        std::accumulate(result.causes.begin(), result.causes.end(), std::int64_t{0});
    TextTable table{{"woken by", "wakes", "%"}};
    for (std::size_t i = 0; i < kWakeKinds; ++i) {
        if (result.causes[i] != 0) {
            table.add({std::string{kCauses[i]},
                       std::to_string(result.causes[i]),
                       percent_text(result.causes[i], all)});
        }
    }
    for (const auto& [irq, count] : result.irqs) {
        const auto name = result.irq_names.find(irq);
        table.add(
            {fmt::format("  IRQ {} {}", irq, name == result.irq_names.end() ? "" : name->second),
             std::to_string(count),
             percent_text(count, all)});
    }
    return table.text();
}

}  // namespace

std::string replay_text(const ReplayResult& result, const std::string& path) {
    TextTable table{{"governor",
                     "state",
                     "entries",
                     "time_%",
                     "too_deep",
                     "%",
                     "too_shallow",
                     "%",
                     "wakes",
                     "latency_us",
                     "energy_J"}};
    for (const ReplayColumn& column : result.columns) {
        add_text_rows(result, column, table);
    }
    std::string text = head_text(result, path) + "\n" + cause_text(result) + "\n" + table.text();
    if (!result.table.empty()) {
        text += '\n';
        for (const ReplayColumn& column : result.columns) {
            text += verdict_sentence(result, column);
        }
    }
    if (result.table.empty()) {
        text +=
            "\nNothing was decided anew: name the table of idle states with --platform or "
            "--dump.\n";
    } else {
        text +=
            "\nlatency_us: mean declared exit latency that a wake-up waits for. energy_J: of the "
            "idle cores alone, by\nthe platform's physical part. The idle periods are the "
            "recorded ones.\n";
    }
    return text;
}

void check_replay(const ReplayResult& result,
                  const std::string& path,
                  config::Diagnostics& diagnostics) {
    const FtraceSummary& trace = result.trace;
    const auto warn = [&](std::string text, int line = 0) {
        diagnostics.warning({path, line, line == 0 ? 0 : 1}, std::move(text));
    };
    if (trace.unreadable > 0) {
        warn(fmt::format("{} line{} left out, no ftrace text; expected \"COMM-PID [CPU] TIME: "
                         "EVENT: FIELDS\". The first is here",
                         trace.unreadable,
                         trace.unreadable == 1 ? "" : "s"),
             trace.first_unreadable_line);
    }
    if (trace.cut_line != 0) {
        warn("the trace ends within a line: it was cut off; expected a line feed", trace.cut_line);
    }
    if (trace.bad_idle_events > 0) {
        warn(fmt::format("{} cpu_idle event{} left out; expected \"state=1 cpu_id=2\". The first "
                         "is here",
                         trace.bad_idle_events,
                         trace.bad_idle_events == 1 ? "" : "s"),
             trace.first_bad_idle_line);
    }
    if (trace.too_late > 0) {
        warn(fmt::format("{} events left out: more than {} events out of order",
                         trace.too_late,
                         FtraceReader::kWindow));
    }
    if (trace.counter_clock) {
        warn("times without a point: taken as nanoseconds of a counter");
    }
    IdleGaps sum;
    for (const IdleGaps& gaps : result.gaps) {
        sum.exits_without_entry += gaps.exits_without_entry;
        sum.entries_after_entry += gaps.entries_after_entry;
        sum.cut_by_loss += gaps.cut_by_loss;
    }
    if (trace.lost_marks > 0) {
        warn(
            fmt::format("events were lost in {} places; {} idle intervals around them are left "
                        "out",
                        trace.lost_marks,
                        sum.cut_by_loss));
    }
    if (sum.entries_after_entry > 0) {
        warn(fmt::format("{} idle intervals left out: another one begins before they end",
                         sum.entries_after_entry));
    }
    if (result.beyond_table > 0) {
        warn(
            fmt::format("{} idle intervals are in states that the table of {} states lacks: it is "
                        "the table of another machine",
                        result.beyond_table,
                        result.table.size()));
    }
    if (result.columns.size() > 1 && result.known_timers < result.periods) {
        warn(
            fmt::format("of {} idle periods {} have a next timer in the trace; for the others the "
                        "governors are told that there is none. Record irq_vectors:"
                        "local_timer_entry and timer:hrtimer_expire_entry, too",
                        result.periods,
                        result.known_timers));
    }
}

}  // namespace idlesim
