// SPDX-License-Identifier: Apache-2.0
#include "models/run.hpp"
#include "models/scenario.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_platform.hpp"
#include "tests/support/plain_scenario.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// Tasks of which always some wake others that are on their way to sleep.
const std::string kBusyProfile = R"({"tasks": {
        "timed": {"instance": 6, "loop": -1, "run": 10, "resume": "b", "broad": "c",
                  "timer": {"ref": "unique", "period": 50}, "sleep": 100},
        "b": {"instance": 4, "loop": -1, "suspend": "", "run": 20, "yield": "", "sleep": 30},
        "signals": {"instance": 6, "loop": -1, "signal": "c", "lock": "m", "run": 5,
                    "unlock": "m", "sleep": 100},
        "long": {"instance": 5, "loop": -1, "run": 100, "sleep": 500, "sleep2": 1},
        "waits": {"instance": 5, "loop": -1, "lock": "m",
                  "sync": {"ref": "c", "mutex": "m"}, "unlock": "m", "sleep": 100},
        "bound": {"cpus": [1], "instance": 3, "loop": -1, "lock": "m",
                  "wait": {"ref": "c", "mutex": "m"}, "unlock": "m", "resume": "b",
                  "sleep": 40}}})";

Scenario scenario(const ScratchFolder& folder, const std::string& json, const std::string& more) {
    folder.write("profile.json", json);
    return test::plain_scenario(
        test::cpuidle_platform(),
        "hlt",
        "6.1",
        fmt::format(
            "{{ kind: rt_app, profile: {}{} }}", (folder.path() / "profile.json").string(), more));
}

RunResult run_profile(const std::string& json, const std::string& more = "") {
    const ScratchFolder folder;
    RunOptions options;
    options.sample_rows = 0;
    return run(scenario(folder, json, more), options);
}

std::string complaint(const std::string& json) {
    const ScratchFolder folder;
    config::Diagnostics diagnostics;
    const Scenario one = scenario(folder, json, "");
    diagnostics.add_source((folder.path() / "profile.json").string(), json);
    one.workload.make()->check(one.platform, one.workload.location, diagnostics);
    return diagnostics.render();
}

/// Milliseconds, rounded: the steps of the kernel take microseconds.
std::vector<long> slack(const RunResult& result) {
    std::vector<long> values;
    for (const ScalarSeries& series : result.series) {
        if (series.metric == "slack") {
            for (const double value : series.values) {
                values.push_back(std::lround(value / 1000.0));
            }
        }
    }
    return values;
}

long milliseconds(const RunResult& result) {
    return std::lround(std::chrono::duration<double, std::milli>(result.elapsed).count());
}

}  // namespace

TEST_CASE("a task runs and sleeps as often as its loops say, and then the run ends", "[rt_app]") {
    const RunResult result = run_profile(
        R"({"tasks": {"t": {"loop": 2, "phases": {"a": {"loop": 3, "run": 1000, "sleep": 2000},
                                                  "b": {"run": 5000}}}}})");
    CHECK(result.samples.count() == 6);
    CHECK(milliseconds(result) == 2 * (3 * 3 + 5));
}

TEST_CASE("repeated keys are events, one after the other", "[rt_app]") {
    const RunResult result = run_profile(
        R"({"tasks": {"t": {"loop": 1, "run": 3000, "sleep": 1000, "run": 4000, "sleep2": 1000,
                            "runtime": 5000}}})");
    CHECK(result.samples.count() == 2);
    CHECK(milliseconds(result) == 14);
}

TEST_CASE("a timer in absolute mode catches up, in relative mode it goes on from where it is",
          "[rt_app]") {
    const auto profile = [](const std::string& mode) {
        return R"({"tasks": {"t": {"loop": 1, "phases": {
                    "late": {"run": 25000, "timer": {"ref": "x", "period": 10000)" +
               mode + R"(}},
                    "on_time": {"loop": 3, "run": 1000, "timer": {"ref": "x", "period": 10000)" +
               mode + "}}}}}}";
    };
    CHECK(slack(run_profile(profile(R"(, "mode": "absolute")"))) ==
          std::vector<long>{-15, -6, 3, 9});
    CHECK(slack(run_profile(profile(""))) == std::vector<long>{-15, 9, 9, 9});
    CHECK(slack(run_profile(profile(R"(, "mode": "relative")"))) ==
          std::vector<long>{-15, 9, 9, 9});
}

TEST_CASE("a timer that two tasks name is one, unless its name begins with unique", "[rt_app]") {
    const auto profile = [](const std::string& ref) {
        return R"({"tasks": {"t": {"instance": 2, "loop": 4, "timer": {"period": 1000, "ref": ")" +
               ref + R"("}}}})";
    };
    CHECK(milliseconds(run_profile(profile("shared"))) == 8);
    CHECK(milliseconds(run_profile(profile("unique1"))) == 4);
}

TEST_CASE("resume wakes all who are suspended, and is lost where nobody is", "[rt_app]") {
    const RunResult result = run_profile(
        R"({"tasks": {"main": {"loop": 1, "resume": "w", "sleep": 5000, "resume": "w"},
                      "w": {"instance": 3, "loop": 1, "delay": 1000, "suspend": "w",
                            "run": 2000}}})");
    CHECK(milliseconds(result) == 7);
}

TEST_CASE("a wake-up by another task is measured where the woken one slept", "[rt_app]") {
    const RunResult result =
        run_profile(R"({"tasks": {"main": {"loop": 1, "run": 5000, "resume": "w"},
                                  "w": {"loop": 1, "suspend": "w", "run": 1000}}})");
    REQUIRE(result.samples.count() == 1);
    CHECK(result.samples.row(0).parts.size() > 5);  // through an interrupt, out of idle
    CHECK(result.samples.row(0).value < 10us);
}

TEST_CASE("suspend without a name waits for the task's own", "[rt_app]") {
    const RunResult result =
        run_profile(R"({"tasks": {"main": {"loop": 1, "sleep": 3000, "resume": "w"},
                                  "w": {"loop": 1, "suspend": "", "run": 1000}}})");
    CHECK(milliseconds(result) == 4);
}

TEST_CASE("who holds a mutex keeps the others out", "[rt_app]") {
    const auto elapsed = [](const std::string& lock, const std::string& unlock) {
        return milliseconds(run_profile(fmt::format(
            R"({{"tasks": {{"t": {{"instance": 3, "loop": 2, {} "run": 4000, {} }}}}}})",
            lock,
            unlock)));
    };
    CHECK(elapsed("", "") == 8);
    CHECK(elapsed(R"("lock": "m",)", R"("unlock": "m")") == 24);
}

TEST_CASE("a signal wakes one who waits, a broadcast all, and the mutex is theirs again",
          "[rt_app]") {
    const auto profile = [](const std::string& wake) {
        return fmt::format(
            R"({{"global": {{"duration": 1}}, "tasks": {{
               "w": {{"instance": 2, "loop": 1, "lock": "m",
                      "wait": {{"ref": "c", "mutex": "m"}}, "run": 3000, "unlock": "m"}},
               "s": {{"loop": 1, "sleep": 2000, "lock": "m", "{}": "c", "unlock": "m"}}}}}})",
            wake);
    };
    CHECK(milliseconds(run_profile(profile("broad"))) == 2 + 2 * 3);
    CHECK(milliseconds(run_profile(profile("signal"))) == 1000);  // one still waits
}

TEST_CASE("sync wakes the others and waits itself", "[rt_app]") {
    const RunResult result = run_profile(
        R"({"tasks": {"a": {"loop": 1, "lock": "m", "wait": {"ref": "c", "mutex": "m"},
                            "unlock": "m", "run": 1000, "lock": "m", "broad": "c",
                            "unlock": "m"},
                      "b": {"loop": 1, "delay": 2000, "lock": "m",
                            "sync": {"ref": "c", "mutex": "m"}, "unlock": "m", "run": 500}}})");
    CHECK(milliseconds(result) == 4);  // 2 ms, then 1 ms of a, then 0.5 ms of b
}

TEST_CASE("a barrier opens when all have come, each time", "[rt_app]") {
    const RunResult result =
        run_profile(R"({"tasks": {"slow": {"loop": 2, "run": 5000, "barrier": "b"},
                                  "fast": {"instance": 2, "loop": 2, "run": 1000,
                                           "barrier": "b"}}})");
    CHECK(milliseconds(result) == 10);
}

TEST_CASE("a timer wakes a task that may move on an idle CPU when its own is busy", "[rt_app]") {
    const auto cpu_of_wake = [](const std::string& cpus) {
        const RunResult result = run_profile(fmt::format(
            R"({{"tasks": {{"free": {{"cpus": [{}], "loop": 1, "sleep": 2000, "run": 100}},
                            "hog": {{"cpus": [0], "loop": 1, "delay": 500, "run": 9000}}}}}})",
            cpus));
        REQUIRE(result.samples.count() == 2);
        return result.samples.row(1).cpu;
    };
    CHECK(cpu_of_wake("0") == 0);
    CHECK(cpu_of_wake("0, 1") == 1);
}

TEST_CASE("the steps of each wake-up add up, also of more than are followed", "[rt_app]") {
    const RunResult result = run_profile(
        R"({"tasks": {"t": {"instance": 40, "loop": 20, "run": 50,
                            "timer": {"ref": "unique", "period": 4000}}}})");
    REQUIRE(result.samples.count() > 700);
    int followed = 0;
    for (std::int64_t i = 0; i < result.samples.row_count(); ++i) {
        const SampleRow row = result.samples.row(i);
        Duration sum{};
        for (const PackedPart& part : row.parts) {
            sum += part.duration();
        }
        REQUIRE(sum == row.value);
        followed += row.parts.size() > 1 ? 1 : 0;
    }
    CHECK(followed > 100);
    CHECK(followed < result.samples.count());
}

TEST_CASE("no wake-up comes early, however many tasks wake each other", "[rt_app]") {
    const RunResult result = run_profile(kBusyProfile, ", duration: 100 ms");
    const auto& latencies = result.samples.values();
    REQUIRE(latencies.size() > 10'000);
    CHECK(*std::min_element(latencies.begin(), latencies.end()) > 0);
}

TEST_CASE("a CPU that leaves idle shares its queue of wake-ups with the handler", "[rt_app]") {
    const ScratchFolder folder;
    Scenario slow = scenario(folder, kBusyProfile, ", duration: 100 ms");
    for (const char* step : {"csd_flush", "enqueue_task", "ipi_delivery"}) {
        test::set_cost(slow.platform, step, 700ns);
    }
    CHECK(run(slow, RunOptions{}).samples.count() > 10'000);
}

TEST_CASE("a profile without an end needs a duration", "[rt_app]") {
    const std::string endless = R"({"tasks": {"t": {"run": 100, "sleep": 900}}})";
    CHECK(complaint(endless).find("add one, such as duration") != std::string::npos);
    CHECK(milliseconds(run_profile(endless, ", duration: 50 ms")) == 50);
    const std::string bounded = R"({"global": {"duration": 1}, "tasks": {"t": {"sleep": 900}}})";
    CHECK(milliseconds(run_profile(bounded)) == 1000);
    CHECK(milliseconds(run_profile(bounded, ", duration: 20 ms")) == 20);
}

TEST_CASE("a CPU that does not exist is reported where the profile names it", "[rt_app]") {
    const std::string text =
        complaint("{\"tasks\": {\"t\": {\"loop\": 1, \"sleep\": 1,\n  \"cpus\": [0, 99]}}}");
    CHECK(text.find("profile.json:2:11: error: t: CPU 99 does not exist") != std::string::npos);
}

TEST_CASE("equal runs of a profile are equal", "[rt_app]") {
    const std::string profile =
        R"({"tasks": {"t": {"instance": 9, "loop": 50, "lock": "m", "run": 30, "unlock": "m",
                            "timer": {"ref": "unique", "period": 700}}}})";
    const RunResult first = run_profile(profile);
    const RunResult second = run_profile(profile);
    CHECK(first.fingerprint == second.fingerprint);
    CHECK(first.samples.values() == second.samples.values());
}

}  // namespace idlesim
