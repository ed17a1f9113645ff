// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/evaluate.hpp"

#include "sim/experiment/parallel.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

namespace idlesim {
namespace {

using ArmKey = std::pair<const Experiment*, std::size_t>;

std::vector<ArmKey> arms_needed(const std::vector<TargetRef>& targets) {
    std::vector<ArmKey> keys;
    const auto need = [&](const Experiment* experiment, const std::string& arm) {
        const ArmKey key{experiment, experiment->arm_index(arm)};
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
            keys.push_back(key);
        }
    };
    for (const TargetRef& ref : targets) {
        need(ref.experiment, ref.target->arm.value);
        if (ref.target->is_relative()) {
            need(ref.experiment, ref.target->relative_to.value);
        }
    }
    return keys;
}

std::vector<double> values_at(const std::vector<TargetRef>& targets,
                              const std::vector<ArmKey>& keys,
                              const std::vector<ArmResult>& results) {
    std::vector<double> values;
    for (const TargetRef& ref : targets) {
        const TargetMetrics metrics =
            metrics_of(*ref.target, [&](const std::string& arm) -> const ArmResult& {
                const ArmKey key{ref.experiment, ref.experiment->arm_index(arm)};
                return results[static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) -
                                                        keys.begin())];
            });
        values.push_back(simulated_value(*ref.target, *metrics.metric, metrics.base).value);
    }
    return values;
}

std::vector<double> values_at_point(const std::vector<TargetRef>& targets,
                                    const std::vector<ArmKey>& keys,
                                    const std::vector<Override>& point,
                                    const std::atomic<bool>* stop) {
    std::deque<Scenario> scenarios;
    std::vector<RunRequest> requests;
    for (const auto& [experiment, arm] : keys) {
        scenarios.push_back(scenario_with(experiment->arms[arm], point));
        requests.push_back(
            {&scenarios.back(), experiment->settings.seed, experiment->settings.replications, 1});
    }
    SimulateOptions options;
    options.keep_samples = false;
    options.stop = stop;
    return values_at(targets, keys, simulate(requests, options));
}

}  // namespace

std::vector<std::vector<double>> simulated_values(const std::vector<TargetRef>& targets,
                                                  const std::vector<std::vector<Override>>& points,
                                                  int jobs,
                                                  const std::atomic<bool>* stop) {
    const std::vector<ArmKey> keys = arms_needed(targets);
    std::vector<std::vector<double>> values(points.size());
    // Points are independent, so each is one piece of work for one thread: no thread waits for the
    // end of a point.
    parallel_for(points.size(), jobs, [&](std::size_t i) {
        try {
            values[i] = values_at_point(targets, keys, points[i], stop);
        } catch (const ImpossibleValues&) {
            values[i].assign(targets.size(), std::numeric_limits<double>::quiet_NaN());
        }
    });
    return values;
}

}  // namespace idlesim
