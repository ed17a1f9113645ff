// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace idlesim::config {

inline constexpr std::string_view kAliasMessage = "aliases are not supported; write the value out";

/// yaml-cpp's message in words that tell what to do; the message itself where we know nothing
/// better.
[[nodiscard]] std::string syntax_message(std::string_view message);

/// The message says that a '[' or '{' has no end.
[[nodiscard]] bool is_unclosed_flow(std::string_view message);

}  // namespace idlesim::config
