// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/experiment/sweep_base.hpp"
#include "sim/experiment/sweep_points.hpp"
#include "sim/experiment/sweep_settings.hpp"
#include "sim/experiment/sweep_until.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// A value of a point: a statistic of one arm's metric, or its paired difference from the baseline
/// arm in percent.
struct MetricColumn {
    std::size_t arm = 0;
    std::string metric;
    const Stat* stat = nullptr;
    bool delta = false;
    std::string name;  ///< "mwait.wake_latency.p50"
};

/// What must be the same for two results to be rows of one table.
struct SweepSpec {
    std::string version;
    std::string commit;
    std::string columns;  ///< names of the values, in one line
    std::string until;    ///< the stopping rule, in one line

    friend bool operator==(const SweepSpec&, const SweepSpec&) = default;
};

/// A sweep file, read and checked.
struct Sweep {
    std::filesystem::path path;
    SweepSettings settings;
    SweepBase base;
    SweepPoints points;
    std::vector<std::string> ids;  ///< of every point
    std::vector<MetricColumn> columns;
    std::optional<UntilRule> until;
    SweepSpec spec;
    std::uint64_t seed = 1;  ///< of the first point
    /// Of every value that counts in the first point.
    std::uint64_t configuration = 0;

    /// How much work a point is, in relation to the others: by the values of paths that say how
    /// long a run is (wakeups, datapoints, duration...).
    [[nodiscard]] double weight(std::size_t point) const;
};

/// Reads a sweep and tries every row of every part once, together with the first rows of the other
/// parts (rows beyond the first 2000 of a part are left to the run). Reports all that is wrong
/// together; complete only when there were no errors.
[[nodiscard]] Sweep load_sweep(const std::filesystem::path& path,
                               const LoadOptions& options,
                               config::Diagnostics& diagnostics);

/// The same; throws config::ConfigError when something is wrong.
[[nodiscard]] Sweep load_sweep(const std::filesystem::path& path, const LoadOptions& options);

}  // namespace idlesim
