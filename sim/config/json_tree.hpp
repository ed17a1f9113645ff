// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <string>
#include <string_view>

namespace idlesim::config {

/// Builds a tree from a JSON text as people write it: with comments, commas before a closing
/// bracket, and keys that repeat, which are all kept, in their order. `text` is valid UTF-8 and
/// known to `diagnostics` as `name`. Never throws on bad content: what is wrong goes to
/// `diagnostics`, and the root is Node::Kind::invalid.
Node parse_json(std::string_view text, const std::string& name, Diagnostics& diagnostics);

}  // namespace idlesim::config
