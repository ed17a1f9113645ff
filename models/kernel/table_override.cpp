// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/table_override.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include <fmt/format.h>

namespace idlesim {

namespace {

constexpr std::int64_t kLongestLatency = 5'000;      // us
constexpr std::int64_t kLongestResidency = 100'000;  // us

struct Entry {
    std::string_view name;
    std::int64_t latency = 0;
    std::int64_t residency = 0;
};

std::string_view take_until(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return part;
}

std::int64_t microseconds(std::string_view text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc{} && parsed.ptr == end ? value : -1;
}

Entry parse(std::string_view text) {
    const std::string whole{text};
    Entry entry;
    entry.name = take_until(text, ':');
    entry.latency = microseconds(take_until(text, ':'));
    entry.residency = microseconds(text);
    if (entry.latency <= 0 || entry.latency > kLongestLatency || entry.residency < entry.latency ||
        entry.residency > kLongestResidency) {
        throw DriverError{fmt::format(
            "intel_idle.table: '{}' is not name:latency:residency in microseconds with a latency "
            "of 1 to {} and a residency from it to {}",
            whole,
            kLongestLatency,
            kLongestResidency)};
    }
    return entry;
}

void check_rising(const std::vector<RegisteredState>& states) {
    for (std::size_t i = 2; i < states.size(); ++i) {
        const IdleState& before = states[i - 1].declared;
        const IdleState& state = states[i].declared;
        if (state.exit_latency <= before.exit_latency ||
            state.target_residency <= before.target_residency) {
            throw DriverError{
                fmt::format("intel_idle.table: {} does not have more latency and residency than {}",
                            state.name,
                            before.name)};
        }
    }
}

}  // namespace

void override_table(std::vector<RegisteredState>& states, std::string_view table) {
    if (table.empty()) {
        return;
    }
    while (!table.empty()) {
        const Entry entry = parse(take_until(table, ','));
        const auto found =
            std::find_if(states.begin(), states.end(), [&](const RegisteredState& state) {
                return state.declared.name == entry.name && !state.declared.polling;
            });
        if (found == states.end()) {
            throw DriverError{
                fmt::format("intel_idle.table: there is no state '{}' to change", entry.name)};
        }
        found->declared.exit_latency = std::chrono::microseconds{entry.latency};
        found->declared.target_residency = std::chrono::microseconds{entry.residency};
    }
    check_rising(states);
}

}  // namespace idlesim
