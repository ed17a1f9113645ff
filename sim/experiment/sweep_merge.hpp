// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/sweep_directory.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace idlesim {

struct MergeResult {
    std::size_t points = 0;
    std::size_t failures = 0;
};

/// Puts the shards of a sweep together into `out`, which is then the same as if the sweep had been
/// run there. Throws config::ConfigError, naming the directories, when shards are of different
/// sweeps, versions or divisions, when one is missing or there twice, and when points are missing.
MergeResult merge_shards(const std::vector<std::filesystem::path>& shards,
                         const std::filesystem::path& out,
                         const TableFiles& files,
                         const std::string& command);

}  // namespace idlesim
