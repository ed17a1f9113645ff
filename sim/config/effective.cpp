// SPDX-License-Identifier: Apache-2.0
#include "sim/config/effective.hpp"

#include "sim/config/excerpt.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

constexpr std::array<std::string_view, 5> kNulls{"", "~", "null", "Null", "NULL"};

/// A ':' inside of a word or path; elsewhere it may begin a value, in flow style above all.
bool has_loose_colon(std::string_view text) {
    for (std::size_t i = text.find(':'); i != std::string_view::npos; i = text.find(':', i + 1)) {
        const char next = i + 1 < text.size() ? text[i + 1] : ' ';
        const bool word = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                          (next >= '0' && next <= '9') || next == '_' || next == '/';
        if (!word) {
            return true;
        }
    }
    return false;
}

/// Whether YAML reads the text, written without quotes, as the same string in every place.
bool is_plain(std::string_view text) {
    constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@` ";
    constexpr std::string_view kNowhere = ",[]{}";
    if (std::find(kNulls.begin(), kNulls.end(), text) != kNulls.end()) {
        return false;
    }
    // A number may begin with '-'.
    const bool negative = text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9';
    if (!negative && kIndicators.find(text.front()) != std::string_view::npos) {
        return false;
    }
    const auto bad = [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; };
    return text.back() != ' ' && !has_loose_colon(text) && !text.starts_with("...") &&
           text.find_first_of(kNowhere) == std::string_view::npos &&
           text.find(" #") == std::string_view::npos && std::none_of(text.begin(), text.end(), bad);
}

std::string quote(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (byte < 0x20U || byte == 0x7FU) {
            result += fmt::format("\\x{:02X}", static_cast<unsigned>(byte));
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string value_text(const Node& node) {
    switch (node.kind()) {
        case Node::Kind::scalar:
            return write_scalar(node.text(), node.quoted());
        case Node::Kind::sequence:
            return "[]";
        case Node::Kind::map:
            return "{}";
        case Node::Kind::null:
        case Node::Kind::invalid:
            break;
    }
    return "null";
}

std::string origin(const Location& where) {
    if (where.file == kCommandLine || where.file == kDefault) {
        return where.file;
    }
    return printable(to_text(where), 4096);
}

bool is_single(const Node& node) {
    return node.children().empty();
}

void write_children(std::string& out, const Node& node, std::size_t indent, bool continues_line);

/// Writes a value behind its "key:" or "-"; a map in a list begins on the line of its '-'.
void write_value(std::string& out, const Node& node, std::size_t indent, bool in_list) {
    if (is_single(node)) {
        out += fmt::format(" {}  # {}\n", value_text(node), origin(node.location()));
        return;
    }
    if (in_list) {
        out += ' ';
        write_children(out, node, indent + 2, true);
    } else {
        out += '\n';
        write_children(out, node, indent + 2, false);
    }
}

void write_children(std::string& out, const Node& node, std::size_t indent, bool continues_line) {
    for (const Node& child : node.children()) {
        if (!std::exchange(continues_line, false)) {
            out.append(indent, ' ');
        }
        out += node.is_map() ? write_scalar(child.key(), false) + ":" : std::string{"-"};
        write_value(out, child, indent, node.is_sequence());
    }
}

/// Offset of a location's first byte in the text.
std::size_t offset_of(std::string_view text, const Location& where) {
    std::size_t begin = 0;
    for (int line = 1; line < where.line; ++line) {
        const std::size_t end = text.find('\n', begin);
        if (end == std::string_view::npos) {
            throw std::invalid_argument(fmt::format("{} is not in the text", to_text(where)));
        }
        begin = end + 1;
    }
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto column = static_cast<std::size_t>(std::max(where.column, 1)) - 1;
    const auto length = static_cast<std::size_t>(std::max(where.length, 0));
    if (where.line < 1 || where.column < 1 || begin + column + length > end) {
        throw std::invalid_argument(fmt::format("{} is not in the text", to_text(where)));
    }
    return begin + column;
}

}  // namespace

std::string write_scalar(std::string_view text, bool quoted) {
    return quoted || !is_plain(text) ? quote(text) : std::string{text};
}

std::string write_effective(const Node& root) {
    if (is_single(root)) {
        return fmt::format("{}  # {}\n", value_text(root), origin(root.location()));
    }
    std::string out;
    write_children(out, root, 0, false);
    return out;
}

std::string write_flow(const Node& node) {
    if (is_single(node)) {
        return value_text(node);
    }
    std::string items;
    for (const Node& child : node.children()) {
        items += items.empty() ? "" : ", ";
        items += node.is_map() ? write_scalar(child.key(), false) + ": " : std::string{};
        items += write_flow(child);
    }
    return node.is_map() ? "{" + items + "}" : "[" + items + "]";
}

std::string replace_scalars(std::string_view source_text,
                            const std::vector<Replacement>& replacements) {
    std::vector<std::pair<std::size_t, const Replacement*>> places;
    places.reserve(replacements.size());
    for (const Replacement& replacement : replacements) {
        places.emplace_back(offset_of(source_text, replacement.where), &replacement);
    }
    std::sort(places.begin(), places.end());
    std::string out;
    std::size_t done = 0;
    for (const auto& [offset, replacement] : places) {
        if (offset < done) {
            throw std::invalid_argument(
                fmt::format("{} is replaced twice", to_text(replacement->where)));
        }
        out += source_text.substr(done, offset - done);
        out += replacement->text;
        done = offset + static_cast<std::size_t>(replacement->where.length);
    }
    out += source_text.substr(done);
    return out;
}

}  // namespace idlesim::config
