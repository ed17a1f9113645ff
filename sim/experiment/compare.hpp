// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/analysis/delta.hpp"
#include "sim/experiment/stored_result.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace idlesim {

/// How the interval of a difference came about.
enum class Pairing {
    paired,    ///< the replications of both share seed and number, hence random streams
    unpaired,  ///< other seeds: Welch's interval
    none       ///< fewer than two replications of either: no interval
};

[[nodiscard]] std::string to_text(Pairing pairing);

/// One statistic that both results hold.
struct ComparedValue {
    StoredKey key;
    std::string baseline_name;  ///< differs from the key's where single arms are compared
    std::string unit;
    double baseline = 0;
    double value = 0;
    Delta delta;
    Pairing pairing = Pairing::none;
    std::size_t replications = 0;  ///< pairs, or of the side that has fewer

    /// -1 or 1 where the interval excludes no difference, 0 where it does not or there is none.
    [[nodiscard]] int direction() const;
};

/// A result against a baseline, as far as they hold the same.
struct Comparison {
    StoredResult baseline;
    StoredResult other;
    bool same_seed = false;
    /// Paired values of unequal numbers of replications are means over those in common.
    bool unequal_replications = false;
    std::vector<ComparedValue> values;
    /// Of two sweeps: each name averaged over the points, in shares of the baseline's value at the
    /// point, replication by replication. The points of a sweep have one seed, so they do not make
    /// up for replications.
    std::vector<ComparedValue> averages;
    std::vector<std::string> only_in_baseline;  ///< names of values, or points
    std::vector<std::string> only_in_other;
    std::vector<std::string> changes;  ///< "kernel.hz: 250 -> 1000", of two runs
};

/// Throws config::ConfigError when they have nothing in common.
[[nodiscard]] Comparison compare(StoredResult baseline, StoredResult other);

/// For people: what is compared with what, whether it is paired, and a table.
[[nodiscard]] std::string comparison_text(const Comparison& comparison);

/// One row per statistic: baseline_result, result, point, baseline, name, baseline_value, value,
/// delta, delta_percent, ci_low, ci_high (of delta_percent), unit, pairing, replications.
[[nodiscard]] std::string comparisons_csv(const std::vector<Comparison>& comparisons);

}  // namespace idlesim
