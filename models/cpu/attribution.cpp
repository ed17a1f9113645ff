// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/attribution.hpp"

#include <algorithm>

namespace idlesim {

StepId StepNames::id(std::string_view name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) {
        return static_cast<StepId>(found - names_.begin());
    }
    IDLESIM_CHECK(names_.size() < kMaxSteps, "more steps than a sample has columns for");
    names_.emplace_back(name);
    return static_cast<StepId>(names_.size() - 1);
}

}  // namespace idlesim
