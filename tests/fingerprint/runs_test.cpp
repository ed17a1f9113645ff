// SPDX-License-Identifier: Apache-2.0
// The trajectory of every strategy under every workload, as one number each: behaviour cannot
// change unnoticed. After a change that was meant, IDLESIM_ACCEPT=1 rewrites the list; the
// difference is reviewed like code. The platform is the tests' own, so that no calibration moves
// these numbers.
#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/plain_scenario.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr const char* kExpected = IDLESIM_SOURCE_DIR "/tests/fingerprint/runs.txt";

constexpr std::array kWorkloads{
    "{ kind: ipi_wake, target_cpu: 1, wakeups: 200, wake: ipi }",
    "{ kind: ipi_wake, target_cpu: 1, wakeups: 200, wake: csd }",
    "{ kind: ipi_wake, target_cpu: 3, wakeups: 200, wake: task }",
    "{ kind: context_switch2, cpu1: 0, cpu2: 1, duration: 1 ms, interval: 1 ms }",
    "{ kind: context_switch2, cpu1: 0, cpu2: 3, test: futex, duration: 1 ms, interval: 1 ms }"};

/// The plain platform with some luck in it, so that random streams count too.
PlatformSpec lucky_platform() {
    PlatformSpec platform = test::plain_platform();
    for (auto& entry : platform.costs.entries) {
        if (entry.key.ends_with("_exit")) {
            entry.value.jitter = std::chrono::nanoseconds{20};
            entry.value.second_mode = SecondMode{{0.25}, std::chrono::nanoseconds{40}, {}};
        }
    }
    test::set_cost(platform, "background_interval", std::chrono::microseconds{50});
    return platform;
}

std::string line(const std::string& strategy, const char* workload, const char* version) {
    const Scenario scenario = test::plain_scenario(lucky_platform(), strategy, version, workload);
    const RunResult result = run(scenario, RunOptions{});
    return fmt::format(
        "{:016x} {:7} {} {} {}\n", result.fingerprint, result.events, version, strategy, workload);
}

}  // namespace

TEST_CASE("every strategy takes the recorded course under every workload", "[fingerprint]") {
    std::string now;
    for (const std::string& strategy : Registry<IdleStrategy>::names()) {
        for (const char* workload : kWorkloads) {
            for (const char* version : {"5.18", "6.3", "7.0"}) {
                now += line(strategy, workload, version);
            }
        }
    }
    if (std::getenv("IDLESIM_ACCEPT") != nullptr) {
        std::ofstream{kExpected, std::ios::binary} << now;
    }
    std::ifstream file{kExpected, std::ios::binary};
    const std::string recorded{std::istreambuf_iterator<char>{file}, {}};
    INFO("to accept: IDLESIM_ACCEPT=1 ctest -R fingerprint");
    CHECK(now == recorded);
}

}  // namespace idlesim
