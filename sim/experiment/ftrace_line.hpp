// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace idlesim {

/// One line of ftrace text, cut into its parts: views into the line.
struct FtraceLine {
    int cpu = 0;
    std::int64_t time = 0;  ///< ns; of a counter clock as it stands
    bool counter_clock = false;
    std::string_view event;   ///< without its system: "cpu_idle" for "power:cpu_idle"
    std::string_view fields;  ///< all behind the event
};

/// The parts of "COMM-PID [CPU] FLAGS TIME: EVENT: FIELDS", as in the file `trace` (with or without
/// a TGID), in trace-cmd report (no flags, padded event) and in perf script (with the system, and
/// perhaps a count before it). nullopt for any other line.
[[nodiscard]] std::optional<FtraceLine> parse_ftrace_line(std::string_view line);

/// The number behind "name=" in the fields: decimal, negative, or 0x...; nullopt where there is
/// none.
[[nodiscard]] std::optional<std::int64_t> ftrace_number(std::string_view fields,
                                                        std::string_view name);

/// The word behind "name=", up to a space; empty where there is none.
[[nodiscard]] std::string_view ftrace_word(std::string_view fields, std::string_view name);

}  // namespace idlesim
