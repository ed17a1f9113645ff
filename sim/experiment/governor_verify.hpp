// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/governor_vectors.hpp"

#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// A decision that is not the recorded one.
struct GovernorDifference {
    int line_number = 0;
    std::string column_names;
    std::string line;
    GovernorVector recorded;
    IdleDecision decision;
    bool queried = false;
    std::vector<std::string> explanation;
};

/// What driving a governor with recorded inputs gave.
struct GovernorVerdict {
    GovernorVectorHead head;
    std::int64_t equal = 0;  ///< decisions before the first difference
    std::optional<GovernorDifference> difference;
};

/// Drives the governor that the file names with the recorded inputs and outcomes until a decision
/// (state, stop flag, whether it asked for the sleep length; menu: the prediction) differs.
/// Throws config::ConfigError for a file that is wrong or whose table the governor cannot take.
[[nodiscard]] GovernorVerdict verify_governor(const std::string& path);

/// The verdict for a reader, with line ends.
[[nodiscard]] std::string to_text(const GovernorVerdict& verdict, const std::string& path);

}  // namespace idlesim
