// SPDX-License-Identifier: Apache-2.0
// Compiles against the installed headers and links each exported library.
#include "models/strategy/idle_strategy.hpp"
#include "sim/config/suggest.hpp"
#include "sim/engine/simulation.hpp"
#include "sim/registry/registry.hpp"
#include "sim/stats/sample_table.hpp"

#include <chrono>
#include <cstdio>

using namespace std::chrono_literals;

namespace {

int check(bool holds, const char* what) {
    if (!holds) {
        std::printf("does not hold: %s\n", what);
    }
    return holds ? 0 : 1;
}

}  // namespace

int main() {
    idlesim::Simulation simulation;
    simulation.run_until(idlesim::Time{} + 5us);
    const idlesim::SampleTable table{"wake_latency", {"exit"}, 0};
    const auto strategies = idlesim::Registry<idlesim::IdleStrategy>::names();

    return check(simulation.now() == idlesim::Time{} + 5us, "the simulation stops where asked to") +
           check(table.steps().size() == 1, "a table has the steps that it was given") +
           check(!strategies.empty(), "the plug-ins are linked") +
           check(idlesim::config::suggest("hllt", strategies) == "hlt", "hllt suggests hlt");
}
