// SPDX-License-Identifier: Apache-2.0
#include "models/governor/governor.hpp"
#include "models/interrupt/interrupt_source.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "models/workload/workload.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/config/load.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/registry/registry.hpp"

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr int kNameWidth = 28;

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

void print_line(const std::string& name, const std::string& help) {
    fmt::print("  {:<{}} {}\n", name, kNameWidth, help);
}

void print_files(const char* title, const char* folder) {
    const auto path = data_folder(folder);
    if (!path) {
        return;
    }
    fmt::print("{}\n", title);
    for (const std::filesystem::path& file : yaml_files(*path)) {
        print_line(file.stem().string(), headline(file));
    }
}

template <class Interface>
void print_kinds(const char* title) {
    fmt::print("{}\n", title);
    for (const std::string& name : Registry<Interface>::names()) {
        print_line(name, Registry<Interface>::help(name));
    }
}

int list(const Arguments& arguments) {
    if (!arguments.words.empty()) {
        throw UsageError{"list takes no operands; `idlesim describe NAME` tells more about one"};
    }
    print_files("experiments", "experiments");
    print_files("calibrations", "experiments/calibrations");
    print_files("platforms", "configs/platforms");
    print_kinds<Governor>("governors");
    print_kinds<IdleStrategy>("idle strategies");
    print_kinds<InterruptSource>("interrupt sources");
    print_kinds<Workload>("workloads");
    return kSuccess;
}

}  // namespace

Verb list_verb() {
    return {"list",
            "",
            "What there is: shipped experiments, calibrations and platforms, governors, idle "
            "strategies, interrupt sources, workloads.",
            {},
            list};
}

}  // namespace idlesim
