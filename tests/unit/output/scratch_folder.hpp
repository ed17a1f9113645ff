// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

namespace idlesim {

/// A folder of its own for one test, removed afterwards.
class ScratchFolder {
public:
    ScratchFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "idlesim.XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error{"no scratch folder"};
        }
        path_ = pattern;
    }

    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ScratchFolder(ScratchFolder&&) = delete;
    ScratchFolder& operator=(ScratchFolder&&) = delete;

    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    [[nodiscard]] std::string read(const std::filesystem::path& name) const {
        std::ifstream file{path_ / name, std::ios::binary};
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

    void write(const std::filesystem::path& name, const std::string& text) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream{path_ / name, std::ios::binary} << text;
    }

    /// Names in a sub-folder, hidden ones included.
    [[nodiscard]] std::size_t entries(const std::filesystem::path& name = ".") const {
        const std::filesystem::directory_iterator begin{path_ / name};
        return static_cast<std::size_t>(std::distance(begin, {}));
    }

private:
    std::filesystem::path path_;
};

}  // namespace idlesim
