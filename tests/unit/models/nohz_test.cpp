// SPDX-License-Identifier: Apache-2.0
// Modes of tick and idle loop: HZ, nohz=off, nohz_full, the duty of keeping the time,
// suspend-to-idle, idle injection, the poll limit.
#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_scene.hpp"

#include <cmath>
#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

constexpr const char* kQuiet = "{ kind: quiet, cpus: [0, 1], duration: 1 s }";

RunResult result_of(const std::string& workload,
                    const std::string& kernel,
                    const std::string& more,
                    int hz = 100) {
    Scenario scenario = test::cpuidle_scenario(test::cpuidle_platform(), workload, kernel, more);
    scenario.kernel.hz = hz;
    return run(scenario, {});
}

std::uint64_t wakes(const RunResult& result, int cpu, const std::string& cause) {
    for (const WakeRow& row : result.wakes) {
        if (row.cpu == cpu && row.cause == cause) {
            return row.wakes;
        }
    }
    return 0;
}

std::uint64_t usage(const RunResult& result, int cpu, const std::string& state) {
    for (const CpuidleRow& row : result.cpuidle) {
        if (row.cpu == cpu && row.name == state) {
            return row.usage;
        }
    }
    return 0;
}

/// Ticks that a spinning CPU serves, by its trace.
std::int64_t ticks_of(int cpu, const Trace& trace) {
    std::int64_t ticks = 0;
    for (const TraceRecord& record : trace.records()) {
        ticks += record.cpu == cpu && record.event == TraceEvent::local_timer_entry ? 1 : 0;
    }
    return ticks;
}

std::int64_t spinning_ticks(const std::string& kernel) {
    RunOptions options;
    options.trace = true;
    const Scenario scenario =
        test::cpuidle_scenario(test::cpuidle_platform(),
                               "{ kind: quiet, cpus: [0], spinning: [1], duration: 1 s }",
                               kernel,
                               test::fixed_governor("C6"));
    return ticks_of(1, *run(scenario, options).trace);
}

}  // namespace

TEST_CASE("a tick that is never stopped wakes an idle CPU HZ times a second", "[nohz]") {
    const int hz = GENERATE(100, 250, 300, 1000);
    const RunResult result =
        result_of(kQuiet, "version: \"6.8\", nohz: false", test::fixed_governor("C1"), hz);
    INFO(hz);
    for (const int cpu : {0, 1}) {
        CHECK(std::abs(static_cast<double>(wakes(result, cpu, "tick")) - hz) <= 1);
    }
}

TEST_CASE("a stopped tick wakes nobody", "[nohz]") {
    const RunResult result = result_of(kQuiet, "version: \"6.8\"", test::fixed_governor("C6"));
    CHECK(wakes(result, 0, "tick") == 0);
    CHECK(wakes(result, 1, "tick") == 0);
}

TEST_CASE("a CPU that works keeps its tick, but for one of nohz_full with a single task",
          "[nohz]") {
    CHECK(std::abs(spinning_ticks("version: \"6.8\"") - 100) <= 1);
    CHECK(spinning_ticks("version: \"6.8\", nohz_full: [1]") <= 1);
    // Not the CPU that it was said of.
    CHECK(std::abs(spinning_ticks("version: \"6.8\", nohz_full: [0]") - 100) <= 1);
}

TEST_CASE("under nohz_full the CPU that keeps the time never stops its tick", "[nohz]") {
    const RunResult result =
        result_of(kQuiet, "version: \"6.8\", nohz_full: [1]", test::fixed_governor("C6"));
    CHECK(std::abs(static_cast<double>(wakes(result, 0, "tick")) - 100) <= 1);
    CHECK(wakes(result, 1, "tick") == 0);
}

TEST_CASE("who keeps the time wakes in time for its clock", "[nohz]") {
    // The first tick gives one CPU the duty; it is the last to have it, and wakes ten times a
    // second.
    const RunResult result =
        result_of(kQuiet, "version: \"6.8\", max_deferment: 100 ms", "governor: menu@6.3");
    const std::uint64_t first = wakes(result, 0, "tick");
    const std::uint64_t second = wakes(result, 1, "tick");
    CHECK(first + second >= 8);
    CHECK(first + second <= 14);
    const RunResult endless = result_of(kQuiet, "version: \"6.8\"", "governor: menu@6.3");
    CHECK(wakes(endless, 0, "tick") + wakes(endless, 1, "tick") <= 4);
}

TEST_CASE("the deferment bounds what the governor is told", "[nohz]") {
    const Scenario scenario = test::cpuidle_scenario(test::cpuidle_platform(),
                                                     "{ kind: quiet, cpus: [0], duration: 1 s }",
                                                     "version: \"6.8\", max_deferment: 50 ms",
                                                     "governor: menu@6.3");
    const IdleStory story = explain(scenario, {}, {0, Time{} + 500ms});
    CHECK(story.sleep.timer <= 50'001'000);
    CHECK(story.sleep.timer > 49'000'000);
    CHECK(story.cause == "tick");
}

TEST_CASE("suspend-to-idle takes the deepest state, with a frozen tick and no governor",
          "[s2idle]") {
    const std::string background = "interrupts: [{ kind: background, mean_interval: 10 ms }]";
    RunOptions options;
    options.trace = true;
    const Scenario scenario =
        test::cpuidle_scenario(test::cpuidle_platform(),
                               kQuiet,
                               "version: \"6.8\", s2idle: true, cpu_dma_latency: 1 us",
                               test::fixed_governor("C1") + "\n" + background);
    const RunResult result = run(scenario, options);
    CHECK(usage(result, 0, "C6") > 10);
    CHECK(usage(result, 0, "C1") == 0);
    CHECK(wakes(result, 0, "tick") == 0);
    CHECK(wakes(result, 0, "background") == usage(result, 0, "C6"));
    for (const CpuidleRow& row : result.cpuidle) {
        CHECK(row.above + row.below == 0);
    }
    for (const TraceRecord& record : result.trace->records()) {
        CHECK(record.event != TraceEvent::cpu_idle);
    }
}

TEST_CASE("suspend-to-idle leaves out states that are off", "[s2idle]") {
    const RunResult result = result_of(
        kQuiet,
        "version: \"6.8\", s2idle: true, disabled_states: [C6]",
        test::fixed_governor("C1") + "\ninterrupts: [{ kind: background, mean_interval: 10 ms }]");
    CHECK(usage(result, 0, "C6") == 0);
    CHECK(usage(result, 0, "C1E") > 10);
}

TEST_CASE("suspend-to-idle needs a driver", "[s2idle]") {
    config::Diagnostics diagnostics;
    KernelSpec kernel;
    kernel.s2idle = true;
    check(kernel, diagnostics);
    CHECK_THAT(diagnostics.render(), ContainsSubstring("s2idle needs a cpuidle driver"));
}

TEST_CASE("idle injection keeps a CPU idle for its share of time, whatever it has to do",
          "[injection]") {
    const std::string workload = "{ kind: quiet, cpus: [0], spinning: [1], duration: 1 s }";
    const std::string kernel =
        "version: \"6.8\", idle_injection: { cpus: [1], period: 20 ms, idle: 5 ms }";
    const RunResult result = result_of(workload, kernel, test::fixed_governor("C1"));
    Duration idle{};
    for (const CpuidleRow& row : result.cpuidle) {
        idle += row.cpu == 1 ? row.time : Duration{};
    }
    // The first period begins after 20 ms: 49 whole ones.
    CHECK(idle > 240ms);
    CHECK(idle < 250ms);
    // The governor is not asked: the deepest state.
    CHECK(usage(result, 1, "C6") >= 48);
    CHECK(usage(result, 1, "C1") == 0);
}

TEST_CASE("injected idle obeys its own latency limit", "[injection]") {
    const RunResult result = result_of("{ kind: quiet, cpus: [0], spinning: [1], duration: 1 s }",
                                       "version: \"6.8\", idle_injection: { cpus: [1], period: 20 "
                                       "ms, idle: 5 ms, latency: 20 us }",
                                       test::fixed_governor("C6"));
    CHECK(usage(result, 1, "C6") == 0);
    CHECK(usage(result, 1, "C1E") >= 48);
}

TEST_CASE("a task that is woken in injected idle waits for its end", "[injection]") {
    const std::string workload =
        "{ kind: periodic, tasks: [1], period: 7 ms, work: 100 us, activations: 300 }";
    const RunResult plain = result_of(workload, "version: \"6.8\"", test::fixed_governor("C1"));
    const RunResult injected =
        result_of(workload,
                  "version: \"6.8\", idle_injection: { cpus: [1], period: 20 ms, idle: 10 ms }",
                  test::fixed_governor("C1"));
    const auto longest = [](const RunResult& result) {
        std::int64_t most = 0;
        for (const std::int64_t value : result.samples.values()) {
            most = std::max(most, value);
        }
        return Duration{most};
    };
    CHECK(longest(plain) < 100us);
    CHECK(longest(injected) > 8ms);
    CHECK(longest(injected) < 11ms);
}

TEST_CASE("injection longer than its period is refused", "[injection]") {
    config::Diagnostics diagnostics;
    KernelSpec kernel;
    kernel.idle_injection = IdleInjection{{0}, 5ms, 5ms, std::nullopt, {}};
    check(kernel, diagnostics);
    CHECK_THAT(diagnostics.render(), ContainsSubstring("idle must be shorter than period"));
}

TEST_CASE("the poll limit is chosen at the first poll and kept", "[poll]") {
    const auto limit = [](const std::string& kernel, int hz) {
        Scenario scenario = test::cpuidle_scenario(test::cpuidle_platform(),
                                                   "{ kind: quiet, cpus: [0], duration: 1 s }",
                                                   kernel,
                                                   test::fixed_governor("POLL"));
        scenario.kernel.hz = hz;
        test::CpuidleScene scene{scenario};
        CHECK(scene.kernel().cpuidle_device(0)->poll_limit() == 0);
        scene.run_until(50ms);
        return scene.kernel().cpuidle_device(0)->poll_limit();
    };
    // The residency of the first enabled state of at least 10 us, at most 1/16 tick.
    CHECK(limit("version: \"6.8\"", 250) == 20'000);
    CHECK(limit("version: \"6.8\", disabled_states: [C1E]", 250) == 250'000);
    CHECK(limit("version: \"6.8\", disabled_states: [C1E]", 1000) == 62'500);
    CHECK(limit("version: \"6.8\", disabled_states: [C1E]", 100) == 600'000);
}

}  // namespace idlesim
