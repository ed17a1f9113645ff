// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/governor/governor.hpp"
#include "sim/experiment/line_reader.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// The head of a file of recorded governor decisions.
struct GovernorVectorHead {
    std::string governor;  ///< with its version, "menu@6.12"
    Nanoseconds tick = 0;
    std::vector<IdleState> states;
    std::int64_t cpu_capacity = 1024;
    std::optional<std::int64_t> rows;
    bool has_predictions = false;
};

/// One recorded selection: what the governor was told, what it answered, what came of it.
struct GovernorVector {
    std::int64_t step = 0;
    SleepLength sleep;
    bool tick_stopped = false;
    Nanoseconds latency_limit = 0;
    std::int64_t io_waiters = 0;
    std::int64_t utilisation = 0;
    StateMask disabled = 0;
    /// Measured time in the state; -1: the state was not entered.
    Nanoseconds residency = 0;
    bool tick_wakeup = false;
    bool poll_limit_hit = false;
    IdleDecision decision;
    bool queried = false;

    [[nodiscard]] bool was_entered() const { return residency >= 0; }
};

/// Reads a file in the format "governor decision vectors 1", row by row in fixed memory: lines
/// "# key: value", one "# state: index=... name=..." for each state, a line of column names, rows
/// of whole numbers. Whatever is wrong is a config::ConfigError with file, line and column.
class GovernorVectorReader {
public:
    /// Reads the head.
    explicit GovernorVectorReader(const std::string& path);

    [[nodiscard]] const GovernorVectorHead& head() const { return head_; }

    /// Reads a row; false at the end of a file that is complete.
    [[nodiscard]] bool next(GovernorVector& row);

    /// Line of the row that was read last.
    [[nodiscard]] int line_number() const { return lines_.number(); }

    [[nodiscard]] std::string_view line() const { return lines_.line(); }

    /// Throws config::ConfigError at the line that was read last.
    [[noreturn]] void fail(std::string_view what) const { lines_.fail(what); }

    /// The line of column names.
    [[nodiscard]] const std::string& column_names() const { return column_names_; }

private:
    static constexpr std::size_t kColumns = 15;

    void read_head();
    void read_entry(std::string_view text);
    void read_state(std::string_view text);
    void check_head() const;
    void read_columns();
    [[nodiscard]] std::size_t column_of(std::string_view name) const;
    void read_values();
    void check_value(std::size_t column, std::int64_t value, std::string_view text) const;
    [[nodiscard]] std::int64_t integer(std::string_view text,
                                       std::string_view name,
                                       std::int64_t least,
                                       std::int64_t greatest) const;

    LineReader lines_;
    GovernorVectorHead head_;
    std::string column_names_;
    std::string version_;
    std::optional<std::int64_t> hz_;
    bool has_format_ = false;
    std::vector<std::size_t> columns_;             ///< which value stands where in a line
    std::array<std::int64_t, kColumns> values_{};  ///< of the present row
    std::int64_t read_ = 0;
};

}  // namespace idlesim
