// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/node.hpp"

#include <vector>

namespace idlesim {

struct Experiment;

/// What several maps say alike: the largest tree that every one of them contains.
[[nodiscard]] config::Node common_part(const std::vector<const config::Node*>& maps);

/// What has to be laid over `common`, a part of `whole`, to get `whole` back.
[[nodiscard]] config::Node remainder(const config::Node& whole, const config::Node& common);

/// The experiment as it was understood, defaults included, with file names that are the same on
/// every machine.
[[nodiscard]] config::Node effective_tree(const Experiment& experiment);

}  // namespace idlesim
