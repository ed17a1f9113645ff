// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstdint>
#include <string>

namespace idlesim {

// Numbers as text, the same on every machine: no locale, no rounding.

/// Room that write_ns and write_us may need.
inline constexpr std::size_t kLongestDecimal = 24;

/// Picoseconds as an exact decimal of nanoseconds without trailing zeros ("2000.5"); returns the
/// end of the text.
char* write_ns(char* out, std::int64_t picoseconds);
/// The same in microseconds.
char* write_us(char* out, std::int64_t picoseconds);
/// A whole number.
char* write_integer(char* out, std::int64_t value);

[[nodiscard]] std::string format_ns(Duration duration);
[[nodiscard]] std::string format_us(Duration duration);

/// The shortest decimal that reads back as the same double, without exponent where that is
/// bearable ("0.1", "1000000", "1e+22"); empty for NaN, which is how an absent number is written.
[[nodiscard]] std::string format_number(double value);

}  // namespace idlesim
