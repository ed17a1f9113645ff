// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/describe.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// Something that `describe` knows by its name.
struct CatalogueEntry {
    std::string thing;  ///< "idle strategy", "metric", "part of a file"
    std::string name;
    std::string help;
    std::vector<config::FieldDescription> fields;
};

/// Governors, idle strategies, interrupt sources, workloads, placements, metrics, and the parts of
/// files, in this order: what completion, manual page and reference are made of. Platforms are
/// files and not among them.
[[nodiscard]] std::vector<CatalogueEntry> catalogue();

}  // namespace idlesim
