// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_extras.hpp"

#include <algorithm>

namespace idlesim::config {
namespace {

void blank(std::string& text, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
        text[i] = text[i] == '\n' ? '\n' : ' ';
    }
}

/// Behind the comment that begins at `at`; npos where it has no end, `at` where there is none.
std::size_t end_of_comment(const std::string& text, std::size_t at) {
    if (text.compare(at, 2, "//") == 0) {
        return std::min(text.find('\n', at), text.size());
    }
    if (text.compare(at, 2, "/*") == 0) {
        const std::size_t end = text.find("*/", at + 2);
        return end == std::string::npos ? end : end + 2;
    }
    return at;
}

}  // namespace

std::size_t end_of_json_string(const std::string& text, std::size_t at) {
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            return i + 1;
        }
    }
    return text.size();
}

std::optional<std::size_t> blank_json_extras(std::string& text) {
    std::optional<std::size_t> comma;  // nothing but space behind it so far
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '/') {
            const std::size_t end = end_of_comment(text, i);
            if (end == std::string::npos) {
                return i;
            }
            blank(text, i, end);
            i = std::max(end, i + 1);
            continue;
        }
        if (c == ',') {
            comma = i;
        } else if (c == '}' || c == ']') {
            if (comma) {
                text[*comma] = ' ';
            }
            comma.reset();
        } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
            comma.reset();
        }
        i = c == '"' ? end_of_json_string(text, i) : i + 1;
    }
    return std::nullopt;
}

}  // namespace idlesim::config
