// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/documented.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

using config::Diagnostics;
using config::Node;

constexpr double kPicosecondsPerNanosecond = 1000;

/// Number and unit, with or without a space between them.
std::pair<std::string_view, std::string_view> split(std::string_view text) {
    const std::size_t end = text.find_first_not_of("+-.0123456789");
    std::string_view unit = end == std::string_view::npos ? "" : text.substr(end);
    while (!unit.empty() && unit.front() == ' ') {
        unit.remove_prefix(1);
    }
    return {text.substr(0, end), unit};
}

bool parse(std::string_view text, double& value, std::string& unit, std::string& problem) {
    const auto [number, suffix] = split(text);
    const config::Parsed<double> parsed = config::parse_number(number);
    if (const auto* reason = std::get_if<std::string>(&parsed)) {
        problem = *reason;
        return false;
    }
    value = std::get<double>(parsed);
    unit = suffix == "/s" ? "1/s" : std::string{suffix};
    for (const std::string_view time : {"ps", "ns", "us", "µs", "ms", "s", "min", "h"}) {
        if (suffix == time) {
            const config::Parsed<Duration> duration = config::parse_duration(text);
            if (const auto* reason = std::get_if<std::string>(&duration)) {
                problem = *reason;
                return false;
            }
            value = static_cast<double>(std::get<Duration>(duration).count()) /
                    kPicosecondsPerNanosecond;
            unit = "ns";
        }
    }
    return true;
}

bool read_bound(const Node& node, Tolerance& out, Diagnostics& diagnostics) {
    if (!config::expect_plain(node, "a tolerance like 100 ns, 6 % or 4 points", diagnostics)) {
        return false;
    }
    Tolerance::Bound bound;
    std::string problem;
    if (!parse(node.text(), bound.value, bound.unit, problem)) {
        config::report(node, problem, diagnostics);
        return false;
    }
    if (bound.value < 0) {
        config::report(node, "must not be negative", diagnostics);
        return false;
    }
    if (bound.unit == "%") {
        bound.form = Tolerance::Bound::Form::percent;
    } else if (bound.unit == "points" || bound.unit == "point") {
        bound.form = Tolerance::Bound::Form::points;
    } else if (bound.unit.empty()) {
        config::report(node, "a tolerance needs a unit (100 ns, 6 %, 4 points)", diagnostics);
        return false;
    }
    out.bounds.push_back(bound);
    out.text += (out.text.empty() ? "" : " or ") + node.text();
    return true;
}

}  // namespace
}  // namespace idlesim

namespace idlesim::config {

bool Converter<Documented>::read(const Node& node, Documented& out, Diagnostics& diagnostics) {
    if (!expect_plain(node, "a number with its unit", diagnostics)) {
        return false;
    }
    std::string problem;
    if (!parse(node.text(), out.value, out.unit, problem)) {
        report(node, problem, diagnostics);
        return false;
    }
    out.text = node.text();
    return true;
}

std::string Converter<Documented>::write(const Documented& value) {
    return value.text;
}

bool Converter<Tolerance>::read(const Node& node, Tolerance& out, Diagnostics& diagnostics) {
    out = {};
    if (!node.is_sequence()) {
        return read_bound(node, out, diagnostics);
    }
    bool good = true;
    for (const Node& item : node.children()) {
        good = read_bound(item, out, diagnostics) && good;
    }
    return good;
}

std::string Converter<Tolerance>::write(const Tolerance& value) {
    std::vector<std::string> bounds;
    for (const Tolerance::Bound& bound : value.bounds) {
        bounds.push_back(fmt::format("{} {}", write_number(bound.value), bound.unit));
    }
    return bounds.size() == 1 ? bounds.front() : fmt::format("[{}]", fmt::join(bounds, ", "));
}

}  // namespace idlesim::config
