// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/dump_lines.hpp"

#include "sim/config/diagnostics.hpp"
#include "sim/config/excerpt.hpp"
#include "sim/experiment/line_reader.hpp"

#include <fmt/format.h>

namespace idlesim {

std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) {
        return text.substr(0, 0);
    }
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

DumpLines::DumpLines(const std::string& path) : path_{path} {
    LineReader lines{path};
    while (lines.next()) {
        text_ += lines.line();
        ends_.push_back(text_.size());
        if (text_.size() > kLargestDump) {
            lines.fail(
                fmt::format("more than {} MiB: no dump of cpuidle is as large, what is this?",
                            kLargestDump >> 20U));
        }
    }
}

std::string_view DumpLines::whole(std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view{text_}.substr(begin, ends_[index] - begin);
}

std::string_view DumpLines::operator[](std::size_t index) const {
    return without_blanks(whole(index));
}

void DumpLines::fail(std::size_t index, std::string_view part, std::string_view what) const {
    const std::string_view line = whole(index);
    const int number = static_cast<int>(index) + 1;
    const int column = static_cast<int>(part.data() - line.data()) + 1;
    const int length = part.empty() ? 1 : static_cast<int>(part.size());
    std::string text = fmt::format("{}:{}:{}: error: {}\n", path_, number, column, what);
    text += config::excerpt(line, number, column, length);
    throw config::ConfigError{text + (text.ends_with('\n') ? "" : "\n")};
}

void DumpLines::fail(std::string_view what) const {
    throw config::ConfigError{fmt::format("{}: error: {}\n", path_, what)};
}

}  // namespace idlesim
