// SPDX-License-Identifier: Apache-2.0
#include "sim/config/flow.hpp"

#include "sim/config/text_check.hpp"
#include "sim/config/yaml_tree.hpp"

#include <utility>

#include <fmt/format.h>

namespace idlesim::config {

std::optional<Node> parse_flow(std::string_view flow,
                               const std::string& name,
                               int first_column,
                               Diagnostics& diagnostics) {
    if (check_text(flow)) {
        return std::nullopt;
    }
    // Inside of brackets, YAML has no other style; the line end closes a comment.
    const std::string text = fmt::format("[{}\n]", flow);
    const Origin origin{name, first_column - 2};
    Diagnostics trial;
    if (parse_yaml(text, origin, trial).is_invalid()) {
        return std::nullopt;
    }
    Node list = parse_yaml(text, origin, diagnostics);
    if (!list.is_sequence() || list.children().size() != 1) {
        return std::nullopt;
    }
    // "a: b" without braces is a map of one entry to YAML.
    Node value = std::move(list.children().front());
    const std::size_t first = flow.find_first_not_of(" \t\n");
    if (value.is_map() && (first == std::string_view::npos || flow[first] != '{')) {
        return std::nullopt;
    }
    return value;
}

}  // namespace idlesim::config
