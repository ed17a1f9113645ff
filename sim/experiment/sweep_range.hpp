// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"
#include "sim/experiment/sweep_settings.hpp"

#include <cstdint>
#include <vector>

namespace idlesim {

/// A sweep may not have more points than this: beyond it, their list alone is a burden.
inline constexpr std::int64_t kMostPoints = 10'000'000;

/// The values of an axis: a list as it stands, or a range written as a map with `from`, `to` and
/// one of `count`, `step`, `per_decade`; `scale: log` spaces a count evenly in the logarithm. Both
/// ends belong to a range; logarithmic values in between are rounded to four significant digits.
/// Each value has a place in the file. Empty after an error.
[[nodiscard]] std::vector<config::Node> axis_values(const config::Node& node,
                                                    config::Diagnostics& diagnostics);

/// One column of draws for each entry of `sample.over`: values[column][draw]. A draw depends on
/// the seed, the path and (for random) its index alone. Empty after an error.
[[nodiscard]] std::vector<std::vector<config::Node>> sample_values(
    const SweepSample& sample, config::Diagnostics& diagnostics);

}  // namespace idlesim
