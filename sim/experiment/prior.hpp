// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/calibration.hpp"
#include "sim/experiment/prior_range.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace idlesim {

/// Joint draws of a platform's assumed costs over their stated ranges: a Latin hypercube, so that
/// each cost takes every part of its range. The same for every run of the program.
[[nodiscard]] std::vector<std::vector<Override>> prior_draws(const PlatformSpec& platform,
                                                             int draws);

/// Fits a calibration again for each draw of the assumed costs: what is fitted has to make up for
/// what is assumed, so a prediction is free only in what the fit leaves open. Derivatives are taken
/// once, at `start`, and kept (chord method); three steps each. A step to impossible values is
/// halved.
[[nodiscard]] std::vector<std::vector<Override>> refitted_draws(
    const Calibration& calibration,
    const std::vector<std::vector<Override>>& draws,
    const std::vector<double>& start,
    int jobs,
    const std::atomic<bool>* stop);

/// How much of a prediction a target is: how far its simulated value goes over the platform's
/// assumed costs, in runs as short as the experiment's `prior.overlay` says.
class PriorRanges {
public:
    PriorRanges(LoadOptions options, int jobs, const std::atomic<bool>* stop);

    /// One per target, unknown for `use: fit` and where the platform assumes nothing.
    [[nodiscard]] std::vector<PriorRange> of(const Experiment& experiment);

private:
    const std::vector<std::vector<Override>>& draws_of(const Experiment& experiment);

    LoadOptions options_;
    int jobs_;
    const std::atomic<bool>* stop_;
    /// Draws of the experiments that name the same calibration are refitted once.
    std::map<std::string, std::vector<std::vector<Override>>> draws_;
};

/// Smallest and largest value of each target over the draws that are possible.
[[nodiscard]] std::vector<Interval> ranges_over(const std::vector<TargetRef>& targets,
                                                const std::vector<std::vector<Override>>& draws,
                                                int jobs,
                                                const std::atomic<bool>* stop);

}  // namespace idlesim
