// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/clock_domain.hpp"
#include "sim/engine/time.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace idlesim::config {

/// Electrical power, written "3.5 W" or "300 mW".
struct Power {
    double watts = 0;
    friend auto operator<=>(const Power&, const Power&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Energy, written "2 mJ" (J, mJ, uJ, nJ).
struct Energy {
    double joules = 0;
    friend auto operator<=>(const Energy&,
                            const Energy&) = default;  // NOLINT(modernize-use-nullptr)
};

/// A share, written "6 %" or as a plain decimal ("0.06"); `value` is 0.06 for both.
struct Ratio {
    double value = 0;
    friend auto operator<=>(const Ratio&, const Ratio&) = default;  // NOLINT(modernize-use-nullptr)
};

/// A difference of two percentages, written "4 points"; `value` is 4.
struct Points {
    double value = 0;
    friend auto operator<=>(const Points&,
                            const Points&) = default;  // NOLINT(modernize-use-nullptr)
};

/// A whole number that may be written in hexadecimal ("0x20"), for mwait hints and CPUID leaves.
struct HexInt {
    std::uint64_t value = 0;
    friend auto operator<=>(const HexInt&,
                            const HexInt&) = default;  // NOLINT(modernize-use-nullptr)
};

/// A value, or what is wrong with the text in words that follow "name: ".
template <class Value>
using Parsed = std::variant<Value, std::string>;

// Text to value. Durations and frequencies are exact: decimal digits to integers, with no double
// in between; a sign is accepted and whoever calls decides whether it makes sense.

[[nodiscard]] Parsed<Duration> parse_duration(std::string_view text);
[[nodiscard]] Parsed<Frequency> parse_frequency(std::string_view text);
[[nodiscard]] Parsed<Power> parse_power(std::string_view text);
[[nodiscard]] Parsed<Energy> parse_energy(std::string_view text);
[[nodiscard]] Parsed<Ratio> parse_ratio(std::string_view text);
[[nodiscard]] Parsed<Points> parse_points(std::string_view text);
[[nodiscard]] Parsed<HexInt> parse_hex(std::string_view text);
[[nodiscard]] Parsed<std::int64_t> parse_integer(std::string_view text);
[[nodiscard]] Parsed<std::uint64_t> parse_unsigned(std::string_view text);
[[nodiscard]] Parsed<double> parse_number(std::string_view text);

// Value to the text that reads back as the same value.

[[nodiscard]] std::string write_duration(Duration value);
[[nodiscard]] std::string write_frequency(const Frequency& value);
[[nodiscard]] std::string write_number(double value);

/// Order of two frequencies, for limits; Frequency itself has none.
[[nodiscard]] bool is_below(const Frequency& a, const Frequency& b);

// The units of each quantity, as messages and documentation list them.

inline constexpr std::string_view kDurationUnits = "ps, ns, us, ms, s, min, h";
inline constexpr std::string_view kFrequencyUnits = "Hz, kHz, MHz, GHz";
inline constexpr std::string_view kPowerUnits = "W, mW, uW";
inline constexpr std::string_view kEnergyUnits = "J, mJ, uJ, nJ";

}  // namespace idlesim::config
