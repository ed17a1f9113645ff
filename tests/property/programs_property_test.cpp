// SPDX-License-Identifier: Apache-2.0
// Properties of whole runs that hold for any costs, any luck and any instant.
#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/plain_scenario.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// A platform whose costs are drawn at random, some with jitter, some cold at times.
PlatformSpec random_platform(RandomStream& stream) {
    PlatformSpec platform = test::plain_platform();
    StepClass kernel;
    kernel.cold_probability.value = {0.2};
    kernel.cold_factor.value = {1.5};
    platform.step_classes.entries.push_back({"kernel", {}, kernel});
    for (auto& entry : platform.costs.entries) {
        const double luck = stream.uniform();
        entry.value.value = Duration{1 + static_cast<std::int64_t>(luck * luck * 400'000.0)};
        if (stream.uniform() < 0.3) {
            entry.value.jitter = Duration{50'000};
        }
        if (stream.uniform() < 0.3) {
            entry.value.step_class = "kernel";
        }
    }
    test::set_cost(platform, "background_interval", std::chrono::microseconds{30});
    return platform;
}

const std::vector<std::string> kWorkloads{
    "{ kind: ipi_wake, target_cpu: 1, wakeups: 300, wake: ipi }",
    "{ kind: ipi_wake, target_cpu: 3, wakeups: 300, wake: csd }",
    "{ kind: ipi_wake, target_cpu: 5, wakeups: 300, wake: task }",
    "{ kind: ipi_wake, target_cpu: 1, wakeups: 300, measured_at: function_run }",
    "{ kind: ipi_wake, target_cpu: 1, wakeups: 300, measured_at: acknowledged }"};

struct Case {
    std::string name;
    Scenario scenario;
};

/// Every strategy with every workload on random platforms.
std::vector<Case> random_cases(int platforms) {
    RandomStream stream{2024, "test.platforms"};
    std::vector<Case> cases;
    for (int i = 0; i < platforms; ++i) {
        const PlatformSpec platform = random_platform(stream);
        for (const std::string& strategy : Registry<IdleStrategy>::names()) {
            for (const std::string& workload : kWorkloads) {
                for (const char* version : {"5.18", "6.3", "7.0"}) {
                    cases.push_back(
                        {fmt::format("platform {}, {}, {}, {}", i, strategy, workload, version),
                         test::plain_scenario(platform, strategy, version, workload)});
                }
            }
        }
    }
    return cases;
}

}  // namespace

// A lost wake-up would end the run with "made no progress".
TEST_CASE("whatever the costs, no wake-up is lost and every sample adds up", "[property]") {
    for (const Case& c : random_cases(6)) {
        INFO(c.name);
        RunOptions options;
        options.sample_rows = 0;
        const RunResult result = run(c.scenario, options);
        CHECK(result.samples.count() == 300);
        for (std::int64_t i = 0; i < result.samples.row_count(); ++i) {
            const SampleRow row = result.samples.row(i);
            Duration sum{};
            for (const PackedPart& part : row.parts) {
                sum += part.duration();
            }
            REQUIRE(sum == row.value);
        }
    }
}

TEST_CASE("running ahead and queueing every operation give the same run", "[property]") {
    for (const Case& c : random_cases(3)) {
        INFO(c.name);
        RunOptions options;
        const RunResult ahead = run(c.scenario, options);
        options.run_ahead = false;
        const RunResult queued = run(c.scenario, options);
        CHECK(ahead.fingerprint == queued.fingerprint);
        CHECK(ahead.events == queued.events);
        CHECK(ahead.samples.values() == queued.samples.values());
    }
}

TEST_CASE("a run depends on seed and replication and on nothing else", "[property]") {
    RandomStream stream{7, "test.platforms"};
    const Scenario s =
        test::plain_scenario(random_platform(stream), "hlt", "5.18", kWorkloads.front());
    RunOptions options;
    const RunResult first = run(s, options);
    CHECK(run(s, options).fingerprint == first.fingerprint);
    options.replication = 2;
    CHECK(run(s, options).fingerprint != first.fingerprint);
    options.replication = 1;
    options.seed = 2;
    CHECK(run(s, options).fingerprint != first.fingerprint);
}

}  // namespace idlesim
