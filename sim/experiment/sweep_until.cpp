// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_until.hpp"

#include "sim/config/converter.hpp"
#include "sim/config/quantity.hpp"
#include "sim/output/number.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {

bool UntilRule::narrow_enough(double value, double interval_width) const {
    return interval_width <= (relative ? width * std::abs(value) : width);
}

int UntilRule::next_look(int done) const {
    return std::min(at_most, done + (done + 1) / 2);
}

std::string UntilRule::text() const {
    return fmt::format("{} {} of arms {}{} width {}{} from {} to {}",
                       metric,
                       stat->name,
                       fmt::join(arms, ","),
                       delta ? " delta" : "",
                       format_number(width),
                       relative ? " relative" : "",
                       at_least,
                       at_most);
}

bool read_width(const config::Node& node, UntilRule& rule, config::Diagnostics& diagnostics) {
    if (!config::expect_plain(node, "width", diagnostics)) {
        return false;
    }
    constexpr double kPicosecondsPerNanosecond = 1000;
    const std::string& text = node.text();
    if (rule.delta) {
        const config::Parsed<config::Points> points = config::parse_points(text);
        if (const auto* value = std::get_if<config::Points>(&points)) {
            rule.width = value->value;
        }
    } else if (const auto duration = config::parse_duration(text);
               const auto* value = std::get_if<Duration>(&duration)) {
        rule.width = static_cast<double>(value->count()) / kPicosecondsPerNanosecond;
    } else if (text.ends_with('%')) {
        const config::Parsed<config::Ratio> ratio = config::parse_ratio(text);
        if (const auto* share = std::get_if<config::Ratio>(&ratio)) {
            rule.relative = true;
            rule.width = share->value;
        }
    } else {
        const config::Parsed<double> number = config::parse_number(text);
        if (const auto* plain = std::get_if<double>(&number)) {
            rule.width = *plain;
        }
    }
    if (!(rule.width > 0)) {
        config::report(node,
                       rule.delta ? "the width of a delta is given in points, such as 2 points"
                                  : "expected a width such as 5 ns, 2 % or a number above 0",
                       diagnostics);
        return false;
    }
    return true;
}

}  // namespace idlesim
