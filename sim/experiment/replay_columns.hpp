// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/replay.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace idlesim {

// What the reports of a replay compute from its counts.

/// [WakeKind]
inline constexpr std::array<std::string_view, kWakeKinds> kCauses{
    "unknown",
    "timer",
    "tick",
    "device interrupt",
    "reschedule IPI",
    "function call IPI",
    "other interrupt",
    "task woken, interrupt not traced"};

/// Not a number where the whole is nothing.
[[nodiscard]] double percent(std::int64_t part, std::int64_t whole);

/// Exact microseconds of whole nanoseconds.
[[nodiscard]] std::string microseconds(Nanoseconds time);

[[nodiscard]] std::string state_name(const ReplayResult& result, std::size_t state);

[[nodiscard]] ReplayCount total_of(const ReplayColumn& column);

/// Declared exit latency; 0 for a state that the table lacks.
[[nodiscard]] Nanoseconds latency_of(const ReplayResult& result, std::size_t state);

/// Declared exit latencies of the states that the wake-ups found the CPU in.
[[nodiscard]] Nanoseconds added_latency(const ReplayResult& result, const ReplayColumn& column);

/// Joules of the column in one state, or in all of them; empty where nothing is known.
[[nodiscard]] std::optional<double> energy_of(const ReplayResult& result,
                                              const ReplayColumn& column,
                                              std::optional<std::size_t> state);

}  // namespace idlesim
