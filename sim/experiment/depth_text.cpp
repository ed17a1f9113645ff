// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/depth_text.hpp"

#include <fmt/format.h>

namespace idlesim {
namespace {

std::string percent(double part, double whole) {
    return fmt::format("{:.3g} %", whole == 0 ? 0.0 : 100 * part / whole);
}

std::string percent(Duration part, Duration whole) {
    return percent(static_cast<double>(part.count()), static_cast<double>(whole.count()));
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    return percent(static_cast<double>(part), static_cast<double>(whole));
}

}  // namespace

std::string depth_text(const DepthCount& count) {
    return fmt::format(
        "{} of {} idle entries too deep (above), with {} of the idle time; {} too shallow (below), "
        "with {} of the idle time",
        percent(count.too_deep, count.entries),
        count.entries,
        percent(count.too_deep_time, count.time),
        percent(count.too_shallow, count.entries),
        percent(count.too_shallow_time, count.time));
}

DepthCount depth_of(const ArmResult& arm) {
    DepthCount count;
    for (const RunResult& run : arm.runs) {
        for (const CpuidleRow& row : run.cpuidle) {
            count.entries += row.usage;
            count.too_deep += row.above;
            count.too_shallow += row.below;
            count.time += row.time;
            count.too_deep_time += row.above_time;
            count.too_shallow_time += row.below_time;
        }
    }
    return count;
}

}  // namespace idlesim
