// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/platform.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace idlesim {

/// Where platform files lie in a data folder.
inline constexpr const char* kPlatformFolder = "configs/platforms";

/// Reads a platform file. `extends: <platform>` names another one that it is laid over: maps are
/// merged key by key, tables of states are replaced. `portable_names` learns what each file that
/// was read is called on every machine. An invalid node where a file cannot be read.
[[nodiscard]] config::Node load_platform(const std::filesystem::path& path,
                                         config::Diagnostics& diagnostics,
                                         std::map<std::string, std::string>& portable_names);

/// The platform of a file, with all that it extends; throws what is wrong with it.
[[nodiscard]] PlatformSpec read_platform_file(const std::filesystem::path& path);

/// The same as load_platform() for a platform that stands in another file, `path`: an experiment
/// may lay a few values over a platform with `platform: { extends: NAME, ... }`.
[[nodiscard]] config::Node extend_platform(const config::Node& own,
                                           const std::filesystem::path& path,
                                           config::Diagnostics& diagnostics,
                                           std::map<std::string, std::string>& portable_names);

}  // namespace idlesim
