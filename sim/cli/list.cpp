// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/catalogue.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/config/load.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/data_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim {
namespace {

constexpr int kNameWidth = 28;

/// A part of the list: the files of a folder, or one thing of the catalogue.
struct Section {
    const char* name;
    const char* folder;  ///< nullptr: of the catalogue
    const char* thing;
};

constexpr Section kSections[] = {{"experiments", "experiments", nullptr},
                                 {"predictions", "experiments/predictions", nullptr},
                                 {"examples", "experiments/examples", nullptr},
                                 {"sweeps", "experiments/sweeps", nullptr},
                                 {"calibrations", "experiments/calibrations", nullptr},
                                 {"platforms", "configs/platforms", nullptr},
                                 {"governors", nullptr, "governor"},
                                 {"strategies", nullptr, "idle strategy"},
                                 {"interrupts", nullptr, "interrupt source"},
                                 {"workloads", nullptr, "workload"},
                                 {"arrivals", nullptr, "arrival process"},
                                 {"placements", nullptr, "placement"},
                                 {"metrics", nullptr, "metric"}};

std::vector<std::string> section_names() {
    std::vector<std::string> names;
    for (const Section& section : kSections) {
        names.emplace_back(section.name);
    }
    return names;
}

/// The `title` or `description` of a file, whichever comes first.
std::string headline(const std::filesystem::path& file) {
    config::Diagnostics ignored;
    const config::Node root = config::load_file(file.string(), ignored);
    for (const char* key : {"title", "description"}) {
        if (const config::Node* text = root.is_map() ? root.find(key) : nullptr) {
            return text->text().substr(0, text->text().find('\n'));
        }
    }
    return "";
}

void print_line(const std::string& name, const std::string& help, int indent) {
    fmt::print("{:{}}{:<{}} {}\n", "", indent, name, kNameWidth, help);
}

void print_section(const Section& section, int indent) {
    if (section.folder == nullptr) {
        for (const CatalogueEntry& entry : catalogue()) {
            if (entry.thing == section.thing) {
                print_line(entry.name, entry.help, indent);
            }
        }
        return;
    }
    if (const auto path = data_folder(section.folder)) {
        for (const std::filesystem::path& file : yaml_files(*path)) {
            print_line(file.stem().string(), headline(file), indent);
        }
    }
}

int list(const Arguments& arguments) {
    if (arguments.words.size() > 1) {
        throw UsageError{"list takes one section at most: idlesim list platforms"};
    }
    for (const Section& section : kSections) {
        if (arguments.words.empty()) {
            fmt::print("{}\n", section.name);
            print_section(section, 2);
        } else if (arguments.words.front() == section.name) {
            print_section(section, 0);
            return kSuccess;
        }
    }
    if (!arguments.words.empty()) {
        throw UsageError{fmt::format(
            "there is no section '{}'{}; `idlesim describe NAME` tells more about one "
            "name",
            arguments.words.front(),
            config::suggestion_text(arguments.words.front(), "sections", section_names()))};
    }
    return kSuccess;
}

}  // namespace

Verb list_verb() {
    return {"list",
            "[SECTION]",
            "What there is by name: shipped files, governors, idle strategies, interrupt sources, "
            "workloads, placements, metrics.\nA section alone: " +
                fmt::format("{}", fmt::join(section_names(), ", ")),
            {},
            list,
            section_names()};
}

}  // namespace idlesim
