// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/data_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "build_info.hpp"

namespace idlesim {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

std::optional<fs::path> existing(const fs::path& path) {
    if (is_file(path)) {
        return path;
    }
    const fs::path with_ending = path.string() + ".yaml";
    return is_file(with_ending) ? std::optional{with_ending} : std::nullopt;
}

}  // namespace

std::vector<fs::path> data_folders() {
    std::vector<fs::path> candidates;
    if (const char* chosen = std::getenv("IDLESIM_DATA"); chosen != nullptr && *chosen != '\0') {
        candidates.emplace_back(chosen);
    }
    std::error_code ignored;
    const fs::path binary = fs::read_symlink("/proc/self/exe", ignored);
    candidates.push_back(binary.parent_path().parent_path() / "share" / "idlesim");
    candidates.emplace_back(build_info::kSourceDataDir);
    std::erase_if(candidates,
                  [&](const fs::path& path) { return !fs::is_directory(path, ignored); });
    return candidates;
}

std::optional<FoundFile> find_data_file(const std::string& name,
                                        const fs::path& naming_file,
                                        const fs::path& folder) {
    const fs::path beside = naming_file.parent_path() / name;
    std::error_code not_comparable;
    if (const auto path = existing(beside);
        path && !fs::equivalent(*path, naming_file, not_comparable)) {
        return FoundFile{*path, path->lexically_relative(naming_file.parent_path()).string()};
    }
    for (const fs::path& data : data_folders()) {
        if (const auto path = existing(data / folder / name)) {
            return FoundFile{*path, path->lexically_relative(data).string()};
        }
    }
    return std::nullopt;
}

std::vector<fs::path> yaml_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, ignored}) {
        if (entry.path().extension() == ".yaml" && is_file(entry.path())) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> data_file_names(const fs::path& folder) {
    std::set<std::string> names;
    for (const fs::path& data : data_folders()) {
        for (const fs::path& file : yaml_files(data / folder)) {
            names.insert(file.stem().string());
        }
    }
    return {names.begin(), names.end()};
}

std::optional<fs::path> data_folder(const fs::path& name) {
    std::error_code ignored;
    for (const fs::path& data : data_folders()) {
        if (fs::is_directory(data / name, ignored)) {
            return data / name;
        }
    }
    return std::nullopt;
}

std::string displayed(const fs::path& path) {
    std::error_code ignored;
    const std::string relative = fs::proximate(path, ignored).string();
    return !relative.empty() && relative.size() < path.string().size() ? relative : path.string();
}

}  // namespace idlesim
