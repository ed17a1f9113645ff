// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_range.hpp"

#include "sim/config/decimal.hpp"
#include "sim/config/quantity.hpp"
#include "sim/engine/exact_math.hpp"
#include "sim/engine/random.hpp"
#include "sim/output/number.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace idlesim {
namespace {

using config::Diagnostics;
using config::Node;

constexpr double kLn10 = 2.302585092994045684;
constexpr int kLogDigits = 4;
constexpr int kDrawDigits = 6;
constexpr int kLinearDigits = 12;

enum class Spacing { linear, log };

/// What the map of a range may say.
struct RangeSettings {
    SweepValue from;
    SweepValue to;
    std::optional<std::int64_t> count;
    std::optional<int> per_decade;
    std::optional<SweepValue> step;
    Spacing scale = Spacing::linear;
};

const config::Fields<RangeSettings>& parameters(const RangeSettings*);

}  // namespace
}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<Spacing> {
    static constexpr std::pair<std::string_view, Spacing> values[] = {{"linear", Spacing::linear},
                                                                      {"log", Spacing::log}};
};

}  // namespace idlesim::config

namespace idlesim {
namespace {

const config::Fields<RangeSettings>& parameters(const RangeSettings*) {
    using config::field;
    static const config::Fields<RangeSettings> kFields{
        field("from", &RangeSettings::from, "first value").required(),
        field("to", &RangeSettings::to, "last value").required(),
        field("count", &RangeSettings::count, "number of values, both ends included").at_least(1),
        field("per_decade", &RangeSettings::per_decade, "values per factor of ten").at_least(1),
        field("step", &RangeSettings::step, "distance of neighbours"),
        field("scale", &RangeSettings::scale, "linear or log")};
    return kFields;
}

/// A number and its unit; durations are in picoseconds, whatever they were written in.
struct Amount {
    double value = 0;
    std::string unit;
    bool duration = false;
};

std::optional<Amount> amount_of(const Node& node, Diagnostics& diagnostics) {
    if (!config::expect_plain(node, "number with its unit", diagnostics)) {
        return std::nullopt;
    }
    const config::Parsed<Duration> duration = config::parse_duration(node.text());
    if (const auto* value = std::get_if<Duration>(&duration)) {
        return Amount{static_cast<double>(value->count()), "", true};
    }
    const auto decimal = config::split_decimal(node.text());
    const std::optional<double> value =
        decimal ? config::to_double(*decimal, 0) : std::optional<double>{};
    if (!value) {
        config::report(node, "a range needs a number such as 10, 2.5 W or 100 us", diagnostics);
        return std::nullopt;
    }
    return Amount{*value, std::string{decimal->unit}, false};
}

double rounded(double value, int significant) {
    return std::strtod(fmt::format("{:.{}e}", value, significant - 1).c_str(), nullptr);
}

std::string text_of(const Amount& like, double value, int significant) {
    const double near = rounded(value, significant);
    if (like.duration) {
        return format_ns(Duration{std::llround(near)}) + " ns";
    }
    const std::string number = config::write_number(near);
    return like.unit.empty() ? number : number + ' ' + like.unit;
}

/// A checked range.
struct Range {
    Amount from;
    Amount to;
    Spacing scale = Spacing::linear;
    std::string from_text;
    std::string to_text;

    [[nodiscard]] double at(double share) const {
        if (scale == Spacing::linear) {
            return from.value + (to.value - from.value) * share;
        }
        const double low = exact_math::log(from.value);
        return exact_math::exp(low + (exact_math::log(to.value) - low) * share);
    }
};

std::optional<Range> range_of(const Node& node,
                              const RangeSettings& settings,
                              Diagnostics& diagnostics) {
    const std::optional<Amount> from = amount_of(settings.from.node, diagnostics);
    const std::optional<Amount> to = amount_of(settings.to.node, diagnostics);
    if (!from || !to) {
        return std::nullopt;
    }
    if (from->duration != to->duration || from->unit != to->unit) {
        config::report(settings.to.node, "both ends of a range need the same unit", diagnostics);
        return std::nullopt;
    }
    const bool log = settings.scale == Spacing::log || settings.per_decade;
    if (log && (from->value <= 0 || to->value <= 0)) {
        config::report(node, "a logarithmic range needs ends above 0", diagnostics);
        return std::nullopt;
    }
    return Range{*from,
                 *to,
                 log ? Spacing::log : Spacing::linear,
                 settings.from.node.text(),
                 settings.to.node.text()};
}

std::optional<RangeSettings> read_range(const Node& node, Diagnostics& diagnostics) {
    Node copy = node;
    RangeSettings settings;
    if (!config::read(
            copy, parameters(static_cast<const RangeSettings*>(nullptr)), settings, diagnostics)) {
        return std::nullopt;
    }
    return settings;
}

std::vector<Node> too_many(const Node& node, double count, Diagnostics& diagnostics) {
    config::report(
        node,
        fmt::format(
            "{:.0f} values are too many: a sweep has at most {} points", count, kMostPoints),
        diagnostics);
    return {};
}

std::vector<Node> by_count(const Node& node, const Range& range, std::int64_t count) {
    std::vector<Node> values;
    const int digits = range.scale == Spacing::log ? kLogDigits : kLinearDigits;
    for (std::int64_t i = 0; i < count; ++i) {
        std::string text = range.from_text;
        if (i > 0) {
            const double share = static_cast<double>(i) / static_cast<double>(count - 1);
            text = i == count - 1 ? range.to_text : text_of(range.from, range.at(share), digits);
        }
        values.push_back(Node::scalar(std::move(text), false, node.location()));
    }
    return values;
}

std::vector<Node> by_step(const Node& node,
                          const Range& range,
                          const Node& step_node,
                          Diagnostics& diagnostics) {
    const std::optional<Amount> step = amount_of(step_node, diagnostics);
    if (!step) {
        return {};
    }
    const double distance = range.to.value - range.from.value;
    if (step->duration != range.from.duration || step->unit != range.from.unit ||
        step->value == 0 || distance / step->value < 0) {
        config::report(
            step_node, "a step leads from `from` towards `to`, in their unit", diagnostics);
        return {};
    }
    constexpr double kTolerance = 1e-9;
    const double steps = std::floor(distance / step->value + kTolerance);
    if (steps >= static_cast<double>(kMostPoints)) {
        return too_many(node, steps + 1, diagnostics);
    }
    std::vector<Node> values;
    for (std::int64_t i = 0; i <= static_cast<std::int64_t>(steps); ++i) {
        const double value = range.from.value + static_cast<double>(i) * step->value;
        values.push_back(
            Node::scalar(text_of(range.from, value, kLinearDigits), false, node.location()));
    }
    return values;
}

// Every decade has the same values: `from` times powers of 10^(1/n), and `to` at the end.
std::vector<Node> by_decade(const Node& node, const Range& range, int per_decade) {
    std::vector<Node> values;
    const bool up = range.to.value >= range.from.value;
    const double limit = range.to.value;
    constexpr double kMargin = 1e-6;
    for (int i = 0;; ++i) {
        double power = 1;
        for (int decade = 0; decade < i / per_decade; ++decade) {
            power *= 10;
        }
        const double root =
            rounded(exact_math::exp(kLn10 * static_cast<double>(i % per_decade) / per_decade),
                    kLinearDigits);
        const double factor = rounded(power * root, kLinearDigits);
        const double value = up ? range.from.value * factor : range.from.value / factor;
        if (up ? value > limit * (1 - kMargin) : value < limit * (1 + kMargin)) {
            break;
        }
        std::string text = i == 0 ? range.from_text : text_of(range.from, value, kLogDigits);
        values.push_back(Node::scalar(std::move(text), false, node.location()));
    }
    values.push_back(Node::scalar(range.to_text, false, node.location()));
    return values;
}

std::vector<Node> range_values(const Node& node, Diagnostics& diagnostics) {
    const std::optional<RangeSettings> settings = read_range(node, diagnostics);
    if (!settings) {
        return {};
    }
    const std::optional<Range> range = range_of(node, *settings, diagnostics);
    if (!range) {
        return {};
    }
    const int ways = static_cast<int>(settings->count.has_value()) +
                     static_cast<int>(settings->per_decade.has_value()) +
                     static_cast<int>(settings->step.has_value());
    if (ways != 1) {
        config::report(node, "a range needs one of count, step, per_decade", diagnostics);
        return {};
    }
    if (settings->step) {
        if (range->scale == Spacing::log) {
            config::report(node, "a step is linear; use count or per_decade", diagnostics);
            return {};
        }
        return by_step(node, *range, settings->step->node, diagnostics);
    }
    if (settings->per_decade) {
        return by_decade(node, *range, *settings->per_decade);
    }
    if (*settings->count > kMostPoints) {
        return too_many(node, static_cast<double>(*settings->count), diagnostics);
    }
    return by_count(node, *range, *settings->count);
}

/// Where each draw of a column lies between 0 and 1.
std::vector<double> shares(const SweepSample& sample, const std::string& path) {
    RandomStream stream{sample.seed, "sweep." + path};
    const auto count = static_cast<std::size_t>(sample.count);
    std::vector<std::size_t> part(count);
    std::iota(part.begin(), part.end(), std::size_t{0});
    const bool latin = sample.method == SampleMethod::latin_hypercube;
    if (latin) {
        for (std::size_t i = count - 1; i > 0; --i) {
            std::swap(part[i], part[stream.below(i + 1)]);
        }
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        const double u = stream.uniform();
        values.push_back(latin ? (static_cast<double>(part[i]) + u) / static_cast<double>(count)
                               : u);
    }
    return values;
}

std::vector<Node> drawn(const Node& node, const std::vector<double>& at, Diagnostics& diagnostics) {
    std::vector<Node> values;
    if (node.is_sequence() && !node.children().empty()) {
        const std::vector<Node>& choices = node.children();
        for (const double share : at) {
            values.push_back(
                choices[static_cast<std::size_t>(share * static_cast<double>(choices.size()))]);
        }
        return values;
    }
    if (!config::expect_map(node, diagnostics)) {
        return {};
    }
    const std::optional<RangeSettings> settings = read_range(node, diagnostics);
    const std::optional<Range> range =
        settings ? range_of(node, *settings, diagnostics) : std::optional<Range>{};
    if (!range) {
        return {};
    }
    if (settings->count || settings->per_decade || settings->step) {
        config::report(node, "a sampled range has only from, to and scale", diagnostics);
        return {};
    }
    for (const double share : at) {
        values.push_back(Node::scalar(
            text_of(range->from, range->at(share), kDrawDigits), false, node.location()));
    }
    return values;
}

}  // namespace

std::vector<Node> axis_values(const Node& node, Diagnostics& diagnostics) {
    if (node.is_map()) {
        return range_values(node, diagnostics);
    }
    if (!node.is_sequence()) {
        config::report(
            node, "an axis is a list of values or a range { from, to, count }", diagnostics);
        return {};
    }
    if (node.children().empty()) {
        config::report(node, "an axis needs at least one value", diagnostics);
    }
    return node.children();
}

std::vector<std::vector<Node>> sample_values(const SweepSample& sample, Diagnostics& diagnostics) {
    std::vector<std::vector<Node>> columns;
    for (const auto& entry : sample.over) {
        columns.push_back(drawn(entry.value.node, shares(sample, entry.key), diagnostics));
        if (columns.back().empty()) {
            return {};
        }
    }
    return columns;
}

}  // namespace idlesim
