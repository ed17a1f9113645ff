// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/find_input.hpp"

#include "sim/cli/command_line.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/data_files.hpp"

#include <fmt/format.h>

namespace idlesim {

std::filesystem::path find_input(const std::string& name, const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored)) {
        return name;
    }
    if (const auto found = find_data_file(name, name, folder)) {
        return displayed(found->path);
    }
    const std::filesystem::path path{name};
    // Files beside a mistyped path are what was probably meant; else the shipped ones.
    std::vector<std::string> candidates;
    for (const std::filesystem::path& file :
         yaml_files(path.has_parent_path() ? path.parent_path() : ".")) {
        candidates.push_back((path.parent_path() / file.filename()).string());
    }
    for (const std::string& shipped : data_file_names(folder)) {
        candidates.push_back(shipped);
    }
    const auto near = config::suggest(name, candidates);
    throw UsageError{fmt::format("there is no file '{}'{}",
                                 name,
                                 near ? fmt::format("; did you mean '{}'?", *near)
                                      : "; `idlesim list` shows the shipped ones")};
}

}  // namespace idlesim
