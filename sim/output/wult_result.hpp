// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"
#include "sim/stats/wult_points.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace idlesim {

/// What a wult result says about itself.
struct WultInfo {
    std::string report_id;
    std::string tool_version;
    int cpu = 0;                     ///< the one that was measured
    std::string device_id;           ///< "hrt", "tdt" or the name of a network card
    std::string device_description;  ///< "high-resolution timer"
    Duration resolution{};           ///< of the device
    Duration duration{};             ///< of the measurement
    std::string date;                ///< "17 Mar 2026", as wult writes it
    std::string more;                ///< lines of YAML with keys of our own; wult skips them
};

/// Writes datapoints.csv and info.yml into `folder`, which makes it a raw result of wult, format
/// 1.3, for `wult report`, `calc` and `filter` (wult 1.12.65, wultlibs/result/; columns after
/// wultdata/defs/wult/wult.yml). Without any datapoint nothing is written and the answer is
/// false: wult refuses an empty result.
[[nodiscard]] bool write_wult_result(const std::filesystem::path& folder,
                                     const WultPoints& points,
                                     const WultInfo& info);

/// `name` as a report ID: what wult does not allow in one becomes '-'.
[[nodiscard]] std::string wult_report_id(std::string_view name);

}  // namespace idlesim
