// SPDX-License-Identifier: Apache-2.0
#include "tests/repo/source_files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace idlesim::repo {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

bool is_not_ours(const fs::path& folder) {
    const fs::path name = folder.filename();
    return name == ".git" || name == ".cache" || name == "__pycache__" ||
           folder == root() / "build";
}

std::vector<SourceFile> read_all() {
    std::vector<SourceFile> found;
    for (auto entry = fs::recursive_directory_iterator{root()};
         entry != fs::recursive_directory_iterator{};
         ++entry) {
        if (entry->is_directory()) {
            if (is_not_ours(entry->path())) {
                entry.disable_recursion_pending();
            }
            continue;
        }
        if (!entry->is_regular_file() || entry->is_symlink()) {
            continue;
        }
        std::ifstream stream{entry->path(), std::ios::binary};
        const std::string text{std::istreambuf_iterator<char>{stream}, {}};
        if (text.find('\0') == std::string::npos) {
            found.push_back(
                {fs::relative(entry->path(), root()).generic_string(), split_lines(text)});
        }
    }
    std::sort(found.begin(), found.end(), [](const SourceFile& a, const SourceFile& b) {
        return a.path < b.path;
    });
    return found;
}

}  // namespace

bool SourceFile::has_extension(std::string_view extension) const {
    return fs::path{path}.extension() == extension;
}

std::string SourceFile::folder() const {
    return fs::path{path}.parent_path().generic_string();
}

const fs::path& root() {
    static const fs::path folder{IDLESIM_SOURCE_DIR};
    return folder;
}

const std::vector<SourceFile>& files() {
    static const std::vector<SourceFile> all = read_all();
    return all;
}

std::vector<SourceFile> files_below(std::string_view prefix) {
    std::vector<SourceFile> matching;
    for (const SourceFile& file : files()) {
        if (file.path.starts_with(prefix)) {
            matching.push_back(file);
        }
    }
    return matching;
}

std::string place(const SourceFile& file, std::size_t index) {
    return file.path + ":" + std::to_string(index + 1);
}

}  // namespace idlesim::repo
