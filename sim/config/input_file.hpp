// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace idlesim::config {

/// What a text file may be: a wrong one (a log, a device) must not take the memory of the machine.
struct FileLimit {
    std::size_t bytes;
    std::string_view what;  ///< "configuration": what a larger file is asked whether it is one
};

/// The content of a regular file, or nullopt and the reason why there is none ("no such file").
[[nodiscard]] std::optional<std::string> read_text_file(const std::string& path,
                                                        const FileLimit& limit,
                                                        std::string& reason);

[[nodiscard]] std::string too_large(std::size_t bytes, std::string_view what);

/// A file that a configuration names, read while the configuration is: models read none.
struct InputFile {
    std::string name;  ///< as messages show it
    std::string text;
};

/// The file that the scalar `node` names, relative to the folder of the file that `node` stands in
/// (to the working directory on the command line). What cannot be read is reported at the node; the
/// text is kept for messages, and has been checked to be UTF-8.
[[nodiscard]] std::optional<InputFile> read_input_file(const Node& node,
                                                       const FileLimit& limit,
                                                       Diagnostics& diagnostics);

}  // namespace idlesim::config
