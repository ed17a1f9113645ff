// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cli/command_line.hpp"

namespace idlesim {

// One verb, one file.

[[nodiscard]] Verb run_verb();
[[nodiscard]] Verb validate_verb();
[[nodiscard]] Verb sweep_verb();
[[nodiscard]] Verb merge_verb();
[[nodiscard]] Verb compare_verb();
[[nodiscard]] Verb calibrate_verb();
[[nodiscard]] Verb governor_verb();
[[nodiscard]] Verb cpuidle_verb();
[[nodiscard]] Verb replay_verb();
[[nodiscard]] Verb report_verb();
[[nodiscard]] Verb list_verb();
[[nodiscard]] Verb describe_verb();
[[nodiscard]] Verb check_verb();
[[nodiscard]] Verb init_verb();
[[nodiscard]] Verb schema_verb();
[[nodiscard]] Verb completion_verb();
[[nodiscard]] Verb manual_verb();

/// All of them, in the order in which they are listed.
[[nodiscard]] std::vector<Verb> all_verbs();

}  // namespace idlesim
