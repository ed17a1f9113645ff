// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim::repo {

struct SourceFile {
    std::string path;  ///< relative to the root, with forward slashes
    std::vector<std::string> lines;

    [[nodiscard]] bool has_extension(std::string_view extension) const;
    [[nodiscard]] std::string folder() const;
};

[[nodiscard]] const std::filesystem::path& root();

/// Every text file of the source tree but those under build/ and .git/, sorted by path.
[[nodiscard]] const std::vector<SourceFile>& files();

/// Those of files() whose path starts with `prefix`.
[[nodiscard]] std::vector<SourceFile> files_below(std::string_view prefix);

/// "path:line" for messages; `index` counts from 0.
[[nodiscard]] std::string place(const SourceFile& file, std::size_t index);

}  // namespace idlesim::repo
