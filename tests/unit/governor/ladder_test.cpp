// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/unit/governor/scripted_cpu.hpp"

using namespace idlesim;

namespace {

constexpr Nanoseconds kUs = 1000;

/// Enters `state` with idle times that are long enough for every promotion.
void climb_to(Governor& ladder, ScriptedCpu& cpu, int state) {
    for (int i = 0; i < 20 && cpu.idle_for(ladder, 1000 * kUs).state != state; ++i) {
    }
}

}  // namespace

TEST_CASE("ladder climbs after the fourth long idle", "[governor]") {
    ScriptedCpu cpu;
    cpu.residency = 1000 * kUs;
    const auto ladder = started("ladder@6.3", cpu);
    for (int i = 0; i < 3; ++i) {
        REQUIRE(cpu.idle_for(*ladder, 1000 * kUs).state == 1);
    }
    REQUIRE(cpu.idle_for(*ladder, 1000 * kUs).state == 2);
    REQUIRE_FALSE(cpu.queried);
}

TEST_CASE("ladder descends after one idle of one to two latencies", "[governor]") {
    ScriptedCpu cpu;
    const auto ladder = started("ladder@6.3", cpu);
    climb_to(*ladder, cpu, 2);
    cpu.residency = 19 * kUs;
    REQUIRE(cpu.ask(*ladder).state == 1);
}

TEST_CASE("an idle below the latency counts as long for ladder", "[governor]") {
    ScriptedCpu cpu;
    const auto ladder = started("ladder@6.3", cpu);
    climb_to(*ladder, cpu, 2);
    for (int i = 0; i < 3; ++i) {
        cpu.residency = 9 * kUs;
        REQUIRE(cpu.ask(*ladder).state == 2);
    }
    REQUIRE(cpu.ask(*ladder).state == 3);
}

TEST_CASE("exactly two latencies leave ladder where it is", "[governor]") {
    ScriptedCpu cpu;
    const auto ladder = started("ladder@6.3", cpu);
    climb_to(*ladder, cpu, 2);
    for (int i = 0; i < 10; ++i) {
        cpu.residency = 20 * kUs;
        REQUIRE(cpu.ask(*ladder).state == 2);
    }
}

TEST_CASE("ladder polls only under a latency limit of 0 and leaves after one stay", "[governor]") {
    ScriptedCpu cpu;
    const auto ladder = started("ladder@6.3", cpu);
    cpu.limit = 1 * kUs;
    REQUIRE(cpu.ask(*ladder).state == 1);
    cpu.limit = 0;
    REQUIRE(cpu.ask(*ladder).state == 0);
    REQUIRE(cpu.ask(*ladder).stop_tick);
    cpu.limit = ScriptedCpu::kNoLimit;
    cpu.residency = 1;
    REQUIRE(cpu.ask(*ladder).state == 1);
}

TEST_CASE("ladder leaves a disabled state without a look at the one before", "[governor]") {
    ScriptedCpu cpu;
    const auto ladder = started("ladder@6.3", cpu);
    climb_to(*ladder, cpu, 3);
    cpu.disabled = 0b1100;
    REQUIRE(cpu.ask(*ladder).state == 2);
}

TEST_CASE("ladder refuses a table of nothing but polling", "[governor]") {
    ScriptedCpu cpu;
    REQUIRE_THROWS_AS(started("ladder@6.3", cpu, {server_table().front()}), GovernorError);
}
