// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/wake_causes.hpp"

#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_scene.hpp"
#include "tests/support/plain_scenario.hpp"

#include <map>
#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

std::map<std::string, std::uint64_t> causes(const RunResult& result, int cpu) {
    std::map<std::string, std::uint64_t> wakes;
    for (const WakeRow& row : result.wakes) {
        if (row.cpu == cpu) {
            wakes[row.cause] += row.wakes;
        }
    }
    return wakes;
}

std::map<std::string, std::uint64_t> causes(const std::string& workload, const std::string& more) {
    return causes(
        run(test::cpuidle_scenario(test::cpuidle_platform(), workload, "version: \"6.8\"", more),
            {}),
        1);
}

std::map<std::string, std::uint64_t> without_driver(const std::string& strategy,
                                                    const std::string& workload) {
    return causes(
        run(test::plain_scenario(test::plain_platform(), strategy, "6.3", workload), RunOptions{}),
        1);
}

}  // namespace

TEST_CASE("the first interrupt that is served is the cause", "[wakes]") {
    WakeSources sources;
    const std::size_t tick = sources.add("tick");
    const std::size_t card = sources.add("card");
    CHECK(sources.add("tick") == tick);
    WakeCauses wakes;
    wakes.begin();
    wakes.serve(card);
    wakes.serve(tick);
    CHECK(wakes.end(false, true, 5us) == card);
    wakes.begin();
    CHECK(wakes.end(true, false, 1us) == WakeSources::kPollLimit);
    wakes.begin();
    CHECK(wakes.end(false, true, 1us) == WakeSources::kStore);
    wakes.begin();
    CHECK(wakes.end(false, false, 1us) == WakeSources::kOther);
    wakes.begin();
    wakes.serve(card);
    CHECK(wakes.end(false, false, 7us) == card);
    std::vector<WakeRow> rows;
    wakes.report(sources, 3, rows);
    REQUIRE(rows.size() == 4);
    CHECK(rows.back().cpu == 3);
    CHECK(rows.back().cause == "card");
    CHECK(rows.back().wakes == 2);
    CHECK(rows.back().slept == 12us);
}

TEST_CASE("a timer, a device, a store and an interrupt of another CPU are told apart", "[wakes]") {
    const std::string state = GENERATE("C1", "C6");  // interrupts on, and off
    INFO(state);
    const auto timer =
        causes("{ kind: periodic, tasks: [1], period: 1 ms, work: 10 us, activations: 100 }",
               test::fixed_governor(state));
    CHECK(timer.size() == 1);
    CHECK(timer.at("local_timer") >= 99);
    const auto device = causes(
        "{ kind: dbench, clients: [1], burst: 20 us, wait: 200 us, duration: "
        "10 ms, interval: 10 ms }",
        test::fixed_governor(state));
    CHECK(device.at("disk") > 20);
    const auto store = causes("{ kind: ipi_wake, target_cpu: 1, wakeups: 50, wake: task }",
                              test::fixed_governor(state));
    CHECK(store.at("store") >= 49);
    const auto call = causes("{ kind: ipi_wake, target_cpu: 1, wakeups: 50, wake: ipi }",
                             test::fixed_governor(state));
    CHECK(call.at("call_function_single") >= 49);
}

TEST_CASE("a poll that ends at its limit says so", "[wakes]") {
    const auto polls =
        causes("{ kind: quiet, cpus: [1], duration: 100 ms }", test::fixed_governor("POLL"));
    CHECK(polls.at("poll_limit") > 1000);
    CHECK(polls.at("tick") >= 9);
}

TEST_CASE("without a driver the causes are counted too", "[wakes]") {
    const std::string wake = "{ kind: ipi_wake, target_cpu: 1, wakeups: 50, wake: task }";
    CHECK(without_driver("mwait_c1", wake).at("store") >= 49);
    const auto halted = without_driver("hlt", wake);
    CHECK(halted.count("store") == 0);
    CHECK(halted.at("call_function_single") >= 49);
}

TEST_CASE("the causes of a CPU add up to its idle entries", "[wakes]") {
    const RunResult result =
        run(test::cpuidle_scenario(test::cpuidle_platform(),
                                   "{ kind: periodic, tasks: [0, 1], period: 1 ms, work: 10 us, "
                                   "activations: 200 }",
                                   "version: \"6.8\"",
                                   "governor: menu@6.12\ninterrupts: [{ kind: background, "
                                   "mean_interval: 700 us }]"),
            {});
    for (const int cpu : {0, 1}) {
        std::uint64_t entries = 0;
        Duration time{};
        for (const CpuidleRow& row : result.cpuidle) {
            entries += row.cpu == cpu ? row.usage : 0;
            time += row.cpu == cpu ? row.time : Duration{};
        }
        std::uint64_t wakes = 0;
        Duration slept{};
        for (const WakeRow& row : result.wakes) {
            wakes += row.cpu == cpu ? row.wakes : 0;
            slept += row.cpu == cpu ? row.slept : Duration{};
        }
        CHECK(wakes == entries);
        CHECK(slept == time);
    }
}

}  // namespace idlesim
