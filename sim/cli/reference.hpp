// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace idlesim {

// What is generated from the tables of verbs, options, parameters and kinds. The repository holds
// the texts, and its tests compare them.

/// Reference of the YAML files, for docs/yaml.md.
[[nodiscard]] std::string yaml_reference();

/// Completion of the command line for bash, and for zsh.
[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();

/// The manual page idlesim(1), in roff.
[[nodiscard]] std::string manual_page();

}  // namespace idlesim
