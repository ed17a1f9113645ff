// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_points.hpp"

#include "sim/config/effective.hpp"
#include "sim/config/quantity.hpp"
#include "sim/engine/hash.hpp"
#include "sim/experiment/sweep_range.hpp"
#include "sim/output/number.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

using config::Diagnostics;
using config::Location;
using config::Node;

constexpr const char* kDisabledStates = "kernel.disabled_states";

std::optional<Duration> duration_of(const Node& node) {
    if (!node.is_scalar() || node.quoted()) {
        return std::nullopt;
    }
    const config::Parsed<Duration> parsed = config::parse_duration(node.text());
    const auto* value = std::get_if<Duration>(&parsed);
    return value == nullptr ? std::nullopt : std::optional{*value};
}

std::string canonical(const Node& node) {
    const std::optional<Duration> duration = duration_of(node);
    return duration ? format_ns(*duration) + " ns" : config::write_flow(node);
}

std::string cell_of(const Node& node, bool as_duration) {
    if (as_duration) {
        return format_ns(*duration_of(node));
    }
    return node.is_scalar() ? node.text() : config::write_flow(node);
}

// The same value twice on an axis would be the same point twice.
void refuse_repeated(const SweepPart& part, Diagnostics& diagnostics) {
    std::set<std::string> seen;
    for (const auto& row : part.rows) {
        std::string text;
        const Node* last = nullptr;
        for (const std::optional<Node>& cell : row) {
            text += cell ? canonical(*cell) + '\n' : std::string{"\n"};
            last = cell ? &*cell : last;
        }
        if (!seen.insert(text).second && last != nullptr) {
            diagnostics.error(last->location(), "this value or combination is here a second time");
            return;
        }
    }
}

std::vector<std::string> states_left_on(CstateSet set,
                                        const std::vector<std::string>& names,
                                        std::size_t measured) {
    std::vector<std::string> on{names[measured]};
    if (set == CstateSet::measured_and_poll) {
        on.push_back(names.front());
    } else if (set == CstateSet::measured_and_shallower) {
        on.insert(on.end(), names.begin(), names.begin() + static_cast<std::ptrdiff_t>(measured));
    }
    return on;
}

std::string_view name_of(CstateSet set) {
    for (const auto& [name, value] : config::EnumNames<CstateSet>::values) {
        if (value == set) {
            return name;
        }
    }
    return "";
}

}  // namespace

SweepPoints SweepPoints::make(const SweepSettings& settings,
                              const std::vector<std::string>& cstate_names,
                              Diagnostics& diagnostics) {
    SweepPoints points;
    points.add_axes(settings, diagnostics);
    points.add_zips(settings, diagnostics);
    points.add_listed(settings, diagnostics);
    if (settings.sample) {
        points.add_sample(*settings.sample, diagnostics);
    }
    if (settings.cstates) {
        points.add_cstates(*settings.cstates, cstate_names, diagnostics);
    }
    points.check_paths(diagnostics);
    points.multiply(diagnostics, settings.experiment.node.key_location());
    points.find_durations();
    return points;
}

std::size_t SweepPoints::column(const std::string& path, const Location& where, bool label) {
    columns_.push_back({path, where, label});
    return columns_.size() - 1;
}

void SweepPoints::add_part(SweepPart part) {
    if (!part.rows.empty()) {
        parts_.push_back(std::move(part));
    }
}

void SweepPoints::add_axes(const SweepSettings& settings, Diagnostics& diagnostics) {
    for (const auto& axis : settings.axes) {
        SweepPart part;
        part.columns.push_back(column(axis.key, axis.key_location, false));
        for (Node& value : axis_values(axis.value.node, diagnostics)) {
            part.rows.push_back({std::move(value)});
        }
        refuse_repeated(part, diagnostics);
        add_part(std::move(part));
    }
}

void SweepPoints::add_zips(const SweepSettings& settings, Diagnostics& diagnostics) {
    for (const auto& zip : settings.zip) {
        SweepPart part;
        for (const auto& axis : zip) {
            const std::vector<Node> values = axis_values(axis.value.node, diagnostics);
            const bool first = part.columns.empty();
            part.columns.push_back(column(axis.key, axis.key_location, false));
            if (first) {
                part.rows.resize(values.size());
            } else if (values.size() != part.rows.size()) {
                diagnostics.error(
                    axis.key_location,
                    fmt::format("{}: {} values, but the first axis of this zip has {}",
                                axis.key,
                                values.size(),
                                part.rows.size()));
                continue;
            }
            for (std::size_t i = 0; i < values.size(); ++i) {
                part.rows[i].emplace_back(values[i]);
            }
        }
        refuse_repeated(part, diagnostics);
        add_part(std::move(part));
    }
}

void SweepPoints::add_listed(const SweepSettings& settings, Diagnostics& diagnostics) {
    SweepPart part;
    const auto position = [&](const std::string& path) {
        const auto found = std::find_if(part.columns.begin(),
                                        part.columns.end(),
                                        [&](std::size_t c) { return columns_[c].path == path; });
        return static_cast<std::size_t>(found - part.columns.begin());
    };
    for (const auto& point : settings.points) {
        for (const auto& entry : point) {
            if (position(entry.key) == part.columns.size()) {
                part.columns.push_back(column(entry.key, entry.key_location, false));
            }
        }
    }
    for (const auto& point : settings.points) {
        std::vector<std::optional<Node>> row(part.columns.size());
        for (const auto& entry : point) {
            row[position(entry.key)] = entry.value.node;
        }
        part.rows.push_back(std::move(row));
    }
    refuse_repeated(part, diagnostics);
    add_part(std::move(part));
}

void SweepPoints::add_sample(const SweepSample& sample, Diagnostics& diagnostics) {
    const std::vector<std::vector<Node>> drawn = sample_values(sample, diagnostics);
    if (drawn.empty()) {
        return;
    }
    SweepPart part;
    for (const auto& entry : sample.over) {
        part.columns.push_back(column(entry.key, entry.value.node.key_location(), false));
    }
    for (std::size_t i = 0; i < drawn.front().size(); ++i) {
        std::vector<std::optional<Node>> row;
        for (const std::vector<Node>& values : drawn) {
            row.emplace_back(values[i]);
        }
        part.rows.push_back(std::move(row));
    }
    refuse_repeated(part, diagnostics);
    add_part(std::move(part));
}

void SweepPoints::add_cstates(const SweepCstates& cstates,
                              const std::vector<std::string>& names,
                              Diagnostics& diagnostics) {
    std::vector<std::size_t> measured;
    for (const auto& state : cstates.states) {
        const auto found = std::find(names.begin(), names.end(), state.value);
        if (found == names.end()) {
            diagnostics.error(state.location,
                              fmt::format("the platform has no idle state {}; it has {}",
                                          state.value,
                                          fmt::join(names, ", ")));
        } else {
            measured.push_back(static_cast<std::size_t>(found - names.begin()));
        }
    }
    if (cstates.states.empty()) {
        for (std::size_t i = 1; i < names.size(); ++i) {
            measured.push_back(i);
        }
        if (measured.empty()) {
            diagnostics.error(cstates.location, "the platform has no idle states to measure");
        }
    }
    const Location& where = cstates.location;
    SweepPart part;
    part.columns = {column("cstate", where, true),
                    column("cstate_set", where, true),
                    column(kDisabledStates, where, false)};
    for (const std::size_t state : measured) {
        for (const CstateSet set : cstates.strategies) {
            const std::vector<std::string> on = states_left_on(set, names, state);
            Node off = Node::sequence(where);
            for (const std::string& name : names) {
                if (std::find(on.begin(), on.end(), name) == on.end()) {
                    off.append(Node::scalar(name, false, where));
                }
            }
            part.rows.push_back({Node::scalar(names[state], false, where),
                                 Node::scalar(std::string{name_of(set)}, false, where),
                                 std::move(off)});
        }
    }
    refuse_repeated(part, diagnostics);
    add_part(std::move(part));
}

void SweepPoints::check_paths(Diagnostics& diagnostics) const {
    std::set<std::string> seen;
    for (const SweepColumn& column : columns_) {
        if (!seen.insert(column.path).second) {
            diagnostics.error(column.where,
                              fmt::format("{} is varied in another place already", column.path));
        }
    }
}

void SweepPoints::multiply(Diagnostics& diagnostics, const Location& where) {
    // Beyond 2^64 the number is shown as a double, which is close enough for a refusal.
    double product = 1;
    std::vector<std::size_t> sizes;
    for (const SweepPart& part : parts_) {
        sizes.push_back(part.rows.size());
        product *= static_cast<double>(part.rows.size());
    }
    if (product > static_cast<double>(kMostPoints)) {
        diagnostics.error(
            parts_.front().columns.empty() ? where : columns_[parts_.front().columns.front()].where,
            fmt::format("{} = {:.0f} points are too many; a sweep has at most {}",
                        fmt::join(sizes, " x "),
                        product,
                        kMostPoints));
        return;
    }
    count_ = static_cast<std::size_t>(product);
}

void SweepPoints::find_durations() {
    durations_.assign(columns_.size(), true);
    for (const SweepPart& part : parts_) {
        for (const auto& row : part.rows) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (row[i] && durations_[part.columns[i]]) {
                    durations_[part.columns[i]] = duration_of(*row[i]).has_value();
                }
            }
        }
    }
}

std::vector<PathValue> SweepPoints::values(std::size_t point) const {
    std::vector<PathValue> values;
    std::size_t stride = count_;
    for (const SweepPart& part : parts_) {
        stride /= part.rows.size();
        const auto& row = part.rows[point / stride % part.rows.size()];
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (row[i]) {
                values.push_back({&columns_[part.columns[i]], &*row[i]});
            }
        }
    }
    return values;
}

std::string SweepPoints::id(std::size_t point) const {
    std::vector<std::string> lines;
    for (const PathValue& value : values(point)) {
        lines.push_back(value.column->path + '=' + canonical(*value.value) + '\n');
    }
    // In which order the axes stand in the file is no part of the point.
    std::sort(lines.begin(), lines.end());
    return fmt::format("{:016x}", hash_text(fmt::format("{}", fmt::join(lines, ""))));
}

std::vector<std::string> SweepPoints::cells(std::size_t point) const {
    std::vector<std::string> cells(columns_.size());
    for (const PathValue& value : values(point)) {
        const auto index = static_cast<std::size_t>(value.column - columns_.data());
        cells[index] = cell_of(*value.value, durations_[index]);
    }
    return cells;
}

std::vector<std::string> SweepPoints::cell_names() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        names.push_back(columns_[i].path + (durations_[i] ? "_ns" : ""));
    }
    return names;
}

}  // namespace idlesim
