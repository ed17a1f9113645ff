// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/catalogue.hpp"
#include "sim/cli/describe_platform.hpp"
#include "sim/cli/describe_program.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/experiment/platform_file.hpp"

#include <fmt/format.h>

namespace idlesim {
namespace {

using config::FieldDescription;

void print_fields(const std::vector<FieldDescription>& fields, int indent) {
    for (const FieldDescription& field : fields) {
        std::string about = field.type.name;
        if (!field.type.units.empty()) {
            about += fmt::format(" ({})", field.type.units);
        }
        if (!field.type.names.empty()) {
            about += fmt::format(": {}", fmt::join(field.type.names, ", "));
        }
        if (field.required) {
            about += "; required";
        } else if (!field.default_text.empty() && field.default_text.size() < 40) {
            about += fmt::format("; default {}", field.default_text);
        }
        if (!field.constraint.empty()) {
            about += fmt::format("; {}", field.constraint);
        }
        fmt::print("{:{}}{}: {}\n", "", indent, field.key, field.help);
        fmt::print("{:{}}{}\n", "", indent + 4, about);
        print_fields(field.type.fields, indent + 4);
        for (const config::TypeDescription& item : field.type.item) {
            print_fields(item.fields, indent + 4);
        }
    }
}

void print_entry(const CatalogueEntry& entry) {
    fmt::print("{} ({}): {}\n", entry.name, entry.thing, entry.help);
    print_fields(entry.fields, 2);
}

int describe(const Arguments& arguments) {
    const std::vector<std::string>& words = arguments.words;
    if (words.empty() || words.size() > 2) {
        throw UsageError{"describe takes one name: idlesim describe mwait_c1"};
    }
    const std::string& name = words.front();
    std::vector<std::string> known;
    for (const CatalogueEntry& entry : catalogue()) {
        known.push_back(entry.name);
        if (entry.name != name) {
            continue;
        }
        const bool is_strategy = entry.thing == "idle strategy";
        if (!is_strategy && (words.size() > 1 || !arguments.replay.platform.empty())) {
            throw UsageError{fmt::format(
                "'{}' is no idle strategy: a state and --platform say nothing about it", name)};
        }
        print_entry(entry);
        if (is_strategy) {
            describe_program(name, arguments.replay.platform, words.size() > 1 ? words[1] : "");
        }
        return kSuccess;
    }
    if (words.size() == 1 && describe_platform(name)) {
        return kSuccess;
    }
    for (const std::string& platform : data_file_names(kPlatformFolder)) {
        known.push_back(platform);
    }
    throw UsageError{fmt::format(
        "there is nothing called '{}'{}", name, config::suggestion_text(name, "names", known))};
}

}  // namespace

Verb describe_verb() {
    return {
        "describe",
        "NAME [STATE]",
        "What a name stands for, and its parameters: a governor, strategy, interrupt source, "
        "workload, metric, or\npart of a file. Of a strategy its program, with --platform also "
        "what each operation costs there, in STATE\n(default: the shallowest). Of a platform: how "
        "much of it is known, and how.",
        {"platform"},
        describe};
}

}  // namespace idlesim
