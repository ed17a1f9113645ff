// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/idle_story.hpp"

#include <string>
#include <string_view>

namespace idlesim {

/// "too deep (above)", "too shallow (below)", "right": what cpuidle_enter_state() made of an entry,
/// in words.
[[nodiscard]] std::string_view verdict_text(int miss);

/// The story of an idle interval for a reader: what was known, what the governor made of it state
/// by state, and what happened. `governor` is the name of the one that decided.
[[nodiscard]] std::string explain_text(const IdleStory& story,
                                       const IdleQuestion& question,
                                       std::string_view governor);

}  // namespace idlesim
