// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/unit/governor/scripted_cpu.hpp"

using namespace idlesim;
using namespace std::chrono_literals;

namespace {

constexpr Nanoseconds kUs = 1000;

std::vector<IdleState> guest_table() {
    return {{"POLL", 0us, 0us, true}, {"HLT", 1us, 1us}};
}

/// A halt of that length; polls in between end at their limit.
void halt_for(Governor& haltpoll, ScriptedCpu& cpu, Nanoseconds idle) {
    if (cpu.ask(haltpoll).state == 0) {
        cpu.hit = true;
        cpu.idle_for(haltpoll, cpu.longest_poll);
    }
    REQUIRE(cpu.idle_for(haltpoll, idle).state == 1);
}

}  // namespace

TEST_CASE("haltpoll begins with a halt", "[governor]") {
    ScriptedCpu cpu;
    const auto haltpoll = started("haltpoll@6.3", cpu, guest_table());
    const IdleDecision decision = cpu.ask(*haltpoll);
    REQUIRE(decision.state == 1);
    REQUIRE(decision.stop_tick);
    REQUIRE_FALSE(cpu.queried);
}

TEST_CASE("the poll limit doubles from 50 to 200 us after short halts", "[governor]") {
    ScriptedCpu cpu;
    const auto haltpoll = started("haltpoll@6.3", cpu, guest_table());
    for (const Nanoseconds limit : {50, 100, 200}) {
        halt_for(*haltpoll, cpu, cpu.longest_poll + 1);
        REQUIRE(cpu.longest_poll == limit * kUs);
    }
}

TEST_CASE("the poll limit halves after a long halt", "[governor]") {
    ScriptedCpu cpu;
    const auto haltpoll = started("haltpoll@6.3", cpu, guest_table());
    halt_for(*haltpoll, cpu, 60 * kUs);
    halt_for(*haltpoll, cpu, 200'001);
    REQUIRE(cpu.longest_poll == 25 * kUs);
    // A halt within the limit says that polling would have done.
    halt_for(*haltpoll, cpu, 25 * kUs);
    REQUIRE(cpu.longest_poll == 25 * kUs);
}

TEST_CASE("haltpoll polls until it hits the limit, and then halts once", "[governor]") {
    ScriptedCpu cpu;
    const auto haltpoll = started("haltpoll@6.3", cpu, guest_table());
    halt_for(*haltpoll, cpu, 60 * kUs);
    REQUIRE_FALSE(cpu.ask(*haltpoll).stop_tick);
    REQUIRE(cpu.idle_for(*haltpoll, 10 * kUs).state == 0);
    cpu.hit = true;
    REQUIRE(cpu.ask(*haltpoll).state == 1);
    cpu.idle_for(*haltpoll, 60 * kUs);
    REQUIRE(cpu.ask(*haltpoll).state == 0);
}

TEST_CASE("haltpoll ignores the disable flags and all latency limits but 0", "[governor]") {
    ScriptedCpu cpu;
    const auto haltpoll = started("haltpoll@6.3", cpu, guest_table());
    cpu.disabled = 0b11;
    cpu.limit = 1;
    REQUIRE(cpu.ask(*haltpoll).state == 1);
    cpu.limit = 0;
    REQUIRE(cpu.ask(*haltpoll).state == 0);
}

TEST_CASE("the parameters of haltpoll are those of the module", "[governor]") {
    ScriptedCpu cpu;
    const auto haltpoll = configured(
        "{governor: haltpoll@6.3, guest_halt_poll: 400 us, guest_halt_poll_grow: 4,"
        " guest_halt_poll_grow_start: 80 us, guest_halt_poll_allow_shrink: false}",
        cpu,
        guest_table());
    for (const Nanoseconds limit : {80, 320, 400}) {
        halt_for(*haltpoll, cpu, cpu.longest_poll + 1);
        REQUIRE(cpu.longest_poll == limit * kUs);
    }
    halt_for(*haltpoll, cpu, 500 * kUs);
    REQUIRE(cpu.longest_poll == 400 * kUs);
}
