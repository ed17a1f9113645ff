// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/node.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace idlesim {

/// One statistic as a result holds it.
struct StoredValue {
    double all = 0;                    ///< over all replications
    std::vector<double> replications;  ///< one each; may be absent of a single one
    std::string unit;
    std::string series;  ///< "mwait.wake_latency" of a run
};

/// Which statistic. Of a run the point is empty.
struct StoredKey {
    std::string point;  ///< id in a sweep
    std::string name;   ///< "mwait.wake_latency.p50"

    friend auto operator<=>(const StoredKey&, const StoredKey&) = default;
};

/// What `run --out` or `sweep --out` left in a directory, as far as two of them are compared.
struct StoredResult {
    enum class Kind { run, sweep };

    std::filesystem::path path;
    Kind kind = Kind::run;
    std::string name;
    std::string version;  ///< of idlesim, commit included
    std::uint64_t seed = 1;
    bool seed_is_swept = false;
    std::string configuration;      ///< hash of every value that counts
    std::vector<std::string> arms;  ///< of a run
    std::vector<StoredKey> keys;    ///< in the order of the file
    std::map<StoredKey, StoredValue> values;
    std::map<std::string, std::string> points;  ///< id -> "kernel.hz=250 ..." of a sweep
    std::size_t unfinished = 0;                 ///< points without values
    config::Node effective;                     ///< effective.yaml of a run; null where absent
};

/// Reads a result. `path` is its directory, or the points.csv or summary.csv in it. Throws
/// config::ConfigError when there is none, or one of another tool or format.
[[nodiscard]] StoredResult read_stored_result(const std::filesystem::path& path);

}  // namespace idlesim
