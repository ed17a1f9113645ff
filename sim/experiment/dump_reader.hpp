// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/dump.hpp"
#include "sim/experiment/dump_lines.hpp"

#include <string>

namespace idlesim {

/// Reads what somebody pasted, in whichever of the known forms it is, or a live tree: a folder
/// like /sys/devices/system/cpu. "-" is standard input. Throws config::ConfigError for anything
/// that says nothing about CPUs or that contradicts itself; a machine without cpuidle is a dump
/// without CPUs that have states.
[[nodiscard]] Dump read_dump(const std::string& path);

// One reader a form; each is given the lines of a text that looks like its own.

[[nodiscard]] Dump read_path_dump(const DumpLines& lines, DumpFormat format);
[[nodiscard]] Dump read_bare_dump(const DumpLines& lines);
[[nodiscard]] Dump read_cpupower_dump(const DumpLines& lines);
[[nodiscard]] Dump read_tree_dump(const std::string& folder);

}  // namespace idlesim
