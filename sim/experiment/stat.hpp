// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// A statistic of a set of samples, as it is spelled in every file.
struct Stat {
    enum class Kind { count, minimum, quantile, maximum, mean, deviation };

    std::string_view name;
    Kind kind;
    double q = 0;  ///< of a quantile
    /// Pooling more replications moves it without end, or it rests on a handful of samples: over
    /// all replications it is the mean of the replications' values.
    bool averaged = false;
};

/// All of them, in the order in which they are written.
[[nodiscard]] const std::vector<Stat>& all_stats();
[[nodiscard]] const Stat* find_stat(std::string_view name);
[[nodiscard]] std::vector<std::string> stat_names();

/// The metrics that workloads may report, for messages and checks.
[[nodiscard]] const std::vector<std::string>& metric_names();

}  // namespace idlesim
