// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "models/governor/governor.hpp"
#include "models/interrupt/interrupt_source.hpp"
#include "models/placement/placement.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "models/workload/workload.hpp"
#include "sim/cli/catalogue.hpp"
#include "sim/cli/reference.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/experiment/json_schema.hpp"
#include "sim/experiment/metric_help.hpp"
#include "sim/experiment/stat.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/unit/config/demo_table.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

using namespace idlesim;

namespace {

template <class Interface>
std::string table_of(const std::string& title) {
    std::string text =
        fmt::format("## {}\n\n| name | what it is | parameters |\n|---|---|---|\n", title);
    for (const std::string& kind : Registry<Interface>::names()) {
        std::string parameters;
        for (const config::FieldDescription& field : Registry<Interface>::describe(kind)) {
            parameters += (parameters.empty() ? "`" : ", `") + field.key + "`";
        }
        text +=
            fmt::format("| `{}` | {} | {} |\n", kind, Registry<Interface>::help(kind), parameters);
    }
    return text + "\n";
}

std::string generated() {
    return "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# What can be chosen by name\n\n"
           "Generated from the registries; a test keeps it so. `idlesim describe NAME` tells "
           "more.\n\n" +
           table_of<IdleStrategy>("Idle strategies") + table_of<Governor>("Governors") +
           table_of<InterruptSource>("Interrupt sources") + table_of<Workload>("Workloads") +
           table_of<ArrivalProcess>("Arrival processes of open_loop") +
           table_of<Placement>("Placements");
}

std::string content_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    return text.str();
}

/// The file says what is generated; IDLESIM_ACCEPT=1 writes it anew.
void check_file(const char* name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path{IDLESIM_SOURCE_DIR} / name;
    if (std::getenv("IDLESIM_ACCEPT") != nullptr) {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream{path} << text;
    }
    INFO(name << ": IDLESIM_ACCEPT=1 writes the file anew");
    CHECK((content_of(path) == text));
}

bool names(const std::string& text, const std::string& name) {
    return text.find(name) != std::string::npos;
}

}  // namespace

TEST_CASE("docs/kinds.md lists what the registries know", "[repo]") {
    check_file("docs/kinds.md", generated());
}

TEST_CASE("docs/yaml.md is the reference of what is read", "[repo]") {
    check_file("docs/yaml.md", yaml_reference());
}

TEST_CASE("configs/schema holds the schema of each kind of file", "[repo]") {
    for (const std::string& name : schema_names()) {
        check_file(("configs/schema/" + name + ".json").c_str(), json_schema(name));
    }
    const demo::Demo* demo = nullptr;
    check_file("tests/golden/bad_config/demo.schema.json",
               json_schema_of("Demo", config::describe(demo::parameters(demo))));
}

TEST_CASE("completion and manual page know every verb and option", "[repo]") {
    check_file("configs/completion/idlesim.bash", bash_completion());
    check_file("configs/completion/_idlesim", zsh_completion());
    check_file("docs/idlesim.1", manual_page());
}

TEST_CASE("what can be named is in reference, completion and manual page", "[repo]") {
    const std::string reference = yaml_reference();
    const std::string manual = manual_page();
    for (const CatalogueEntry& entry : catalogue()) {
        INFO(entry.name);
        CHECK(names(bash_completion(), entry.name));
        CHECK(names(zsh_completion(), entry.name));
        CHECK(names(manual, "\n.B " + entry.name));
        for (const config::FieldDescription& field : entry.fields) {
            INFO(field.key);
            CHECK(names(reference, field.key + "`"));  // `key` or `path.key`
        }
    }
    for (const Verb& verb : all_verbs()) {
        INFO(verb.name);
        CHECK(names(manual, "\n.B " + verb.name));
    }
}

TEST_CASE("docs/writing-a-strategy.md shows the example that is built and run", "[repo]") {
    const std::filesystem::path docs = std::filesystem::path{IDLESIM_SOURCE_DIR} / "docs";
    const std::string text = content_of(docs / "writing-a-strategy.md");
    const std::string yaml = content_of(docs / "examples/spin_then_mwait.yaml");
    const std::string cpp = content_of(docs / "examples/spin_then_mwait.cpp");
    const std::size_t list = yaml.find("    idle:\n      strategy: program");
    const std::size_t code = cpp.find("class SpinThenMwait");
    CHECK(names(text, yaml.substr(list, yaml.find("replications") - list)));
    CHECK(names(text, cpp.substr(code, cpp.find("\n\n}  // namespace") - code)));
}

TEST_CASE("every metric has a line of help, in the same order", "[repo]") {
    std::vector<std::string> described;
    for (const MetricHelp& metric : metric_help()) {
        CHECK_FALSE(metric.help.empty());
        CHECK_FALSE(metric.unit.empty());
        described.emplace_back(metric.name);
    }
    CHECK(described == metric_names());
}
