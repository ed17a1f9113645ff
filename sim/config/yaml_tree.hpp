// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace idlesim::config {

/// What the places of a parsed text are called.
struct Origin {
    std::string name;
    /// The text is a part of one line: this is added to the columns of its first line, and every
    /// place is in line 1.
    std::optional<int> column_shift{};
};

/// Builds a tree from checked text (see check_text); the rules are those of load_text.
Node parse_yaml(std::string_view text, const Origin& origin, Diagnostics& diagnostics);

}  // namespace idlesim::config
