// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_point_result.hpp"

#include <utility>

#include <fmt/format.h>

namespace idlesim {

void write_point_result(const Sweep& sweep,
                        std::size_t point,
                        PointRuns runs,
                        const std::filesystem::path& path,
                        const WriteOptions& options) {
    config::Diagnostics diagnostics;
    const Experiment experiment =
        sweep.base.experiment(fmt::format("{}-{}", sweep.settings.name, sweep.ids[point]),
                              static_cast<int>(runs.front().size()),
                              sweep.points.values(point),
                              diagnostics);
    diagnostics.throw_if_errors();
    std::vector<ArmResult> results;
    for (std::vector<RunResult>& arm : runs) {
        results.push_back(arm_result(std::move(arm)));
    }
    ResultDirectory directory{path};
    write_result(directory, experiment, results, {}, options);
}

}  // namespace idlesim
