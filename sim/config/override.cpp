// SPDX-License-Identifier: Apache-2.0
#include "sim/config/override.hpp"

#include "sim/config/excerpt.hpp"
#include "sim/config/flow.hpp"
#include "sim/config/load.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

/// A map's key or a sequence's index on the way to a value.
struct Step {
    std::string key;
    std::optional<std::size_t> index;
    Location where;
};

bool is_key_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

std::string_view take_key(std::string_view& rest) {
    std::size_t length = 0;
    while (length < rest.size() && is_key_character(rest[length])) {
        ++length;
    }
    const std::string_view key = rest.substr(0, length);
    rest.remove_prefix(length);
    return key;
}

/// Takes "[12]"; nullopt when there is something else.
std::optional<std::size_t> take_index(std::string_view& rest) {
    const std::size_t close = rest.find(']');
    if (!rest.starts_with('[') || close == std::string_view::npos) {
        return std::nullopt;
    }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + close, index);
    if (error != std::errc{} || end != rest.data() + close) {
        return std::nullopt;
    }
    rest.remove_prefix(close + 1);
    return index;
}

/// Splits "a.b[2].c"; nullopt when it is no path.
std::optional<std::vector<Step>> split_path(std::string_view path, int column) {
    std::vector<Step> steps;
    std::string_view rest = path;
    const auto place = [&](std::size_t begin, std::size_t end) {
        return Location{std::string{kCommandLine},
                        1,
                        column + static_cast<int>(begin),
                        static_cast<int>(end - begin)};
    };
    while (steps.size() < static_cast<std::size_t>(kDeepestNesting)) {
        const std::size_t begin = path.size() - rest.size();
        const std::string_view key = take_key(rest);
        if (key.empty()) {
            return std::nullopt;
        }
        steps.push_back({std::string{key}, std::nullopt, place(begin, begin + key.size())});
        while (rest.starts_with('[')) {
            const std::size_t bracket = path.size() - rest.size();
            const std::optional<std::size_t> index = take_index(rest);
            if (!index) {
                return std::nullopt;
            }
            steps.push_back({{}, index, place(bracket, path.size() - rest.size())});
        }
        if (rest.empty()) {
            return steps;
        }
        if (!rest.starts_with('.')) {
            return std::nullopt;
        }
        rest.remove_prefix(1);
    }
    return std::nullopt;
}

Node* fail(const Step& step, std::string what, Diagnostics& diagnostics) {
    diagnostics.error(step.where, std::move(what));
    return nullptr;
}

Node* find_item(Node& node, const Step& step, Diagnostics& diagnostics) {
    if (!node.is_sequence()) {
        return fail(step, "there is no list here", diagnostics);
    }
    const std::size_t size = node.children().size();
    if (*step.index >= size) {
        return fail(step,
                    size == 0 ? std::string{"the list is empty"}
                              : fmt::format("the list has the items [0] to [{}]", size - 1),
                    diagnostics);
    }
    return &node.children()[*step.index];
}

/// The entry for the step's key, made when it is missing, as is the map around it.
Node* find_entry(Node& node, const Step& step, Diagnostics& diagnostics) {
    if (node.is_null()) {
        node.become_map(step.where);
    }
    if (!node.is_map()) {
        return fail(
            step, fmt::format("there is no map that could hold '{}' here", step.key), diagnostics);
    }
    if (Node* entry = node.find(step.key)) {
        return entry;
    }
    return &node.insert(step.key, step.where, Node::null({}, step.where));
}

/// Walks the path in `root` and puts the value at its end.
bool put(Node& root, const std::vector<Step>& steps, Node value, Diagnostics& diagnostics) {
    Node* node = &root;
    Node* parent = nullptr;
    for (const Step& step : steps) {
        parent = node;
        node =
            step.index ? find_item(*node, step, diagnostics) : find_entry(*node, step, diagnostics);
        if (node == nullptr) {
            return false;
        }
    }
    if (steps.back().index) {
        *node = std::move(value);
    } else {
        parent->insert(steps.back().key, steps.back().where, std::move(value));
    }
    return true;
}

}  // namespace

void merge(Node& base, const Node& overlay) {
    if (!base.is_map() || !overlay.is_map()) {
        base = overlay;
        return;
    }
    for (const Node& entry : overlay.children()) {
        Node* known = base.find(entry.key());
        if (known == nullptr || !known->is_map() || !entry.is_map()) {
            base.insert(entry.key(), entry.key_location(), entry);
            continue;
        }
        merge(*known, entry);
        known->set_location(entry.location());
        known->set_key_location(entry.key_location());
    }
}

void apply_set(Node& root,
               std::string_view assignment,
               int argument_index,
               Diagnostics& diagnostics) {
    const int column = diagnostics.add_argument(argument_index, assignment);
    const auto place = [column](std::size_t begin, std::size_t length) {
        return Location{std::string{kCommandLine},
                        1,
                        column + static_cast<int>(begin),
                        static_cast<int>(length)};
    };
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) {
        diagnostics.error(place(0, assignment.size()),
                          "--set wants path=value, for example idle.poll_limit=50us");
        return;
    }
    const std::string_view path = assignment.substr(0, equals);
    const std::optional<std::vector<Step>> steps = split_path(path, column);
    if (!steps) {
        diagnostics.error(place(0, std::max<std::size_t>(path.size(), 1)),
                          "no path; write keys and indices such as cstates[2].exit_latency");
        return;
    }
    const std::string_view text = assignment.substr(equals + 1);
    const Location where = place(equals + 1, std::max<std::size_t>(text.size(), 1));
    if (text.find_first_not_of(" \t\n") == std::string_view::npos) {
        diagnostics.error(where, "a value is missing; write \"\" for an empty string");
        return;
    }
    std::optional<Node> value =
        parse_flow(text, std::string{kCommandLine}, where.column, diagnostics);
    if (!value) {
        diagnostics.error(
            where,
            fmt::format("'{}' is no value; quote what contains , : # [ ] {{ }}", printable(text)));
        return;
    }
    Node changed = root;
    if (put(changed, *steps, std::move(*value), diagnostics)) {
        root = std::move(changed);
    }
}

}  // namespace idlesim::config
