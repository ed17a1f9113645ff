// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/analysis/interval.hpp"

#include <span>

namespace idlesim {

/// Two arms that shared their random streams, replication by replication.
struct PairedDelta {
    double delta = 0;          ///< arm - baseline, of the aggregated values
    double delta_percent = 0;  ///< of the aggregated baseline value; NaN when that is 0
    Interval percent_interval;
};

/// `baseline` and `arm` hold one value per replication, in the same order; `baseline_all` and
/// `arm_all` the aggregates that the delta is of. The interval is Student's over the percents of
/// the single replications (a pair is one observation), centred on delta_percent: what the
/// replications share cancels inside each percent. Unknown with fewer than two pairs.
[[nodiscard]] PairedDelta paired_delta(double baseline_all,
                                       double arm_all,
                                       std::span<const double> baseline,
                                       std::span<const double> arm);

}  // namespace idlesim
