// SPDX-License-Identifier: Apache-2.0
#include "sim/output/number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

namespace idlesim {
namespace {

/// Three decimal digits, and how many of them remain without trailing zeros.
struct Digits {
    char text[3];
    std::uint8_t significant;
};

constexpr std::array<Digits, 1000> kDigits = [] {
    std::array<Digits, 1000> table{};
    for (int i = 0; i < 1000; ++i) {
        Digits& entry = table[static_cast<std::size_t>(i)];
        entry.text[0] = static_cast<char>('0' + i / 100);
        entry.text[1] = static_cast<char>('0' + i / 10 % 10);
        entry.text[2] = static_cast<char>('0' + i % 10);
        entry.significant = static_cast<std::uint8_t>(i == 0         ? 0
                                                      : i % 10 != 0  ? 3
                                                      : i % 100 != 0 ? 2
                                                                     : 1);
    }
    return table;
}();

char* write_all_three(char* out, std::uint64_t below_thousand) {
    std::memcpy(out, kDigits[below_thousand].text, 3);
    return out + 3;
}

char* write_significant(char* out, std::uint64_t below_thousand) {
    const Digits& digits = kDigits[below_thousand];
    std::memcpy(out, digits.text, 3);
    return out + digits.significant;
}

char* write_leading(char* out, std::uint64_t below_thousand) {
    const std::size_t skip = below_thousand >= 100 ? 0 : below_thousand >= 10 ? 1 : 2;
    std::memcpy(out, kDigits[below_thousand].text + skip, 3 - skip);
    return out + (3 - skip);
}

char* write_unsigned(char* out, std::uint64_t value) {
    if (value < 1000) {
        return write_leading(out, value);
    }
    if (value < 1'000'000) {
        return write_all_three(write_leading(out, value / 1000), value % 1000);
    }
    return std::to_chars(out, out + kLongestDecimal, value).ptr;
}

char* write_sign(char* out, std::int64_t value, std::uint64_t& magnitude) {
    magnitude = static_cast<std::uint64_t>(value);
    if (value < 0) {
        magnitude = 0 - magnitude;
        *out++ = '-';
    }
    return out;
}

}  // namespace

char* write_ns(char* out, std::int64_t picoseconds) {
    std::uint64_t magnitude = 0;
    out = write_sign(out, picoseconds, magnitude);
    out = write_unsigned(out, magnitude / 1000);
    if (const std::uint64_t fraction = magnitude % 1000; fraction != 0) {
        *out++ = '.';
        out = write_significant(out, fraction);
    }
    return out;
}

char* write_us(char* out, std::int64_t picoseconds) {
    std::uint64_t magnitude = 0;
    out = write_sign(out, picoseconds, magnitude);
    out = write_unsigned(out, magnitude / 1'000'000);
    const std::uint64_t fraction = magnitude % 1'000'000;
    if (fraction == 0) {
        return out;
    }
    *out++ = '.';
    if (fraction % 1000 == 0) {
        return write_significant(out, fraction / 1000);
    }
    return write_significant(write_all_three(out, fraction / 1000), fraction % 1000);
}

char* write_integer(char* out, std::int64_t value) {
    std::uint64_t magnitude = 0;
    out = write_sign(out, value, magnitude);
    return write_unsigned(out, magnitude);
}

std::string format_ns(Duration duration) {
    std::array<char, kLongestDecimal> text{};
    return {text.data(), write_ns(text.data(), duration.count())};
}

std::string format_us(Duration duration) {
    std::array<char, kLongestDecimal> text{};
    return {text.data(), write_us(text.data(), duration.count())};
}

std::string format_number(double value) {
    if (std::isnan(value)) {
        return {};
    }
    if (value == 0.0) {
        return "0";  // also for -0.0
    }
    std::array<char, 64> text{};
    const double magnitude = std::fabs(value);
    const bool plain = magnitude >= 1e-6 && magnitude < 1e16;
    const std::to_chars_result result =
        plain
            ? std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed)
            : std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), result.ptr};
}

}  // namespace idlesim
