// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"
#include "sim/experiment/sweep_settings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// A column of the swept parameters. A label says something about the point to people and is not
/// put into the experiment.
struct SweepColumn {
    std::string path;
    config::Location where;
    bool label = false;
};

/// A value that a point puts at a path of the experiment; borrowed from the SweepPoints.
struct PathValue {
    const SweepColumn* column = nullptr;
    const config::Node* value = nullptr;
};

/// Rows of values that belong together; a missing cell leaves the experiment's own value.
struct SweepPart {
    std::vector<std::size_t> columns;
    std::vector<std::vector<std::optional<config::Node>>> rows;
};

/// The points of a sweep, made when they are asked for: the product of parts.
class SweepPoints {
public:
    SweepPoints() = default;

    /// Reports what is wrong with the parts, and a product of more than kMostPoints.
    /// `cstate_names` are the idle states of the experiment, POLL first.
    static SweepPoints make(const SweepSettings& settings,
                            const std::vector<std::string>& cstate_names,
                            config::Diagnostics& diagnostics);

    [[nodiscard]] std::size_t count() const { return count_; }

    [[nodiscard]] const std::vector<SweepColumn>& columns() const { return columns_; }

    [[nodiscard]] const std::vector<SweepPart>& parts() const { return parts_; }

    [[nodiscard]] std::vector<PathValue> values(std::size_t point) const;

    /// 16 hexadecimal digits that depend on the values of the point alone, durations by their
    /// length: the same point has the same id in every sweep.
    [[nodiscard]] std::string id(std::size_t point) const;

    /// Text of each column, empty where the point says nothing.
    [[nodiscard]] std::vector<std::string> cells(std::size_t point) const;
    /// Names of the columns of cells(): a column that holds durations alone is in nanoseconds and
    /// ends in _ns.
    [[nodiscard]] std::vector<std::string> cell_names() const;

private:
    std::size_t column(const std::string& path, const config::Location& where, bool label);
    void add_axes(const SweepSettings& settings, config::Diagnostics& diagnostics);
    void add_zips(const SweepSettings& settings, config::Diagnostics& diagnostics);
    void add_listed(const SweepSettings& settings, config::Diagnostics& diagnostics);
    void add_sample(const SweepSample& sample, config::Diagnostics& diagnostics);
    void add_cstates(const SweepCstates& cstates,
                     const std::vector<std::string>& names,
                     config::Diagnostics& diagnostics);
    void add_part(SweepPart part);
    void check_paths(config::Diagnostics& diagnostics) const;
    void multiply(config::Diagnostics& diagnostics, const config::Location& where);
    void find_durations();

    std::vector<SweepColumn> columns_;
    std::vector<SweepPart> parts_;
    std::vector<bool> durations_;  ///< by column
    std::size_t count_ = 0;
};

}  // namespace idlesim
