// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/ftrace_line.hpp"

#include <charconv>
#include <cstddef>

namespace idlesim {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr int kMostCpuDigits = 5;
// A nanosecond clock of 64 bits has 19 digits.
constexpr std::size_t kMostDigits = 18;

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

void skip_blanks(std::string_view& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    text.remove_prefix(begin == kNowhere ? text.size() : begin);
}

std::string_view take_word(std::string_view& text) {
    skip_blanks(text);
    std::size_t end = 0;
    while (end < text.size() && text[end] != ' ' && text[end] != '\t') {
        ++end;
    }
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

/// The CPU in "[003]" at the start of the text; -1 for anything else.
int take_cpu(std::string_view& text) {
    std::size_t end = 1;
    int cpu = 0;
    while (end < text.size() && end <= kMostCpuDigits && is_digit(text[end])) {
        cpu = 10 * cpu + (text[end] - '0');
        ++end;
    }
    if (end == 1 || end == text.size() || text[end] != ']') {
        return -1;
    }
    text.remove_prefix(end + 1);
    return cpu;
}

/// "153.042137:" or "153042137000:"; false for anything else.
bool read_time(std::string_view word, FtraceLine& line) {
    if (word.size() < 2 || word.back() != ':' || !is_digit(word.front())) {
        return false;
    }
    word.remove_suffix(1);
    std::int64_t whole = 0;
    std::size_t i = 0;
    for (; i < word.size() && i <= kMostDigits && is_digit(word[i]); ++i) {
        whole = i < kMostDigits ? 10 * whole + (word[i] - '0') : whole;
    }
    if (i > kMostDigits) {
        return false;
    }
    if (i == word.size()) {
        line.time = whole;
        line.counter_clock = true;
        return true;
    }
    constexpr std::size_t kNanosecondDigits = 9;
    const std::size_t decimals = word.size() - i - 1;
    if (word[i] != '.' || decimals == 0 || decimals > kNanosecondDigits ||
        i > kMostDigits - kNanosecondDigits) {
        return false;
    }
    for (std::size_t digit = 0; digit < kNanosecondDigits; ++digit) {
        const char c = digit < decimals ? word[i + 1 + digit] : '0';
        if (!is_digit(c)) {
            return false;
        }
        whole = 10 * whole + (c - '0');
    }
    line.time = whole;
    return true;
}

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == kNowhere;
}

/// What follows the CPU.
bool read_rest(std::string_view rest, FtraceLine& line) {
    // At most the flags stand before the time.
    if (!read_time(take_word(rest), line) && !read_time(take_word(rest), line)) {
        return false;
    }
    std::string_view event = take_word(rest);
    if (is_number(event)) {
        event = take_word(rest);
    }
    if (event.size() < 2 || event.back() != ':') {
        return false;
    }
    event.remove_suffix(1);
    if (const std::size_t colon = event.rfind(':'); colon != kNowhere) {
        event.remove_prefix(colon + 1);
    }
    skip_blanks(rest);
    line.event = event;
    line.fields = rest;
    return !event.empty();
}

}  // namespace

std::optional<FtraceLine> parse_ftrace_line(std::string_view line) {
    FtraceLine parts;
    // Names of tasks may hold brackets, so the first pair need not be the CPU's.
    for (std::size_t begin = line.find('['); begin != kNowhere; begin = line.find('[', begin + 1)) {
        std::string_view rest = line.substr(begin);
        parts.cpu = take_cpu(rest);
        if (parts.cpu >= 0 && read_rest(rest, parts)) {
            return parts;
        }
    }
    return std::nullopt;
}

std::string_view ftrace_word(std::string_view fields, std::string_view name) {
    for (std::size_t at = fields.find(name); at != kNowhere; at = fields.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool begins = at == 0 || fields[at - 1] == ' ' || fields[at - 1] == '\t';
        if (begins && end < fields.size() && fields[end] == '=') {
            std::string_view rest = fields.substr(end + 1);
            return rest.substr(0, rest.find_first_of(" \t"));
        }
    }
    return {};
}

std::optional<std::int64_t> ftrace_number(std::string_view fields, std::string_view name) {
    std::string_view word = ftrace_word(fields, name);
    const bool hex = word.starts_with("0x");
    if (hex) {
        word.remove_prefix(2);
    }
    std::int64_t number = 0;
    const char* end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data(), end, number, hex ? 16 : 10);
    if (word.empty() || parsed.ec != std::errc{} || parsed.ptr != end) {
        return std::nullopt;
    }
    return number;
}

}  // namespace idlesim
