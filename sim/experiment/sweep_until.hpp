// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"
#include "sim/experiment/stat.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace idlesim {

/// When a point has been replicated often enough: the 95 % interval of a statistic is no wider than
/// asked for, in every arm that the rule names.
///
/// The interval is looked at after `at_least` replications and whenever their number has grown by
/// half, so that there are few looks. Stopping at a narrow interval favours samples that happen to
/// scatter little: an interval that stopped so covers the true value less often than 95 %. With the
/// default of five replications before the first look some 93 % were found for normal values (the
/// tests hold it above 90 %); the estimate itself is not shifted where value and scatter are
/// independent. A larger at_least costs little and removes most of it.
struct UntilRule {
    std::string metric;
    const Stat* stat = nullptr;
    std::vector<std::size_t> arms;
    bool delta = false;  ///< of the paired difference from the baseline arm, in percent
    bool relative = false;
    double width = 0;  ///< a share where relative, else in the metric's unit, or points of a delta
    int at_least = 5;
    int at_most = 100;

    /// Whether an interval of this width around this value is narrow enough; NaN is not.
    [[nodiscard]] bool narrow_enough(double value, double interval_width) const;

    /// Replications after which to look again, when `done` were not enough; `done` at the cap.
    [[nodiscard]] int next_look(int done) const;

    /// In one line, for comparison.
    [[nodiscard]] std::string text() const;
};

/// Reads "5 ns", "2 %", "3 points" or a bare number into the rule's width.
bool read_width(const config::Node& node, UntilRule& rule, config::Diagnostics& diagnostics);

}  // namespace idlesim
