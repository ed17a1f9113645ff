// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/location.hpp"
#include "sim/config/node.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace idlesim::config {

/// YAML text of a tree, one value a line, each with its origin as a comment: "# file:line:column",
/// "# command line" or "# default". Loading it gives the same values.
[[nodiscard]] std::string write_effective(const Node& root);

/// The value in one line of flow style, without comments ("[1, 2]", "{a: 5 us}").
[[nodiscard]] std::string write_flow(const Node& node);

/// A scalar's text in double quotes where YAML would read it otherwise without.
[[nodiscard]] std::string write_scalar(std::string_view text, bool quoted);

/// A new text for the scalar at `where` (its own location, length included).
struct Replacement {
    Location where;
    std::string text;
};

/// The source text with scalars replaced in place; comments and layout stay. Throws
/// std::invalid_argument for a place that is not in the text and for overlapping ones.
[[nodiscard]] std::string replace_scalars(std::string_view source_text,
                                          const std::vector<Replacement>& replacements);

}  // namespace idlesim::config
