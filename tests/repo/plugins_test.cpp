// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "models/governor/governor.hpp"
#include "models/interrupt/interrupt_source.hpp"
#include "models/placement/placement.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "models/workload/workload.hpp"
#include "sim/cli/catalogue.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/repo/source_files.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace idlesim::repo {
namespace {

/// A plug-in folder with the kinds that its interface knows in this executable.
struct PluginFolder {
    std::string path;
    std::vector<std::string> kinds;
    std::vector<std::string> help;
};

template <class Interface>
PluginFolder plugin_folder(std::string path) {
    PluginFolder folder{std::move(path), Registry<Interface>::names(), {}};
    for (const std::string& kind : folder.kinds) {
        folder.help.push_back(Registry<Interface>::help(kind));
    }
    return folder;
}

std::vector<PluginFolder> plugin_folders() {
    return {plugin_folder<ArrivalProcess>("models/arrival"),
            plugin_folder<Governor>("models/governor"),
            plugin_folder<InterruptSource>("models/interrupt"),
            plugin_folder<Placement>("models/placement"),
            plugin_folder<IdleStrategy>("models/strategy"),
            plugin_folder<Workload>("models/workload")};
}

std::vector<SourceFile> sources_below(const std::string& folder) {
    std::vector<SourceFile> sources = files_below(folder + "/");
    std::erase_if(sources, [](const SourceFile& file) { return !file.has_extension(".cpp"); });
    return sources;
}

auto count_registrations(const SourceFile& file) {
    return std::count_if(file.lines.begin(), file.lines.end(), [](const std::string& line) {
        return line.find("const Register<") != std::string::npos;
    });
}

TEST_CASE("every kind whose file is in a plug-in folder is registered") {
    // Fewer kinds than files: the linker dropped some, or two files share a name.
    for (const PluginFolder& folder : plugin_folders()) {
        INFO(folder.path);
        CHECK(folder.kinds.size() == sources_below(folder.path).size());
    }
}

TEST_CASE("one .cpp of a plug-in folder registers one kind") {
    for (const PluginFolder& folder : plugin_folders()) {
        for (const SourceFile& file : sources_below(folder.path)) {
            INFO(file.path);
            CHECK(count_registrations(file) == 1);
        }
    }
}

TEST_CASE("nothing registers itself outside the plug-in folders") {
    const std::vector<PluginFolder> folders = plugin_folders();
    for (const char* tree : {"sim", "models"}) {
        for (const SourceFile& file : sources_below(tree)) {
            const bool is_plugin =
                std::any_of(folders.begin(), folders.end(), [&](const PluginFolder& folder) {
                    return file.folder() == folder.path;
                });
            INFO(file.path);
            CHECK((is_plugin || count_registrations(file) == 0));
        }
    }
}

TEST_CASE("every kind is in the catalogue that documentation is made of") {
    std::vector<std::string> described;
    for (const CatalogueEntry& entry : catalogue()) {
        described.push_back(entry.name);
    }
    for (const PluginFolder& folder : plugin_folders()) {
        for (const std::string& kind : folder.kinds) {
            INFO(folder.path << ": " << kind);
            CHECK(std::find(described.begin(), described.end(), kind) != described.end());
        }
    }
}

TEST_CASE("every kind says in one line what it is") {
    for (const PluginFolder& folder : plugin_folders()) {
        for (std::size_t i = 0; i < folder.kinds.size(); ++i) {
            INFO(folder.path << ": " << folder.kinds[i]);
            CHECK_FALSE(folder.help[i].empty());
            CHECK(folder.help[i].find('\n') == std::string::npos);
        }
    }
}

}  // namespace
}  // namespace idlesim::repo
