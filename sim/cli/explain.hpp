// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/idle_story.hpp"
#include "sim/experiment/experiment.hpp"

#include <string>

namespace idlesim {

/// The idle interval in "cpu=3,at=12.5ms", in either order; the time counts from the start of the
/// run. Throws UsageError.
[[nodiscard]] IdleQuestion parse_question(const std::string& text);

/// Runs replication 1 of every arm until the interval is over and prints its story, or why there is
/// none. Returns the exit status: wrong input where no arm has one.
[[nodiscard]] int print_explanations(const Experiment& experiment, const IdleQuestion& question);

}  // namespace idlesim
