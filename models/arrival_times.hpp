// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/converter.hpp"
#include "sim/engine/time.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// Recorded arrivals, read from a CSV file that the configuration names: a header line, then one
/// line per request. The column `interarrival_UNIT` holds the time since the request before;
/// `arrival_UNIT` the time of the arrival on any clock, rising, of which the first counts as the
/// start. UNIT is ns, us, ms or s. Other columns, empty lines and lines with # are passed over.
struct ArrivalTimes {
    std::string path;
    /// At least one; not all are zero.
    std::shared_ptr<const std::vector<Duration>> gaps;
};

/// The gaps of the text of such a file; nullopt after reporting at `name`.
std::optional<std::vector<Duration>> parse_arrivals(std::string_view text,
                                                    const std::string& name,
                                                    config::Diagnostics&);

namespace config {

template <>
struct Converter<ArrivalTimes> {
    static bool read(const Node& node, ArrivalTimes& out, Diagnostics& diagnostics);
    static std::string write(const ArrivalTimes& value);
    static std::optional<Node> to_node(const ArrivalTimes& value);
    static TypeDescription describe(int depth);
};

}  // namespace config
}  // namespace idlesim
