// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/wake_causes.hpp"

#include <algorithm>

namespace idlesim {

std::size_t WakeSources::add(const std::string& name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) {
        return static_cast<std::size_t>(found - names_.begin());
    }
    names_.push_back(name);
    return names_.size() - 1;
}

std::size_t WakeCauses::end(bool poll_limit_hit, bool need_resched, Duration slept) {
    std::size_t cause = served_;
    if (cause == kNone) {
        cause = poll_limit_hit ? WakeSources::kPollLimit
                : need_resched ? WakeSources::kStore
                               : WakeSources::kOther;
    }
    if (cause >= counts_.size()) {
        counts_.resize(cause + 1);
    }
    ++counts_[cause].wakes;
    counts_[cause].slept += slept;
    return cause;
}

void WakeCauses::report(const WakeSources& sources, int cpu, std::vector<WakeRow>& rows) const {
    for (std::size_t source = 0; source < counts_.size(); ++source) {
        if (counts_[source].wakes != 0) {
            rows.push_back(
                {cpu, sources.name(source), counts_[source].wakes, counts_[source].slept});
        }
    }
}

}  // namespace idlesim
