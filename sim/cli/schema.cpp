// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verbs.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/json_schema.hpp"
#include "sim/output/atomic_file.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace idlesim {
namespace {

void write_all(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    for (const std::string& name : schema_names()) {
        write_file(folder / (name + ".json"), json_schema(name));
    }
}

int schema(const Arguments& arguments) {
    if (arguments.words.empty() && !arguments.out.empty()) {
        write_all(arguments.out);
        return kSuccess;
    }
    if (arguments.words.size() != 1 || !arguments.out.empty()) {
        throw UsageError{
            "schema takes one kind of file (idlesim schema experiment), or --out DIR for all"};
    }
    const std::string& name = arguments.words.front();
    const std::vector<std::string>& names = schema_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        throw UsageError{fmt::format("there is no kind of file called '{}'{}",
                                     name,
                                     config::suggestion_text(name, "kinds of files", names))};
    }
    fmt::print("{}", json_schema(name));
    return kSuccess;
}

}  // namespace

Verb schema_verb() {
    return {"schema",
            "KIND",
            "JSON Schema of a kind of YAML file: experiment, platform, sweep, calibration. With "
            "--out DIR all of them.\nEditors with yaml-language-server complete and check a file "
            "that begins with\n# yaml-language-server: $schema=PATH/experiment.json",
            {"out"},
            schema,
            schema_names()};
}

}  // namespace idlesim
