// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace idlesim::config {

/// The 1-based line of the text, without its end; empty when there is none.
[[nodiscard]] std::string_view line_of(std::string_view text, int line);

/// A source line and the caret under `length` bytes from `column` on. Columns are bytes, the caret
/// is placed by code points so that it stands under the right letter; long lines are cut around
/// it, and bytes that no terminal shows become '?'.
[[nodiscard]] std::string excerpt(std::string_view source_line,
                                  int line_number,
                                  int column,
                                  int length);

/// The text with control characters as '?', and at most `limit` bytes of it, cut at a code point.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 60);

}  // namespace idlesim::config
