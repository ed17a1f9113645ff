// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// Folders that hold configs/ and experiments/, in the order in which they are searched:
/// $IDLESIM_DATA, share/idlesim of the installation that the binary belongs to, the source tree
/// that it was built from. Only those that exist.
[[nodiscard]] std::vector<std::filesystem::path> data_folders();

/// Where a file that a configuration names is: as a path beside `naming_file` (no file names
/// itself), then as `folder`/name in the data folders, with and without ".yaml".
struct FoundFile {
    std::filesystem::path path;
    /// The same on every machine: relative to the naming file or to the data folder.
    std::string portable_name;
};

[[nodiscard]] std::optional<FoundFile> find_data_file(const std::string& name,
                                                      const std::filesystem::path& naming_file,
                                                      const std::filesystem::path& folder);

/// Stems of the .yaml files in `folder` of every data folder, sorted, each once.
[[nodiscard]] std::vector<std::string> data_file_names(const std::filesystem::path& folder);

/// The .yaml files directly in a folder, sorted.
[[nodiscard]] std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& folder);

/// The folder `name` in the first data folder that has one.
[[nodiscard]] std::optional<std::filesystem::path> data_folder(const std::filesystem::path& name);

/// A path as messages show it: relative to the working directory where that is shorter.
[[nodiscard]] std::string displayed(const std::filesystem::path& path);

}  // namespace idlesim
