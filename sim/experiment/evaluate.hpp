// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/simulate.hpp"

#include <vector>

namespace idlesim {

/// A target and the experiment that it belongs to; both outlive the reference.
struct TargetRef {
    const Experiment* experiment = nullptr;
    const Target* target = nullptr;
};

/// What the targets come to at several points of the space of parameters, all with the same random
/// streams: values[point][target]. Only the arms that the targets need are run. A point whose
/// values are impossible gets NaN.
[[nodiscard]] std::vector<std::vector<double>> simulated_values(
    const std::vector<TargetRef>& targets,
    const std::vector<std::vector<Override>>& points,
    int jobs,
    const std::atomic<bool>* stop);

}  // namespace idlesim
