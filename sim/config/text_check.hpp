// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace idlesim::config {

/// Something in a text that is no YAML whatever the structure.
struct TextProblem {
    std::size_t offset;
    std::string what;
};

/// The first byte that is not valid UTF-8, or a control character other than tab and line end.
[[nodiscard]] std::optional<TextProblem> check_text(std::string_view text);

/// Bytes of the UTF-8 sequence at the start of a text that is not empty; 0 when it is malformed.
[[nodiscard]] std::size_t sequence_length(std::string_view text);

struct Position {
    int line;
    int column;
};

/// 1-based line and column (in bytes) of an offset.
[[nodiscard]] Position position_of(std::string_view text, std::size_t offset);

}  // namespace idlesim::config
