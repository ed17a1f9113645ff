// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/repo/source_files.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace idlesim::repo {
namespace {

/// What each layer may include, its own files apart: the edges of CMakeLists.txt with what they
/// lead to.
const std::map<std::string, std::set<std::string>> kAllowed{
    {"engine", {}},
    {"stats", {"engine"}},
    {"analysis", {"engine", "stats"}},
    {"output", {"engine", "stats"}},
    {"config", {"engine"}},
    {"registry", {"config", "engine"}},
    {"models", {"config", "engine", "registry", "stats"}},
    {"experiment", {"analysis", "config", "engine", "models", "output", "registry", "stats"}},
    {"cli",
     {"analysis", "config", "engine", "experiment", "models", "output", "registry", "stats"}},
};

/// A package that only the .cpp files of one layer may include.
struct PrivatePackage {
    std::string prefix;
    std::string layer;
};

const std::vector<PrivatePackage> kPrivatePackages{
    {"<yaml-cpp/", "sim/config/"},
    {"<Eigen/", "sim/analysis/"},
    {"<boost/math/", "sim/analysis/"},
    {"<boost/program_options", "sim/cli/"},
    {"<zstd", "sim/output/"},
    // Read in config, written in experiment.
    {"<nlohmann/json.hpp", "sim/"},
};

/// Layer of a root-relative path; nothing outside sim/ and models/.
std::optional<std::string> layer_of(const std::string& path) {
    if (path.starts_with("models/")) {
        return "models";
    }
    if (!path.starts_with("sim/")) {
        return std::nullopt;
    }
    return path.substr(4, path.find('/', 4) - 4);
}

/// `"path"` or `<path>` of an include line.
std::optional<std::string> included(const std::string& line) {
    constexpr std::string_view kDirective = "#include ";
    if (!line.starts_with(kDirective)) {
        return std::nullopt;
    }
    const std::size_t end = line.find_first_of("\">", kDirective.size() + 1);
    if (end == std::string::npos) {
        return std::nullopt;
    }
    return line.substr(kDirective.size(), end + 1 - kDirective.size());
}

template <class Check>
void for_each_include(const Check& check) {
    for (const char* tree : {"sim/", "models/"}) {
        for (const SourceFile& file : files_below(tree)) {
            for (std::size_t i = 0; i < file.lines.size(); ++i) {
                if (const auto name = included(file.lines[i])) {
                    check(file, i, *name);
                }
            }
        }
    }
}

TEST_CASE("every folder of sim is a layer whose edges are known") {
    for (const SourceFile& file : files_below("sim/")) {
        INFO(file.path);
        CHECK(kAllowed.contains(layer_of(file.path).value()));
    }
}

TEST_CASE("a layer includes only the layers below it") {
    std::size_t checked = 0;
    for_each_include([&](const SourceFile& file, std::size_t line, const std::string& name) {
        if (name.front() != '"') {
            return;
        }
        const std::string from = layer_of(file.path).value();
        const auto to = layer_of(name.substr(1, name.size() - 2));
        INFO(place(file, line) << " includes " << name);
        if (to) {
            ++checked;
            CHECK((*to == from || kAllowed.at(from).contains(*to)));
        } else {
            CHECK(name == "\"build_info.hpp\"");
            CHECK((from == "experiment" || from == "cli"));
        }
    });
    CHECK(checked > 20);
}

TEST_CASE("a private package appears in no header and outside no other layer") {
    for_each_include([](const SourceFile& file, std::size_t line, const std::string& name) {
        const auto package = [&]() -> const PrivatePackage* {
            for (const PrivatePackage& candidate : kPrivatePackages) {
                if (name.starts_with(candidate.prefix)) {
                    return &candidate;
                }
            }
            return nullptr;
        }();
        INFO(place(file, line) << " includes " << name);
        if (package != nullptr) {
            CHECK(file.path.starts_with(package->layer));
            CHECK(file.has_extension(".cpp"));
        } else {
            CHECK_FALSE(name.starts_with("<boost/"));
            CHECK_FALSE(name.starts_with("<unsupported/Eigen"));
        }
    });
}

TEST_CASE("the engine includes the standard library alone") {
    for_each_include([](const SourceFile& file, std::size_t line, const std::string& name) {
        if (layer_of(file.path) == "engine" && name.front() == '<') {
            INFO(place(file, line) << " includes " << name);
            CHECK(name.find_first_of("/.") == std::string::npos);
        }
    });
}

TEST_CASE("models write no files and read no YAML") {
    for_each_include([](const SourceFile& file, std::size_t line, const std::string& name) {
        if (layer_of(file.path) == "models") {
            INFO(place(file, line) << " includes " << name);
            CHECK(name != "<fstream>");
            CHECK(name != "<filesystem>");
            CHECK(name != "\"sim/config/load.hpp\"");
        }
    });
}

}  // namespace
}  // namespace idlesim::repo
