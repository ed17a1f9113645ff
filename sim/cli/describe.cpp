// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "models/governor/governor.hpp"
#include "models/interrupt/interrupt_source.hpp"
#include "models/scenario.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "models/workload/workload.hpp"
#include "sim/cli/describe_platform.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/platform_file.hpp"
#include "sim/registry/registry.hpp"

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

template <class Interface>
bool print_kind(const char* thing, const std::string& name, std::vector<std::string>& known) {
    for (const std::string& kind : Registry<Interface>::names()) {
        known.push_back(kind);
        if (kind == name) {
            fmt::print("{} ({}): {}\n", name, thing, Registry<Interface>::help(name));
            print_fields(Registry<Interface>::describe(name), 2);
            return true;
        }
    }
    return false;
}

template <class Part>
bool print_part(const char* part, const std::string& name, std::vector<std::string>& known) {
    known.emplace_back(part);
    if (name != part) {
        return false;
    }
    fmt::print("{}\n", name);
    print_fields(config::describe(parameters(static_cast<const Part*>(nullptr))), 2);
    return true;
}

int describe(const Arguments& arguments) {
    if (arguments.words.size() != 1) {
        throw UsageError{"describe takes one name: idlesim describe mwait_c1"};
    }
    const std::string& name = arguments.words.front();
    std::vector<std::string> known;
    const bool found = print_kind<Governor>("governor", name, known) ||
                       print_kind<IdleStrategy>("idle strategy", name, known) ||
                       print_kind<InterruptSource>("interrupt source", name, known) ||
                       print_kind<Workload>("workload", name, known) ||
                       print_kind<ArrivalProcess>("arrival process", name, known) ||
                       print_part<ExperimentSettings>("experiment", name, known) ||
                       print_part<Target>("target", name, known) ||
                       print_part<PlatformSpec>("platform", name, known) ||
                       print_part<KernelSpec>("kernel", name, known) || describe_platform(name);
    if (!found) {
        for (const std::string& platform : data_file_names(kPlatformFolder)) {
            known.push_back(platform);
        }
        throw UsageError{fmt::format(
            "there is nothing called '{}'{}", name, config::suggestion_text(name, "names", known))};
    }
    return kSuccess;
}

}  // namespace

Verb describe_verb() {
    return {
        "describe",
        "NAME",
        "The parameters of a governor, strategy, interrupt source or workload, or of: experiment, "
        "target, platform,\nkernel. Of a platform by its name: how much of it is known, and how.",
        {},
        describe};
}

}  // namespace idlesim
