// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/analysis/delta.hpp"

#include <span>

namespace idlesim {

/// Two results whose random streams have nothing in common, one value per replication each;
/// `baseline_all` and `other_all` are the aggregates that the delta is of. The interval is Welch's,
/// of the ratio of the two means: their relative standard errors add up in squares (delta method),
/// with the degrees of freedom of Welch and Satterthwaite, rounded down. Centred on
/// delta_percent. Unknown with fewer than two replications of either.
[[nodiscard]] Delta unpaired_delta(double baseline_all,
                                   double other_all,
                                   std::span<const double> baseline,
                                   std::span<const double> other);

}  // namespace idlesim
