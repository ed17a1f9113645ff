// SPDX-License-Identifier: Apache-2.0
#include "sim/config/source_scan.hpp"

#include <algorithm>

namespace idlesim::config {
namespace {

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

bool is_word(std::string_view text) {
    constexpr std::string_view kFurther = "-.[]";
    return !text.empty() && is_word_character(text.front()) &&
           std::all_of(text.begin(), text.end(), [kFurther](char c) {
               return is_word_character(c) || kFurther.find(c) != std::string_view::npos;
           });
}

std::string_view null_spelling(std::string_view rest) {
    constexpr std::string_view kEnds = " \t\r\n,]}";
    for (const std::string_view word : {"null", "Null", "NULL", "~"}) {
        if (!rest.starts_with(word)) {
            continue;
        }
        const bool ends =
            rest.size() == word.size() || kEnds.find(rest[word.size()]) != std::string_view::npos;
        const std::size_t next = rest.find_first_not_of(' ', word.size());
        const bool is_key = next != std::string_view::npos && rest[next] == ':';
        return ends && !is_key ? word : std::string_view{};
    }
    return {};
}

int word_length_of(std::string_view rest) {
    return static_cast<int>(
        std::max<std::size_t>(std::min(rest.find_first_of(" \t\r\n,]}"), rest.size()), 1));
}

int length_in_line(std::string_view rest, std::size_t size) {
    const std::string_view value = rest.substr(0, size);
    return static_cast<int>(
        std::max<std::size_t>(std::min(value.find_first_of("\r\n"), value.size()), 1));
}

std::optional<std::size_t> quoted_size(std::string_view text) {
    const char quote = text.front();
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\') {
            ++i;
        } else if (text[i] == quote) {
            const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
            if (!doubled) {
                return i + 1;
            }
            ++i;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> find_directive(std::string_view text) {
    if (text.starts_with('%')) {
        return 0;
    }
    const std::size_t found = text.find("\n%");
    return found == std::string_view::npos ? std::nullopt : std::optional{found + 1};
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace idlesim::config
