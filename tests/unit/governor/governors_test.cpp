// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/idle_table.hpp"
#include "sim/engine/random.hpp"
#include "tests/catch.hpp"
#include "tests/unit/governor/scripted_cpu.hpp"

using namespace idlesim;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<Governor> any_governor(const std::string& kind, ScriptedCpu& cpu) {
    return kind == "fixed" ? configured("{governor: fixed, state: C1E}", cpu) : started(kind, cpu);
}

/// A CPU in an arbitrary situation.
void shake(ScriptedCpu& cpu, RandomStream& random) {
    const auto below = [&](std::uint64_t bound) {
        return static_cast<Nanoseconds>(random.bits() % bound);
    };
    cpu.limit = below(4) == 0 ? below(200'000) : ScriptedCpu::kNoLimit;
    cpu.disabled = below(3) == 0 ? static_cast<StateMask>(below(16)) : 0;
    cpu.stopped = below(3) == 0;
    cpu.ticked = cpu.ticked || below(5) == 0;
    cpu.hit = below(5) == 0;
    cpu.waiters = below(3);
    cpu.busy = below(40);
    cpu.sleep.timer = below(10) == 0 ? kEndlessSleep : below(20'000'000) - 1000;
    cpu.sleep.event = std::min<Nanoseconds>(cpu.sleep.timer, below(4'000'000));
    cpu.truth = std::chrono::nanoseconds{below(5'000'000)};
}

}  // namespace

TEST_CASE("an explanation changes no decision and is never empty", "[governor]") {
    for (const std::string& kind : Registry<Governor>::names()) {
        INFO(kind);
        ScriptedCpu cpu;
        ScriptedCpu other;
        const auto silent = any_governor(kind, cpu);
        const auto talking = any_governor(kind, other);
        RandomStream random{1, kind};
        RandomStream same{1, kind};
        for (int i = 0; i < 500; ++i) {
            shake(cpu, random);
            shake(other, same);
            Explanation why;
            const IdleDecision expected = cpu.ask(*silent);
            const IdleDecision decision = talking->select(other, &why);
            REQUIRE(decision.state == expected.state);
            REQUIRE(decision.stop_tick == expected.stop_tick);
            REQUIRE(decision.state < 4);
            REQUIRE_FALSE(why.lines().empty());
            cpu.residency = static_cast<Nanoseconds>(random.bits() % 3'000'000);
            other.residency = static_cast<Nanoseconds>(same.bits() % 3'000'000);
            if (cpu.residency % 10 != 0) {
                silent->reflect(expected.state, cpu);
                talking->reflect(decision.state, other);
            } else {
                cpu.residency = other.residency = 0;
            }
        }
    }
}

TEST_CASE("an explanation names the reason for each state", "[governor]") {
    ScriptedCpu cpu;
    const auto menu = started("menu@7.0", cpu);
    cpu.sleep = {100'000, 100'000};
    cpu.limit = 50'000;
    cpu.disabled = 0b10;
    Explanation why;
    REQUIRE(menu->select(cpu, &why).state == 2);
    const auto says = [&](const std::string& line) {
        return std::find(why.lines().begin(), why.lines().end(), line) != why.lines().end();
    };
    INFO(fmt::format("{}", fmt::join(why.lines(), "\n")));
    REQUIRE(says("predicted idle time 100 us"));
    REQUIRE(says("POLL: not chosen, a deeper state is worth entering"));
    REQUIRE(says("C1: not chosen, it is disabled"));
    REQUIRE(says("C1E: chosen"));
    REQUIRE(says("C6: not chosen, exit latency 133 us exceeds the latency limit 50 us"));
}

TEST_CASE("fixed takes its state by name or by index", "[governor]") {
    ScriptedCpu cpu;
    cpu.limit = 0;
    cpu.disabled = 0b1111;
    const IdleDecision decision = cpu.ask(*configured("{governor: fixed, state: C6}", cpu));
    REQUIRE(decision.state == 3);
    REQUIRE(decision.stop_tick);
    REQUIRE_FALSE(cpu.ask(*configured("{governor: fixed, state: POLL}", cpu)).stop_tick);
    REQUIRE(cpu.ask(*configured("{governor: fixed, state: '2'}", cpu)).state == 2);
    REQUIRE_THROWS_WITH(configured("{governor: fixed, state: C7}", cpu),
                        "governor fixed: no state 'C7'; the table has POLL, C1, C1E, C6");
    REQUIRE_THROWS_AS(configured("fixed", cpu), config::ConfigError);
}

TEST_CASE("oracle takes the deepest state that pays until the true wake", "[governor]") {
    ScriptedCpu cpu;
    const auto oracle = started("oracle", cpu);
    cpu.sleep = {9'000'000, 1'000'000};
    const std::vector<std::pair<Duration, int>> expected{
        {0us, 0}, {1us, 0}, {2us, 1}, {19us, 1}, {20us, 2}, {599us, 2}, {600us, 3}, {9ms, 3}};
    for (const auto& [idle, state] : expected) {
        INFO(to_text(idle));
        cpu.truth = idle;
        const IdleDecision decision = cpu.ask(*oracle);
        REQUIRE(decision.state == state);
        REQUIRE(decision.stop_tick == (idle > 1ms));
    }
    cpu.truth = std::nullopt;
    REQUIRE(cpu.ask(*oracle).state == 3);
    cpu.disabled = 0b1000;
    REQUIRE(cpu.ask(*oracle).state == 2);
    cpu.limit = 5'000;
    REQUIRE(cpu.ask(*oracle).state == 1);
    cpu.disabled = 0b1001;
    cpu.limit = 1'000;
    REQUIRE(cpu.ask(*oracle).state == 1);
}

TEST_CASE("of two states with the same residency oracle takes the deeper", "[governor]") {
    ScriptedCpu cpu;
    const auto oracle = started("oracle",
                                cpu,
                                {{"WFI", 1us, 1us, false, false},
                                 {"cpu-off", 196us, 2120us, false, false},
                                 {"cluster-off", 500us, 2120us, false, false}});
    cpu.truth = 3ms;
    REQUIRE(cpu.ask(*oracle).state == 2);
    cpu.limit = 200'000;
    REQUIRE(cpu.ask(*oracle).state == 1);
}

TEST_CASE("oracle prefers physical energy to what is declared", "[governor]") {
    ScriptedCpu cpu;
    const auto oracle = started("oracle", cpu);
    cpu.truth = 100us;
    cpu.energies = {4e-6, 3e-6, 3e-6, 1e-6};
    REQUIRE(cpu.ask(*oracle).state == 3);
    cpu.limit = 100'000;
    REQUIRE(cpu.ask(*oracle).state == 1);
}

TEST_CASE("a table that no kernel could hold is refused", "[governor]") {
    ScriptedCpu cpu;
    REQUIRE_THROWS_AS(started("menu@7.0", cpu, {}), GovernorError);
    REQUIRE_THROWS_AS(started("menu@7.0", cpu, std::vector<IdleState>(11)), GovernorError);
    REQUIRE_THROWS_AS(started("menu@7.0", cpu, {{"X", Duration{1500}, 2us}}), GovernorError);
}

TEST_CASE("the default poll limit is the first residency of 10 us, at most 1/16 tick",
          "[governor]") {
    const IdleTable table{server_table()};
    REQUIRE(default_poll_limit(table, 0, 4'000'000) == 20'000);
    REQUIRE(default_poll_limit(table, 0b0100, 4'000'000) == 250'000);
    REQUIRE(default_poll_limit(table, 0b1110, 4'000'000) == 250'000);
    REQUIRE(default_poll_limit(table, 0, 160'000) == 10'000);
}
