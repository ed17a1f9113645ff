// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_path.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

using config::Node;

struct Step {
    std::string key;  ///< of a map, or
    std::optional<std::size_t> index;
};

std::optional<std::size_t> index_of(std::string_view text) {
    std::size_t index = 0;
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, index);
    return error == std::errc{} && last == end ? std::optional{index} : std::nullopt;
}

/// "b[2][0]": a key and the indices behind it.
bool add_steps(std::string_view part, std::vector<Step>& steps) {
    std::size_t bracket = part.find('[');
    const std::string_view key = part.substr(0, bracket);
    if (key.empty()) {
        return false;
    }
    steps.push_back({std::string{key}, std::nullopt});
    while (bracket < part.size()) {
        const std::size_t close = part.find(']', bracket);
        if (part[bracket] != '[' || close == std::string_view::npos) {
            return false;
        }
        const auto index = index_of(part.substr(bracket + 1, close - bracket - 1));
        if (!index) {
            return false;
        }
        steps.push_back({{}, index});
        bracket = close + 1;
    }
    return true;
}

std::optional<std::vector<Step>> steps_of(std::string_view path) {
    std::vector<Step> steps;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t dot = std::min(path.find('.', begin), path.size());
        if (!add_steps(path.substr(begin, dot - begin), steps)) {
            return std::nullopt;
        }
        begin = dot + 1;
    }
    return steps;
}

}  // namespace

bool put_at_path(Node& root,
                 const std::string& path,
                 const config::Location& where,
                 const Node& value,
                 config::Diagnostics& diagnostics) {
    const std::optional<std::vector<Step>> steps = steps_of(path);
    if (!steps) {
        diagnostics.error(where, "no path; write keys and indices such as interrupts[0].rate");
        return false;
    }
    Node* node = &root;
    for (std::size_t i = 0; i < steps->size(); ++i) {
        const Step& step = (*steps)[i];
        const bool last = i + 1 == steps->size();
        if (step.index) {
            if (!node->is_sequence() || *step.index >= node->children().size()) {
                diagnostics.error(where,
                                  fmt::format("{}: there is no item [{}]", path, *step.index));
                return false;
            }
            node = &node->children()[*step.index];
            if (last) {
                *node = value;
            }
            continue;
        }
        if (node->is_null()) {
            node->become_map(where);
        }
        if (!node->is_map()) {
            diagnostics.error(
                where, fmt::format("{}: there is no map that could hold '{}'", path, step.key));
            return false;
        }
        if (last) {
            node->insert(step.key, where, value);
        } else if (Node* entry = node->find(step.key)) {
            node = entry;
        } else {
            node = &node->insert(step.key, where, Node::null({}, where));
        }
    }
    return true;
}

}  // namespace idlesim
