// SPDX-License-Identifier: Apache-2.0
#include "sim/config/decimal.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

/// 10^19 > 2^63: longer whole parts are beyond every limit.
constexpr std::size_t kMostWholeDigits = 19;
/// A fraction of more digits (trailing zeros dropped) times a factor that divides 2^16 or 5^16
/// fewer times is never whole.
constexpr std::size_t kMostFractionDigits = 16;
/// Enough for any double without exponent: sign, 309 digits, or 0.000 and 1074 + 17 digits.
constexpr std::size_t kLongestDouble = 1100;
/// What is worth handing to the conversion to double.
constexpr std::size_t kMostDigits = 400;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view take_digits(std::string_view& text) {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) {
        ++count;
    }
    const std::string_view digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
}

Wide to_wide(std::string_view digits) {
    Wide value = 0;
    for (const char c : digits) {
        value = value * 10 + static_cast<Wide>(c - '0');
    }
    return value;
}

}  // namespace

std::optional<DecimalText> split_decimal(std::string_view text) {
    DecimalText result;
    if (text.starts_with('-')) {
        result.negative = true;
        text.remove_prefix(1);
    }
    result.whole = take_digits(text);
    if (result.whole.empty() || (result.whole.size() > 1 && result.whole.front() == '0')) {
        return std::nullopt;
    }
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        result.fraction = take_digits(text);
        if (result.fraction.empty()) {
            return std::nullopt;
        }
    }
    if (result.whole == "0") {
        result.whole.remove_prefix(1);
    }
    while (result.fraction.ends_with('0')) {
        result.fraction.remove_suffix(1);
    }
    while (text.starts_with(' ')) {
        text.remove_prefix(1);
    }
    result.unit = text;
    return result;
}

Scaling scale(const DecimalText& decimal,
              std::uint64_t factor,
              std::uint64_t limit,
              std::uint64_t& out) {
    if (decimal.whole.size() > kMostWholeDigits) {
        return Scaling::overflow;
    }
    if (decimal.fraction.size() > kMostFractionDigits) {
        return Scaling::too_fine;
    }
    Wide divisor = 1;
    for (std::size_t i = 0; i < decimal.fraction.size(); ++i) {
        divisor *= 10;
    }
    const Wide fraction = to_wide(decimal.fraction) * factor;
    if (fraction % divisor != 0) {
        return Scaling::too_fine;
    }
    const Wide value = to_wide(decimal.whole) * factor + fraction / divisor;
    if (value > limit) {
        return Scaling::overflow;
    }
    out = static_cast<std::uint64_t>(value);
    return Scaling::good;
}

std::optional<double> to_double(const DecimalText& decimal, int exponent) {
    if (decimal.whole.size() + decimal.fraction.size() > kMostDigits) {
        return std::nullopt;
    }
    const std::string text = fmt::format("{}{}{}e{}",
                                         decimal.negative ? "-" : "",
                                         decimal.whole.empty() ? "0" : decimal.whole,
                                         decimal.fraction,
                                         exponent - static_cast<int>(decimal.fraction.size()));
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

std::string shortest_decimal(double value) {
    std::array<char, kLongestDouble> buffer{};
    const auto [end, error] = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
    return {buffer.data(), end};
}

}  // namespace idlesim::config
