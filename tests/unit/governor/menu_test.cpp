// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/unit/governor/scripted_cpu.hpp"

using namespace idlesim;

namespace {

constexpr Nanoseconds kUs = 1000;
constexpr Nanoseconds kMs = 1'000'000;

const std::vector<std::string> kMenus{"menu@6.3", "menu@6.12", "menu@6.17", "menu@7.0", "menu@7.1"};

}  // namespace

TEST_CASE("menu learns by which factor wakes come before the timer", "[governor]") {
    for (const std::string& kind : kMenus) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto menu = started(kind, cpu);
        // Far apart, so that there is no typical interval.
        const Nanoseconds timers[] = {1100, 3900, 1700, 8300, 2500, 9900, 1300, 6100};
        for (int i = 0; i < 80; ++i) {
            cpu.sleep = {timers[i % 8] * kUs, timers[i % 8] * kUs};
            cpu.idle_for(*menu, cpu.sleep.timer / 2 + 133 * kUs);
        }
        cpu.sleep = {4 * kMs, 4 * kMs};
        const Nanoseconds predicted = cpu.ask(*menu).predicted;
        REQUIRE(predicted > 1900 * kUs);
        REQUIRE(predicted < 2100 * kUs);
        // Another size of timer has a factor of its own, untouched so far.
        cpu.sleep = {50 * kMs, 4 * kMs};
        if (kind == "menu@6.17") {
            // Without a pattern it reckons with the largest of the few samples that are left.
            REQUIRE(cpu.ask(*menu).predicted < 4 * kMs);
        } else {
            REQUIRE(cpu.ask(*menu).predicted == 50 * kMs);
        }
    }
}

TEST_CASE("menu asks for the timer of a short pattern in 6.3 only", "[governor]") {
    for (const std::string& kind : kMenus) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto menu = started(kind, cpu);
        for (int i = 0; i < 20; ++i) {
            cpu.idle_for(*menu, 12 * kUs);
        }
        cpu.ask(*menu);
        REQUIRE(cpu.queried == (kind == "menu@6.3"));
        cpu.stopped = true;
        cpu.ask(*menu);
        REQUIRE(cpu.queried == (kind == "menu@6.3" || kind.starts_with("menu@7")));
    }
}

TEST_CASE("a tick that ended the idle counts as a long idle", "[governor]") {
    ScriptedCpu cpu;
    const auto menu = started("menu@7.0", cpu);
    cpu.sleep = {60 * kMs, 2 * kMs};
    for (int i = 0; i < 8; ++i) {
        cpu.ticked = true;
        cpu.idle_for(*menu, 2 * kMs);
    }
    REQUIRE(cpu.ask(*menu).predicted == 45 * kMs);
}

TEST_CASE("menu takes state 0 under a latency limit of 0 even if it is disabled", "[governor]") {
    for (const std::string& kind : kMenus) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto menu = started(kind, cpu);
        cpu.limit = 0;
        cpu.disabled = 1;
        const IdleDecision decision = cpu.ask(*menu);
        REQUIRE(decision.state == 0);
        REQUIRE_FALSE(decision.stop_tick);
        REQUIRE(decision.predicted == -1);
    }
}

TEST_CASE("tasks in I/O wait keep menu 6.3 alone shallow", "[governor]") {
    for (const std::string kind : {"menu@6.3", "menu@6.12"}) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto menu = started(kind, cpu);
        for (int i = 0; i < 20; ++i) {
            cpu.idle_for(*menu, 3 * kMs);
        }
        REQUIRE(cpu.ask(*menu).state == 3);
        cpu.waiters = 5;
        // 3 ms / 51 is less than the 133 us of C6.
        REQUIRE(cpu.ask(*menu).state == (kind == "menu@6.3" ? 2 : 3));
    }
}

TEST_CASE("with a stopped tick a timer within two ticks does not override menu 7.1", "[governor]") {
    for (const std::string kind : {"menu@7.0", "menu@7.1"}) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto menu = started(kind, cpu);
        for (int i = 0; i < 20; ++i) {
            cpu.idle_for(*menu, 200 * kUs);
        }
        cpu.stopped = true;
        cpu.sleep = {6 * kMs, 6 * kMs};
        REQUIRE((cpu.ask(*menu).predicted == 6 * kMs) == (kind == "menu@7.0"));
        cpu.sleep = {9 * kMs, 9 * kMs};
        REQUIRE(cpu.ask(*menu).predicted == 9 * kMs);
    }
}

TEST_CASE("entries that did not happen leave menu 6.12 without a pattern", "[governor]") {
    for (const std::string kind : {"menu@6.3", "menu@6.12"}) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto menu = started(kind, cpu);
        for (int i = 0; i < 20; ++i) {
            cpu.idle_for(*menu, 100 * kUs + 133 * kUs);
        }
        REQUIRE(cpu.ask(*menu).predicted == 223 * kUs);
        for (int i = 0; i < 8; ++i) {
            cpu.residency = 0;
            cpu.ask(*menu);
        }
        REQUIRE((cpu.ask(*menu).predicted == 223 * kUs) == (kind == "menu@6.3"));
    }
}
