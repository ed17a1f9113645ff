// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

// What yaml-cpp's events don't tell is read from the source text at their places. Each function
// looks no further than it must: a file that is one long line may not cost its square.

namespace idlesim::config {

/// Letters, digits, '_'; further on also '-', '.', '[' and ']', for names such as "C1-HSW" and
/// paths such as "cstates[2].power".
[[nodiscard]] bool is_word(std::string_view text);

/// The "null" or "~" that `rest` begins with; empty when the value is absent, where `rest` is the
/// next thing in the file (which may be a key of that name).
[[nodiscard]] std::string_view null_spelling(std::string_view rest);

/// Bytes up to the next space, line end or end of a flow value.
[[nodiscard]] int word_length_of(std::string_view rest);

/// The first `size` bytes, or as many of them as are in the line; at least 1.
[[nodiscard]] int length_in_line(std::string_view rest, std::size_t size);

/// Bytes of the quoted scalar that `text` begins with, both quotes included; nullopt when the
/// closing one is missing.
[[nodiscard]] std::optional<std::size_t> quoted_size(std::string_view text);

/// Offset of the first directive: a line that begins with '%'.
[[nodiscard]] std::optional<std::size_t> find_directive(std::string_view text);

/// Nothing but spaces, tabs and line ends.
[[nodiscard]] bool is_blank(std::string_view text);

}  // namespace idlesim::config
