// SPDX-License-Identifier: Apache-2.0
// What `idlesim run --explain` prints, for every governor.
#include "models/run.hpp"
#include "sim/experiment/explain_text.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_scene.hpp"
#include "tests/support/golden_files.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace idlesim {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

const fs::path kFolder = fs::path{IDLESIM_SOURCE_DIR} / "tests" / "golden" / "explain";

/// A task that a timer wakes every millisecond, by a platform without luck; haltpoll has a driver
/// of its own.
Scenario scenario_for(const std::string& governor) {
    const bool guest = governor.starts_with("haltpoll");
    const std::string choice = governor == "fixed" ? "{ governor: fixed, state: C1E }" : governor;
    Scenario scenario = test::cpuidle_scenario(
        test::cpuidle_platform(),
        "{ kind: periodic, tasks: [0], period: 1 ms, work: 50 us, activations: 40 }",
        "version: \"6.12\"",
        "governor: " + choice);
    scenario.kernel.cpuidle = guest ? CpuidleDriver::haltpoll : CpuidleDriver::intel_idle;
    return scenario;
}

std::string explained(const std::string& governor) {
    const IdleQuestion question{0, Time{} + 20500us};
    return explain_text(explain(scenario_for(governor), {}, question), question, governor);
}

}  // namespace

TEST_CASE("every governor explains itself exactly as expected") {
    const bool accept = std::getenv("IDLESIM_ACCEPT") != nullptr;
    for (const std::string& governor : Registry<Governor>::names()) {
        const std::string actual = explained(governor);
        const fs::path golden = kFolder / (governor + ".expected");
        if (accept) {
            std::ofstream{golden, std::ios::binary} << actual;
            continue;
        }
        INFO(golden.string() << "\n"
                             << test::difference(test::content(golden), actual)
                             << "IDLESIM_ACCEPT=1 makes the new text the expected one.");
        CHECK(test::content(golden) == actual);
    }
}

}  // namespace idlesim
