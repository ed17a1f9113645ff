// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/field.hpp"

#include <utility>

namespace idlesim {

// What the keys beside every number of a platform file mean.
inline constexpr const char* kBasisHelp =
    "how the number is known: documented, derived (arithmetic on documented numbers), fitted (by "
    "the named calibration) or assumed (nothing is published; give a range)";
inline constexpr const char* kSourceHelp = "where the number comes from, or why it was assumed";
inline constexpr const char* kCalibrationHelp = "the calibration that fitted the number";
inline constexpr const char* kRangeHelp = "[low, high] that the sources allow";

/// The keys of a number that says how it is known (Factor, Amount, Watts, Joules). `value` is the
/// field of the number itself.
template <class Number, class ValueField>
config::Fields<Number> known_number(ValueField value) {
    using config::field;
    return {
        std::move(value),
        field("basis", &Number::basis, kBasisHelp).required(),
        field("source", &Number::source, kSourceHelp).required(),
        field("calibration", &Number::calibration, kCalibrationHelp),
        field("range", &Number::range, kRangeHelp),
    };
}

}  // namespace idlesim
