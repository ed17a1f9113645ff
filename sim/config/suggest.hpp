// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim::config {

/// The candidate that `word` was probably meant to be: smallest edit distance with swaps of
/// neighbours counted once, at most max(1, length / 3); the first one among equals. Else the only
/// candidate that begins with the word.
[[nodiscard]] std::optional<std::string> suggest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

/// "; did you mean 'x'?", or "; known <things>: a, b, c" when nothing is near: those that begin
/// with the word, else all.
[[nodiscard]] std::string suggestion_text(std::string_view word,
                                          std::string_view things,
                                          const std::vector<std::string>& candidates);

}  // namespace idlesim::config
