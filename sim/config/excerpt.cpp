// SPDX-License-Identifier: Apache-2.0
#include "sim/config/excerpt.hpp"

#include "sim/config/text_check.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

constexpr std::size_t kLongestExcerpt = 120;
constexpr std::size_t kContextBefore = 60;
constexpr std::string_view kCut = "...";

bool continues_code_point(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20U || byte == 0x7FU;
}

std::size_t code_points(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !continues_code_point(c); }));
}

/// A tab takes one column, so that the caret lines up wherever tabs stop.
std::string shown(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        if (text.front() == '\t') {
            result += ' ';
        } else if (length == 0 || is_control(text.front())) {
            result += '?';
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

/// Moves a position inside of a code point to its first byte.
std::size_t align(std::string_view text, std::size_t position) {
    while (position > 0 && position < text.size() && continues_code_point(text[position])) {
        --position;
    }
    return position;
}

}  // namespace

std::string_view line_of(std::string_view text, int line) {
    std::size_t begin = 0;
    for (int i = 1; i < line; ++i) {
        const std::size_t end = text.find('\n', begin);
        if (end == std::string_view::npos) {
            return {};
        }
        begin = end + 1;
    }
    std::string_view result = text.substr(begin, text.find('\n', begin) - begin);
    if (!result.empty() && result.back() == '\r') {
        result.remove_suffix(1);
    }
    return result;
}

std::string excerpt(std::string_view source_line, int line_number, int column, int length) {
    std::size_t caret =
        std::min(static_cast<std::size_t>(std::max(column, 1) - 1), source_line.size());
    std::size_t marked =
        std::min(static_cast<std::size_t>(std::max(length, 1)), source_line.size() - caret);
    std::size_t first = 0;
    std::size_t last = source_line.size();
    if (last > kLongestExcerpt) {
        first = caret > kContextBefore ? align(source_line, caret - kContextBefore) : 0;
        last = align(source_line, std::min(last, first + kLongestExcerpt));
    }
    const std::string_view before = first > 0 ? kCut : std::string_view{};
    const std::string_view after = last < source_line.size() ? kCut : std::string_view{};
    marked = std::min(marked, last - std::min(caret, last));
    caret -= std::min(first, caret);

    const std::string_view window = source_line.substr(first, last - first);
    const std::size_t indent = before.size() + code_points(shown(window.substr(0, caret)));
    const std::size_t tildes =
        std::max<std::size_t>(
            code_points(shown(window.substr(std::min(caret, window.size()), marked))), 1) -
        1;
    const std::string number = fmt::format("{:>3}", line_number);
    std::string result = fmt::format("{} | {}{}{}", number, before, shown(window), after);
    result.erase(result.find_last_not_of(' ') + 1);
    return fmt::format(
        "{}\n{:{}} | {:{}}^{:~<{}}\n", result, "", number.size(), "", indent, "", tildes);
}

std::string printable(std::string_view text, std::size_t limit) {
    std::string result = shown(text.substr(0, limit));
    if (text.size() > limit) {
        result.resize(align(text, limit));
        result += kCut;
    }
    return result;
}

}  // namespace idlesim::config
