// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cli/command_line.hpp"

#include <string>
#include <vector>

namespace idlesim {

/// What can stand behind a verb or an option, for completion.
struct Completable {
    std::vector<std::string> words;  ///< fixed
    std::string list_section;        ///< names that `idlesim list SECTION` prints; may be empty
    bool files = false;
    bool folders = false;
};

/// From the way in which the operands of a verb are written.
[[nodiscard]] Completable operands_of(const Verb& verb);

/// From the way in which the value of an option is written.
[[nodiscard]] Completable values_of(const OptionHelp& option);

}  // namespace idlesim
