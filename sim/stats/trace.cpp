// SPDX-License-Identifier: Apache-2.0
#include "sim/stats/trace.hpp"

#include <algorithm>

namespace idlesim {

std::vector<TraceRecord> Trace::records_by_time() const {
    std::vector<TraceRecord> sorted = records_;
    std::stable_sort(
        sorted.begin(), sorted.end(), [](const TraceRecord& first, const TraceRecord& second) {
            return first.at < second.at;
        });
    return sorted;
}

}  // namespace idlesim
