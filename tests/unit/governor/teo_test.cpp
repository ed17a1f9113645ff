// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/teo_bins.hpp"
#include "tests/catch.hpp"
#include "tests/unit/governor/scripted_cpu.hpp"

using namespace idlesim;

namespace {

constexpr Nanoseconds kUs = 1000;
constexpr Nanoseconds kMs = 1'000'000;

const std::vector<std::string> kTeos{"teo@6.3", "teo@6.12", "teo@7.0", "teo@7.1"};

std::int64_t after(int steps, std::int64_t (*fading)(std::int64_t)) {
    std::int64_t value = kTeoEvent;
    for (int i = 0; i < steps; ++i) {
        value = fading(value);
    }
    return value;
}

}  // namespace

TEST_CASE("a bin fades by an eighth per event, since 6.19 to nothing", "[governor]") {
    REQUIRE(after(1, faded) == 896);
    REQUIRE(after(2, faded) == 784);
    REQUIRE(after(1000, faded) == 7);
    REQUIRE(after(1000, faded_to_zero) == 0);
}

TEST_CASE("half the exit latency is not idle time", "[governor]") {
    REQUIRE(without_exit(1000, 100) == 950);
    REQUIRE(without_exit(100, 100) == 50);
    REQUIRE(without_exit(99, 100) == 49);
}

TEST_CASE("teo follows the timer until wakes come before it, and returns to it", "[governor]") {
    for (const std::string& kind : kTeos) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto teo = started(kind, cpu);
        cpu.sleep = {3 * kMs, 3 * kMs};
        for (int i = 0; i < 10; ++i) {
            cpu.idle_for(*teo, 3 * kMs);
        }
        REQUIRE(cpu.ask(*teo).state == 3);
        cpu.idle_for(*teo, 3 * kMs);
        for (int i = 0; i < 20; ++i) {
            cpu.idle_for(*teo, 200 * kUs);
        }
        REQUIRE(cpu.idle_for(*teo, 200 * kUs).state == 2);
        for (int i = 0; i < 20; ++i) {
            cpu.idle_for(*teo, 3 * kMs);
        }
        REQUIRE(cpu.idle_for(*teo, 3 * kMs).state == 3);
    }
}

TEST_CASE("teo does not ask for the timer when idle times are short", "[governor]") {
    for (const std::string& kind : kTeos) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto teo = started(kind, cpu);
        for (int i = 0; i < 40; ++i) {
            cpu.idle_for(*teo, 5 * kUs);
        }
        cpu.ask(*teo);
        REQUIRE(cpu.queried == (kind == "teo@6.3"));
        cpu.stopped = true;
        cpu.idle_for(*teo, 5 * kUs);
        cpu.ask(*teo);
        // Only 7.1 looks for the timer because of the stopped tick.
        REQUIRE((cpu.queried || kind != "teo@7.1"));
    }
}

TEST_CASE("teo 6.3 alone goes one state up on a utilised CPU", "[governor]") {
    for (const std::string& kind : kTeos) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto teo = started(kind, cpu);
        for (int i = 0; i < 20; ++i) {
            cpu.idle_for(*teo, 3 * kMs);
        }
        cpu.busy = 17;
        REQUIRE(cpu.idle_for(*teo, 3 * kMs).state == (kind == "teo@6.3" ? 2 : 3));
        cpu.busy = 16;
        REQUIRE(cpu.idle_for(*teo, 3 * kMs).state == 3);
    }
}

TEST_CASE("a poll limit hit counts as slept until the timer", "[governor]") {
    for (const std::string& kind : kTeos) {
        INFO(kind);
        ScriptedCpu cpu;
        const auto teo = started(kind, cpu);
        cpu.disabled = 0b1110;
        for (int i = 0; i < 10; ++i) {
            cpu.hit = true;
            cpu.idle_for(*teo, 20 * kUs);
        }
        cpu.disabled = 0;
        cpu.ask(*teo);
        REQUIRE_FALSE(cpu.hit);
        REQUIRE(cpu.ask(*teo).state == 3);
    }
}
