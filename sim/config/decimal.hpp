// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace idlesim::config {

__extension__ using Wide = unsigned __int128;

/// Digits of a decimal as they are written, and the unit that follows.
struct DecimalText {
    bool negative = false;
    std::string_view whole;     ///< without leading zeros; may be empty
    std::string_view fraction;  ///< without trailing zeros; may be empty
    std::string_view unit;      ///< may be empty
};

/// Splits "-1.50 us" into its parts; nullopt when the text does not begin with a plain decimal
/// ("1", "0.5", "-3"; no exponent, no leading zero before another digit).
[[nodiscard]] std::optional<DecimalText> split_decimal(std::string_view text);

enum class Scaling : std::uint8_t { good, too_fine, overflow };

/// decimal x factor as a whole number, exactly: too_fine when it is none. `factor` < 2^60 with at
/// most 16 factors of 2 and of 5 counted singly (all powers of ten up to 10^15 and 3.6 * 10^15).
[[nodiscard]] Scaling scale(const DecimalText& decimal,
                            std::uint64_t factor,
                            std::uint64_t limit,
                            std::uint64_t& out);

/// decimal x 10^exponent as the nearest double.
[[nodiscard]] std::optional<double> to_double(const DecimalText& decimal, int exponent);

/// The shortest decimal without exponent that reads back as the same double.
[[nodiscard]] std::string shortest_decimal(double value);

}  // namespace idlesim::config
