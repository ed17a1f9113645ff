// SPDX-License-Identifier: Apache-2.0
#include "sim/config/text_check.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

bool is_forbidden_control(std::string_view text, std::size_t i) {
    const auto c = static_cast<std::uint8_t>(text[i]);
    if (c == '\r') {
        return i + 1 >= text.size() || text[i + 1] != '\n';
    }
    return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7F;
}

}  // namespace

// Neither overlong forms nor surrogates nor what is beyond U+10FFFF (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text) {
    const auto byte = [text](std::size_t i) {
        return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
    };
    const std::uint8_t first = byte(0);
    std::uint8_t low = 0x80;
    std::uint8_t high = 0xBF;
    std::size_t length = 0;
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first <= 0xDF) {
        length = 2;
    } else if (first >= 0xE0 && first <= 0xEF) {
        length = 3;
        low = first == 0xE0 ? 0xA0 : low;
        high = first == 0xED ? 0x9F : high;
    } else if (first >= 0xF0 && first <= 0xF4) {
        length = 4;
        low = first == 0xF0 ? 0x90 : low;
        high = first == 0xF4 ? 0x8F : high;
    } else {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if (byte(i) < low || byte(i) > high) {
            return 0;
        }
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

std::optional<TextProblem> check_text(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t length = sequence_length(text.substr(i));
        const auto byte = static_cast<unsigned>(static_cast<std::uint8_t>(text[i]));
        if (length == 0) {
            return TextProblem{
                i, fmt::format("not a text file: byte 0x{:02X} is not valid UTF-8", byte)};
        }
        if (is_forbidden_control(text, i)) {
            return TextProblem{i, fmt::format("not a text file: control character 0x{:02X}", byte)};
        }
        i += length;
    }
    return std::nullopt;
}

Position position_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    return {static_cast<int>(lines) + 1, static_cast<int>(before.size() - line_begin) + 1};
}

}  // namespace idlesim::config
