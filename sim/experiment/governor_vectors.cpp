// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/governor_vectors.hpp"

#include "sim/config/excerpt.hpp"
#include "sim/config/suggest.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr std::string_view kFormat = "governor decision vectors 1";
constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLongestStateTime = 1'000'000'000'000;  // 1000 s, in ns

enum ColumnIndex : std::size_t {
    step,
    sleep_length,
    delta_next,
    tick_stopped,
    latency_limit,
    io_waiters,
    utilisation,
    disabled_mask,
    last_residency,
    tick_wakeup,
    poll_limit_hit,
    expected_state,
    expected_stop_tick,
    queried,
    expected_predicted,
    column_count,
};

struct Column {
    std::string_view name;
    std::int64_t least;
    std::int64_t greatest;
};

constexpr std::array<Column, column_count> kColumnTable{{
    {"step", 0, kAny},
    {"sleep_length_ns", -kAny - 1, kAny},
    {"delta_next_ns", -kAny - 1, kAny},
    {"tick_stopped", 0, 1},
    {"latency_req_ns", 0, kAny},
    {"nr_iowait", 0, 1'000'000'000},
    {"util", 0, 1'000'000'000},
    {"disabled_mask", 0, kAny},
    {"last_residency_ns", -1, kAny},
    {"tick_wakeup", 0, 1},
    {"poll_limit_hit", 0, 1},
    {"expected_state", 0, kAny},
    {"expected_stop_tick", 0, 1},
    {"queried_sleep_length", 0, 1},
    {"expected_predicted_ns", -1, kAny},
}};

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) {
        text.remove_prefix(1);
    }
    while (text.ends_with(' ')) {
        text.remove_suffix(1);
    }
    return text;
}

/// Cuts the part before the separator off the front of the text.
std::string_view take_field(std::string_view& text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view field = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return field;
}

}  // namespace

GovernorVectorReader::GovernorVectorReader(const std::string& path) : lines_{path} {
    static_assert(kColumns == column_count);
    read_head();
    read_columns();
}

std::int64_t GovernorVectorReader::integer(std::string_view text,
                                           std::string_view name,
                                           std::int64_t least,
                                           std::int64_t greatest) const {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ec == std::errc::result_out_of_range && parsed.ptr == end) {
        lines_.fail(text, fmt::format("{}: the number does not fit into 64 bits", name));
    }
    if (parsed.ec != std::errc{} || parsed.ptr != end) {
        lines_.fail(
            text,
            fmt::format("{}: expected a whole number, not '{}'", name, config::printable(text)));
    }
    if (value < least || value > greatest) {
        lines_.fail(text,
                    greatest == kAny ? fmt::format("{}: must be at least {}", name, least)
                                     : fmt::format("{}: must be {} to {}", name, least, greatest));
    }
    return value;
}

void GovernorVectorReader::read_head() {
    while (lines_.next()) {
        const std::string_view line = lines_.line();
        if (!line.starts_with('#')) {
            check_head();
            return;
        }
        read_entry(line.substr(1));
    }
    lines_.fail(lines_.number() == 0 ? "the file is empty"
                                     : "the file ends before the line of column names");
}

void GovernorVectorReader::read_entry(std::string_view text) {
    const std::string_view whole = text;
    if (text.find(':') == std::string_view::npos) {
        lines_.fail(whole, "expected '# key: value'");
    }
    const std::string_view key = trimmed(take_field(text, ':'));
    const std::string_view value = trimmed(text);
    if (key == "format") {
        if (value != kFormat) {
            lines_.fail(value, fmt::format("unknown format; known is '{}'", kFormat));
        }
        has_format_ = true;
    } else if (!has_format_) {
        lines_.fail(whole, fmt::format("expected '# format: {}' first", kFormat));
    } else if (key == "governor") {
        if (!head_.governor.empty()) {
            lines_.fail(value, "the governor is there twice");
        }
        head_.governor = value;
    } else if (key == "version") {
        if (head_.governor.empty() || !version_.empty()) {
            lines_.fail(value, "expected one governor, and its version behind it");
        }
        version_ = value;
        head_.governor += fmt::format("@{}", value);
        const std::vector<std::string> known = Registry<Governor>::names();
        if (std::find(known.begin(), known.end(), head_.governor) == known.end()) {
            lines_.fail(value,
                        fmt::format("there is no governor '{}'{}",
                                    config::printable(head_.governor),
                                    config::suggestion_text(head_.governor, "governors", known)));
        }
    } else if (key == "hz") {
        hz_ = integer(value, key, 1, 1'000'000);
    } else if (key == "tick_ns") {
        head_.tick = integer(value, key, 1, 1'000'000'000);
        if (hz_ && head_.tick != (1'000'000'000 + *hz_ / 2) / *hz_) {
            lines_.fail(value, fmt::format("that is no tick of {} Hz", *hz_));
        }
    } else if (key == "state") {
        read_state(value);
    } else if (key == "cpu_capacity") {
        head_.cpu_capacity = integer(value, key, 1, 1'000'000);
    } else if (key == "rows") {
        head_.rows = integer(value, key, 0, kAny);
    }
}

void GovernorVectorReader::read_state(std::string_view text) {
    if (head_.states.size() == std::size_t{kMaxIdleStates}) {
        lines_.fail(text, fmt::format("more than {} states", kMaxIdleStates));
    }
    constexpr std::array<std::string_view, 6> kKeys{
        "index", "name", "latency_ns", "residency_ns", "polling", "disabled"};
    std::array<std::string_view, kKeys.size()> values{};
    std::string_view rest = text;
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        rest = trimmed(rest);
        std::string_view value = take_field(rest, ' ');
        const std::string_view whole = value;
        if (value.find('=') == std::string_view::npos || take_field(value, '=') != kKeys[i] ||
            value.empty()) {
            lines_.fail(whole, fmt::format("expected '{}=...'", kKeys[i]));
        }
        values[i] = value;
    }
    if (!trimmed(rest).empty()) {
        lines_.fail(trimmed(rest), "expected nothing after 'disabled='");
    }
    const auto index = static_cast<std::int64_t>(head_.states.size());
    static_cast<void>(integer(values[0], kKeys[0], index, index));
    IdleState state;
    state.name = values[1];
    state.exit_latency =
        std::chrono::nanoseconds{integer(values[2], kKeys[2], 0, kLongestStateTime)};
    state.target_residency =
        std::chrono::nanoseconds{integer(values[3], kKeys[3], 0, kLongestStateTime)};
    state.polling = integer(values[4], kKeys[4], 0, 1) != 0;
    state.disabled = integer(values[5], kKeys[5], 0, 1) != 0;
    head_.states.push_back(std::move(state));
}

void GovernorVectorReader::check_head() const {
    const auto expect = [this](bool is_there, std::string_view key) {
        if (!is_there) {
            lines_.fail(lines_.line(), fmt::format("the head ends without '# {}: ...'", key));
        }
    };
    if (!has_format_) {
        lines_.fail(lines_.line(), fmt::format("expected '# format: {}' first", kFormat));
    }
    expect(!head_.governor.empty(), "governor");
    expect(!version_.empty(), "version");
    expect(head_.tick != 0, "tick_ns");
    expect(!head_.states.empty(), "state");
}

std::size_t GovernorVectorReader::column_of(std::string_view name) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kColumnTable.size(); ++i) {
        if (kColumnTable[i].name == name) {
            if (std::find(columns_.begin(), columns_.end(), i) != columns_.end()) {
                lines_.fail(name, "the column is there twice");
            }
            return i;
        }
        names.emplace_back(kColumnTable[i].name);
    }
    lines_.fail(name,
                fmt::format("unknown column '{}'{}",
                            config::printable(name),
                            config::suggestion_text(name, "columns", names)));
}

void GovernorVectorReader::read_columns() {
    const std::string_view line = lines_.line();
    column_names_ = line;
    std::string_view rest = line;
    do {
        columns_.push_back(column_of(take_field(rest, ',')));
    } while (!rest.empty());
    for (std::size_t i = 0; i < kColumnTable.size(); ++i) {
        const bool is_there = std::find(columns_.begin(), columns_.end(), i) != columns_.end();
        if (i == expected_predicted) {
            head_.has_predictions = is_there;
        } else if (!is_there) {
            lines_.fail(line, fmt::format("the column '{}' is missing", kColumnTable[i].name));
        }
    }
    values_[expected_predicted] = -1;
}

void GovernorVectorReader::check_value(std::size_t column,
                                       std::int64_t value,
                                       std::string_view text) const {
    const auto states = static_cast<std::int64_t>(head_.states.size());
    if (column == expected_state && value >= states) {
        lines_.fail(text, fmt::format("expected_state: the table has {} states", states));
    }
    if (column == disabled_mask && value >= std::int64_t{1} << states) {
        lines_.fail(text, fmt::format("disabled_mask: the table has {} states", states));
    }
    if (column == step && value != read_) {
        lines_.fail(text,
                    fmt::format("step: expected {}; rows are missing or out of order", read_));
    }
}

void GovernorVectorReader::read_values() {
    std::string_view rest = lines_.line();
    const std::string_view line = rest;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (i != 0 && rest.data() == line.data() + line.size() && !line.ends_with(',')) {
            lines_.fail(line.substr(line.size()),
                        fmt::format("the row ends after {} of {} values", i, columns_.size()));
        }
        const std::string_view text = take_field(rest, ',');
        const Column& column = kColumnTable[columns_[i]];
        const std::int64_t value = integer(text, column.name, column.least, column.greatest);
        check_value(columns_[i], value, text);
        values_[columns_[i]] = value;
    }
    if (!rest.empty() || line.ends_with(',')) {
        lines_.fail(rest, fmt::format("more than {} values", columns_.size()));
    }
}

bool GovernorVectorReader::next(GovernorVector& row) {
    if (!lines_.next()) {
        if (head_.rows && *head_.rows != read_) {
            lines_.fail(fmt::format(
                "the file ends after {} rows, its head promises {}", read_, *head_.rows));
        }
        return false;
    }
    if (head_.rows && read_ == *head_.rows) {
        lines_.fail(lines_.line(), fmt::format("more than the {} rows of the head", read_));
    }
    read_values();
    ++read_;
    row.step = values_[step];
    row.sleep = {values_[sleep_length], values_[delta_next]};
    row.tick_stopped = values_[tick_stopped] != 0;
    row.latency_limit = values_[latency_limit];
    row.io_waiters = values_[io_waiters];
    row.utilisation = values_[utilisation];
    row.disabled = static_cast<StateMask>(values_[disabled_mask]);
    row.residency = values_[last_residency];
    row.tick_wakeup = values_[tick_wakeup] != 0;
    row.poll_limit_hit = values_[poll_limit_hit] != 0;
    row.decision = {static_cast<int>(values_[expected_state]),
                    values_[expected_stop_tick] != 0,
                    values_[expected_predicted]};
    row.queried = values_[queried] != 0;
    return true;
}

}  // namespace idlesim
