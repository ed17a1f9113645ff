// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/analysis/delta.hpp"

#include <span>

namespace idlesim {

/// Two arms that shared their random streams, replication by replication.
///
/// `baseline` and `arm` hold one value per replication, in the same order; `baseline_all` and
/// `arm_all` the aggregates that the delta is of. The interval is Student's over the percents of
/// the single replications (a pair is one observation), centred on delta_percent: what the
/// replications share cancels inside each percent. Unknown with fewer than two pairs.
[[nodiscard]] Delta paired_delta(double baseline_all,
                                 double arm_all,
                                 std::span<const double> baseline,
                                 std::span<const double> arm);

}  // namespace idlesim
