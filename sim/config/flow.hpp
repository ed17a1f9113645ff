// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace idlesim::config {

/// Parses `flow` as one value in flow style. nullopt when it is none or more than one; complaints
/// about what is in it go to `diagnostics`.
std::optional<Node> parse_flow(std::string_view flow,
                               const std::string& name,
                               int first_column,
                               Diagnostics& diagnostics);

}  // namespace idlesim::config
