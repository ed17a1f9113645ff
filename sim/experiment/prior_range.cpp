// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/prior_range.hpp"

#include <algorithm>
#include <cmath>

namespace idlesim {

Interval PriorRange::around(double value, bool is_difference) const {
    if (!draws.known() || std::isnan(as_is)) {
        return draws;
    }
    const double low = std::min(draws.low, as_is);
    const double high = std::max(draws.high, as_is);
    if (!is_difference && as_is > 0 && value > 0) {
        return {value * (low / as_is), value * (high / as_is)};
    }
    return {value + (low - as_is), value + (high - as_is)};
}

}  // namespace idlesim
