// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace idlesim::config {

inline constexpr std::string_view kCommandLine = "command line";
inline constexpr std::string_view kDefault = "default";

/// A place in a configuration file. Line and column start at 1 and columns count bytes, as
/// compilers print them; line 0 means the file as a whole. `length` is in bytes, for the caret.
/// `file` is kCommandLine for --set and kDefault for a value that nobody wrote.
struct Location {
    std::string file;
    int line = 0;
    int column = 0;
    int length = 1;

    friend bool operator==(const Location&, const Location&) = default;
};

/// "file:line:column", or only the file where there is no line.
[[nodiscard]] std::string to_text(const Location& location);

}  // namespace idlesim::config
