// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace idlesim {

/// What a metric of metric_names() is, for people.
struct MetricHelp {
    std::string_view name;
    std::string_view unit;
    std::string_view help;
};

/// One line for each metric, in the order of metric_names(); a test compares the two.
[[nodiscard]] const std::vector<MetricHelp>& metric_help();

}  // namespace idlesim
