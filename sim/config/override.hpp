// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <string_view>

namespace idlesim::config {

/// Lays `overlay` over `base`: maps are merged key by key, everything else is replaced. What comes
/// from the overlay keeps the overlay's places.
void merge(Node& base, const Node& overlay);

/// Applies "a.b[2].c=value": the value is YAML in flow style, indices start at 0 and must exist,
/// maps that are missing on the way are made. Every place is on the command line, where
/// `argument_index` (from 1) is the number of this --set. A malformed assignment is an error and
/// leaves the tree alone.
void apply_set(Node& root,
               std::string_view assignment,
               int argument_index,
               Diagnostics& diagnostics);

}  // namespace idlesim::config
