// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep.hpp"

#include "sim/config/decimal.hpp"
#include "sim/config/load.hpp"
#include "sim/config/suggest.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <unordered_set>

#include "build_info.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

using config::Diagnostics;

constexpr std::size_t kMostRowsTried = 2000;

// What the workloads call their length.
constexpr std::array<std::string_view, 10> kLengths{"wakeups",
                                                    "datapoints",
                                                    "samples",
                                                    "activations",
                                                    "duration",
                                                    "cycles",
                                                    "rounds",
                                                    "requests",
                                                    "packets",
                                                    "replications"};

std::optional<std::size_t> find_arm(const config::Located<std::string>& arm,
                                    const SweepBase& base,
                                    Diagnostics& diagnostics) {
    const auto& arms = base.arms();
    const auto found = std::find(arms.begin(), arms.end(), arm.value);
    if (found == arms.end()) {
        diagnostics.error(
            arm.location,
            fmt::format(
                "unknown arm '{}'{}", arm.value, config::suggestion_text(arm.value, "arms", arms)));
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - arms.begin());
}

const Stat* stat_of(const config::Located<std::string>& name, Diagnostics& diagnostics) {
    const Stat* stat = find_stat(name.value);
    if (stat == nullptr) {
        diagnostics.error(name.location,
                          fmt::format("unknown statistic '{}'{}",
                                      name.value,
                                      config::suggestion_text(name.value, "stats", stat_names())));
    }
    return stat;
}

/// Indices of the arms that an entry is about; a delta is none of the baseline itself.
std::vector<std::size_t> arms_of(const config::Located<std::string>& arm,
                                 bool delta,
                                 const config::Location& where,
                                 const SweepBase& base,
                                 Diagnostics& diagnostics) {
    std::vector<std::size_t> arms;
    if (!arm.value.empty()) {
        if (const auto index = find_arm(arm, base, diagnostics)) {
            arms.push_back(*index);
        }
    } else {
        for (std::size_t i = 0; i < base.arms().size(); ++i) {
            arms.push_back(i);
        }
    }
    const bool known = !arms.empty();
    if (delta) {
        std::erase(arms, base.baseline());
        if (known && arms.empty()) {
            diagnostics.error(where, "delta: a difference needs an arm beside the baseline");
        }
    }
    return arms;
}

void find_columns(Sweep& sweep, Diagnostics& diagnostics) {
    for (const SweepMetric& metric : sweep.settings.metrics) {
        const std::vector<std::size_t> arms =
            arms_of(metric.arm, metric.delta, metric.location, sweep.base, diagnostics);
        for (const auto& name : metric.stats) {
            const Stat* stat = stat_of(name, diagnostics);
            for (const std::size_t arm : arms) {
                MetricColumn column{arm, metric.metric, stat, metric.delta, {}};
                column.name = fmt::format("{}.{}.{}{}",
                                          sweep.base.arms()[arm],
                                          metric.metric,
                                          name.value,
                                          metric.delta ? ".delta_percent" : "");
                const bool repeated =
                    std::any_of(sweep.columns.begin(), sweep.columns.end(), [&](const auto& c) {
                        return c.name == column.name;
                    });
                if (repeated) {
                    diagnostics.error(name.location,
                                      fmt::format("the column {} is here already", column.name));
                } else {
                    sweep.columns.push_back(std::move(column));
                }
            }
        }
    }
}

void find_until(Sweep& sweep, Diagnostics& diagnostics) {
    if (!sweep.settings.until) {
        return;
    }
    const SweepUntil& until = *sweep.settings.until;
    UntilRule rule;
    rule.metric = until.metric;
    rule.delta = until.delta;
    rule.at_least = until.at_least;
    rule.at_most = std::max(until.at_least, until.at_most);
    rule.stat = stat_of(until.stat, diagnostics);
    rule.arms = arms_of(until.arm, until.delta, until.location, sweep.base, diagnostics);
    if (!read_width(until.width.node, rule, diagnostics)) {
        return;
    }
    sweep.until = rule;
}

std::vector<PathValue> values_of_row(const SweepPoints& points, std::size_t part, std::size_t row) {
    std::vector<PathValue> values;
    for (std::size_t p = 0; p < points.parts().size(); ++p) {
        const SweepPart& other = points.parts()[p];
        const auto& cells = other.rows[p == part ? row : 0];
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i]) {
                values.push_back({&points.columns()[other.columns[i]], &*cells[i]});
            }
        }
    }
    return values;
}

void try_rows(const Sweep& sweep, Diagnostics& diagnostics) {
    for (std::size_t part = 0; part < sweep.points.parts().size(); ++part) {
        const std::size_t rows = std::min(sweep.points.parts()[part].rows.size(), kMostRowsTried);
        // The point of all first rows needs trying once.
        for (std::size_t row = part == 0 ? 0 : 1; row < rows; ++row) {
            static_cast<void>(
                sweep.base.resolve(values_of_row(sweep.points, part, row), diagnostics));
        }
    }
}

void find_ids(Sweep& sweep, Diagnostics& diagnostics) {
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < sweep.points.count(); ++i) {
        sweep.ids.push_back(sweep.points.id(i));
        if (!seen.insert(sweep.ids.back()).second) {
            diagnostics.error(
                sweep.settings.experiment.node.key_location(),
                fmt::format("point {} is the same as an earlier one", sweep.ids.back()));
            return;
        }
    }
}

double number_of(const config::Node& node) {
    const config::Parsed<Duration> duration = config::parse_duration(node.text());
    if (const auto* value = std::get_if<Duration>(&duration)) {
        return static_cast<double>(value->count());
    }
    const auto decimal = config::split_decimal(node.text());
    return decimal ? config::to_double(*decimal, 0).value_or(1) : 1;
}

}  // namespace

double Sweep::weight(std::size_t point) const {
    double product = 1;
    for (const PathValue& value : points.values(point)) {
        const std::string& varied = value.column->path;
        const std::string last = varied.substr(varied.rfind('.') + 1);
        if (value.value->is_scalar() &&
            std::find(kLengths.begin(), kLengths.end(), last) != kLengths.end()) {
            product *= number_of(*value.value);
        }
    }
    return product;
}

Sweep load_sweep(const std::filesystem::path& path,
                 const LoadOptions& options,
                 Diagnostics& diagnostics) {
    Sweep sweep;
    sweep.path = path;
    config::Node root = config::load_file(path.string(), diagnostics);
    if (root.is_invalid()) {
        return sweep;
    }
    sweep.settings.name = path.stem().string();
    if (!root.is_map()) {
        diagnostics.error(root.location(),
                          "a sweep is a map with title, experiment, axes and metrics");
        return sweep;
    }
    config::read(
        root, parameters(static_cast<const SweepSettings*>(nullptr)), sweep.settings, diagnostics);
    if (sweep.settings.experiment.node.is_null()) {
        return sweep;
    }
    sweep.base.load(sweep.settings, path, options, diagnostics);
    std::vector<std::string> cstates{"POLL"};
    const bool base_is_known = !sweep.base.arms().empty();
    if (base_is_known && sweep.settings.cstates) {
        // Only to learn their names: what is wrong without the points' values does not matter.
        Diagnostics ignored;
        if (ResolvedPoint bare = sweep.base.resolve({}, ignored); !bare.cstates.empty()) {
            cstates = std::move(bare.cstates);
        }
    }
    sweep.points = SweepPoints::make(sweep.settings, cstates, diagnostics);
    if (base_is_known) {
        find_columns(sweep, diagnostics);
        find_until(sweep, diagnostics);
        if (sweep.points.parts().empty()) {
            static_cast<void>(sweep.base.resolve({}, diagnostics));
        }
        if (sweep.points.count() > 0) {
            try_rows(sweep, diagnostics);
        }
    }
    if (diagnostics.has_errors()) {
        return sweep;
    }
    find_ids(sweep, diagnostics);
    const ResolvedPoint first = sweep.base.resolve(sweep.points.values(0), diagnostics);
    sweep.seed = first.seed;
    sweep.configuration = first.content;
    std::vector<std::string> names;
    for (const MetricColumn& column : sweep.columns) {
        names.push_back(column.name);
    }
    sweep.spec = {std::string{build_info::kVersion},
                  std::string{build_info::kCommit},
                  fmt::format("{}", fmt::join(names, " ")),
                  sweep.until ? sweep.until->text() : ""};
    return sweep;
}

Sweep load_sweep(const std::filesystem::path& path, const LoadOptions& options) {
    Diagnostics diagnostics;
    Sweep sweep = load_sweep(path, options, diagnostics);
    diagnostics.throw_if_errors();
    if (const std::string warnings = diagnostics.render(); !warnings.empty()) {
        fmt::print(stderr, "{}", warnings);
    }
    return sweep;
}

}  // namespace idlesim
