// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/result_files.hpp"
#include "sim/experiment/sweep_run.hpp"

#include <filesystem>

namespace idlesim {

/// Writes what a point has simulated as `run --out` writes an experiment. Throws OutputError where
/// that is not possible.
void write_point_result(const Sweep& sweep,
                        std::size_t point,
                        PointRuns runs,
                        const std::filesystem::path& path,
                        const WriteOptions& options);

}  // namespace idlesim
