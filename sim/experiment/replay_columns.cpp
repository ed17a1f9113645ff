// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/replay_columns.hpp"

#include "sim/output/number.hpp"

#include <limits>

#include <fmt/format.h>

namespace idlesim {

double percent(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? std::numeric_limits<double>::quiet_NaN()
                      : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string microseconds(Nanoseconds time) {
    std::array<char, kLongestDecimal> buffer{};
    // A thousandth of it is what write_ns would print of picoseconds.
    char* end = write_ns(buffer.data(), time);
    return {buffer.data(), end};
}

std::string state_name(const ReplayResult& result, std::size_t state) {
    return state < result.table.size() ? result.table[state].name : fmt::format("state{}", state);
}

ReplayCount total_of(const ReplayColumn& column) {
    ReplayCount total;
    for (const ReplayCount& count : column.states) {
        total.entries += count.entries;
        total.time += count.time;
        total.too_deep += count.too_deep;
        total.too_shallow += count.too_shallow;
        total.too_deep_time += count.too_deep_time;
        total.too_shallow_time += count.too_shallow_time;
        total.wakes += count.wakes;
    }
    return total;
}

Nanoseconds latency_of(const ReplayResult& result, std::size_t state) {
    return state < result.table.size()
               ? std::chrono::floor<std::chrono::nanoseconds>(result.table[state].exit_latency)
                     .count()
               : 0;
}

Nanoseconds added_latency(const ReplayResult& result, const ReplayColumn& column) {
    Nanoseconds sum = 0;
    for (std::size_t i = 0; i < column.states.size(); ++i) {
        sum += column.states[i].wakes * latency_of(result, i);
    }
    return sum;
}

std::optional<double> energy_of(const ReplayResult& result,
                                const ReplayColumn& column,
                                std::optional<std::size_t> state) {
    constexpr double kNanosecondsPerSecond = 1e9;
    double joules = 0;
    for (std::size_t i = 0; i < column.states.size(); ++i) {
        const ReplayCount& count = column.states[i];
        if (state && i != *state) {
            continue;
        }
        if (i >= result.energy.size()) {
            if (count.entries != 0 || result.energy.empty()) {
                return std::nullopt;
            }
            continue;
        }
        joules += result.energy[i].of(static_cast<double>(count.time) / kNanosecondsPerSecond,
                                      static_cast<double>(count.entries));
    }
    return joules;
}

}  // namespace idlesim
