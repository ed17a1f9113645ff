// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/analysis/interval.hpp"

#include <limits>

namespace idlesim {

/// What runs gave that are shorter than those a value comes from.
struct PriorRange {
    double as_is = std::numeric_limits<double>::quiet_NaN();  ///< with the costs as they are
    Interval draws;                                           ///< over draws of the assumed ones

    /// As far from `value` as the draws went from `as_is`: a short run differs from a long one by
    /// its luck and its length, and its draws share both. In proportion, so that counts may come
    /// from runs of different length, or by differences where `is_difference` says that the values
    /// are some already. Contains `value`; unknown where `draws` is.
    [[nodiscard]] Interval around(double value, bool is_difference) const;
};

}  // namespace idlesim
