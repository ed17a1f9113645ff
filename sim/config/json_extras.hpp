// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace idlesim::config {

/// Writes spaces over what JSON itself does not know: comments, and commas before a closing
/// bracket. Places and lines stay. Returns where a comment begins that has no end.
std::optional<std::size_t> blank_json_extras(std::string& text);

/// Behind the string that begins at `at`, or the end of the text.
[[nodiscard]] std::size_t end_of_json_string(const std::string& text, std::size_t at);

}  // namespace idlesim::config
