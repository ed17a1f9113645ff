// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/fit_counts.hpp"

#include "sim/experiment/calibration.hpp"
#include "sim/experiment/data_files.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace idlesim {

FitCounts::FitCounts(const std::vector<Experiment>& experiments) {
    std::map<std::string, bool> seen;
    for (const Experiment& experiment : experiments) {
        const config::Located<std::string>& name = experiment.settings.calibration;
        if (name.value.empty()) {
            continue;
        }
        const auto found = find_data_file(name.value, experiment.path, "experiments");
        if (!found) {
            config::Diagnostics diagnostics;
            diagnostics.error(name.location,
                              fmt::format("there is no calibration '{}'", name.value));
            diagnostics.throw_if_errors();
        }
        if (!seen.emplace(found->path.string(), true).second) {
            continue;
        }
        const Calibration calibration = load_calibration(displayed(found->path), {});
        counts_.push_back({found->path.stem().string(),
                           calibration.settings.parameters.size(),
                           calibration.fit_targets().size()});
    }
}

std::string FitCounts::text() const {
    std::string text;
    for (const Count& count : counts_) {
        text += fmt::format("calibration {}: {} parameters fitted to {} targets{}\n",
                            count.calibration,
                            count.parameters,
                            count.targets,
                            count.parameters == count.targets
                                ? "; exactly determined, so these targets prove nothing"
                                : "");
    }
    return text;
}

bool FitCounts::too_many_parameters() const {
    return std::any_of(counts_.begin(), counts_.end(), [](const Count& count) {
        return count.parameters > count.targets;
    });
}

}  // namespace idlesim
