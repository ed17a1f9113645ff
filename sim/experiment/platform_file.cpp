// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/platform_file.hpp"

#include "sim/config/load.hpp"
#include "sim/config/override.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/data_files.hpp"

#include <fmt/format.h>

namespace idlesim {
namespace {

using config::Diagnostics;
using config::Node;

// A chain this long goes in circles.
constexpr int kLongestChain = 8;

// Their order counts, so an entry more in the middle cannot be merged in.
constexpr const char* kTables[] = {"idle_states", "acpi_states", "hardware_states"};

/// Reads a chain of files that extend each other.
class PlatformLoader {
public:
    PlatformLoader(Diagnostics& diagnostics, std::map<std::string, std::string>& portable_names)
        : diagnostics_{diagnostics}, portable_names_{portable_names} {}

    Node load(const std::filesystem::path& path, int depth) {
        return resolve(config::load_file(path.string(), diagnostics_), path, depth);
    }

    /// `own` stands in the file `path`.
    Node resolve(Node own, const std::filesystem::path& path, int depth) {
        const Node* base_name = own.is_map() ? own.find("extends") : nullptr;
        if (base_name == nullptr) {
            return own;
        }
        const auto found = find_data_file(base_name->text(), path, kPlatformFolder);
        if (!found || depth >= kLongestChain) {
            complain(*base_name, depth);
            return Node::invalid(own.location());
        }
        const std::string shown = displayed(found->path);
        portable_names_[shown] = found->portable_name;
        Node base = load(shown, depth + 1);
        own.erase("extends");
        if (base.is_map()) {
            lay_over(base, own);
        }
        return base;
    }

private:
    static void lay_over(Node& base, const Node& own) {
        for (const char* table : kTables) {
            if (own.find(table) != nullptr) {
                base.erase(table);
            }
        }
        config::merge(base, own);
    }

    void complain(const Node& name, int depth) {
        if (depth >= kLongestChain) {
            diagnostics_.error(name.location(),
                               "extends: the platforms extend each other in a circle");
            return;
        }
        diagnostics_.error(
            name.location(),
            fmt::format("extends: there is no platform '{}'{}",
                        name.text(),
                        config::suggestion_text(
                            name.text(), "platforms", data_file_names(kPlatformFolder))));
    }

    Diagnostics& diagnostics_;
    std::map<std::string, std::string>& portable_names_;
};

}  // namespace

Node load_platform(const std::filesystem::path& path,
                   Diagnostics& diagnostics,
                   std::map<std::string, std::string>& portable_names) {
    return PlatformLoader{diagnostics, portable_names}.load(path, 0);
}

Node extend_platform(const Node& own,
                     const std::filesystem::path& path,
                     Diagnostics& diagnostics,
                     std::map<std::string, std::string>& portable_names) {
    return PlatformLoader{diagnostics, portable_names}.resolve(own, path, 0);
}

PlatformSpec read_platform_file(const std::filesystem::path& path) {
    config::Diagnostics diagnostics;
    std::map<std::string, std::string> portable_names;
    PlatformSpec platform;
    config::Node tree = load_platform(path, diagnostics, portable_names);
    config::read(
        tree, parameters(static_cast<const PlatformSpec*>(nullptr)), platform, diagnostics);
    diagnostics.throw_if_errors();
    return platform;
}

}  // namespace idlesim
