// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace idlesim::config {

// What a file may hold at most. The largest sensible file is far below each of them; they keep a
// wrong file (a trace, a log, a bomb) from taking the time and memory of the machine.
inline constexpr std::size_t kLongestFile = std::size_t{4} << 20U;  ///< bytes
inline constexpr int kDeepestNesting = 64;                          ///< levels
inline constexpr int kMostValues = 200'000;

/// Reads one YAML document of maps, sequences and scalars. Anchors, aliases, tags, merge keys,
/// directives, keys that are not words, duplicate keys and a second document are errors. Never
/// throws on bad content: errors go to `diagnostics`, and what cannot be used is
/// Node::Kind::invalid (the root itself after a syntax error, which stops the file).
Node load_text(std::string_view text, const std::string& name, Diagnostics& diagnostics);

/// The same for a file. What is no readable regular file, or too large, is an error at once;
/// `path` is the name that messages show.
Node load_file(const std::string& path, Diagnostics& diagnostics);

}  // namespace idlesim::config
