// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "models/governor/governor.hpp"
#include "models/interrupt/interrupt_source.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

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
           table_of<ArrivalProcess>("Arrival processes of open_loop");
}

}  // namespace

TEST_CASE("docs/kinds.md lists what the registries know", "[repo]") {
    const std::filesystem::path path = std::filesystem::path{IDLESIM_SOURCE_DIR} / "docs/kinds.md";
    if (std::getenv("IDLESIM_ACCEPT") != nullptr) {
        std::ofstream{path} << generated();
    }
    std::ostringstream written;
    written << std::ifstream{path}.rdbuf();
    INFO("IDLESIM_ACCEPT=1 writes the file anew");
    REQUIRE((written.str() == generated()));
}
