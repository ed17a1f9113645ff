// SPDX-License-Identifier: Apache-2.0
#include "models/run.hpp"
#include "models/scenario.hpp"
#include "tests/catch.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/plain_scenario.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

RunResult run_workload(const std::string& strategy, const std::string& workload) {
    return run(test::plain_scenario(test::plain_platform(), strategy, "6.1", workload),
               RunOptions{});
}

double value(const RunResult& result, const std::string& metric) {
    const auto found =
        std::find_if(result.series.begin(), result.series.end(), [&](const ScalarSeries& series) {
            return series.metric == metric;
        });
    REQUIRE(found != result.series.end());
    double sum = 0;
    for (const double one : found->values) {
        sum += one;
    }
    return sum / static_cast<double>(found->values.size());
}

std::uint64_t idle_entries(const RunResult& result) {
    std::uint64_t entries = 0;
    for (const CpuidleRow& row : result.cpuidle) {
        entries += row.usage;
    }
    return entries;
}

}  // namespace

TEST_CASE("with both tasks on one CPU nobody idles and the idle strategy changes nothing",
          "[sched_pipe]") {
    const std::string workload = "{ kind: sched_pipe, pinned: [1, 1], loops: 2000 }";
    const double with_hlt = value(run_workload("hlt", workload), "usecs_per_op");
    for (const char* strategy : {"hlt", "mwait_c1", "poll"}) {
        const RunResult result = run_workload(strategy, workload);
        CHECK(value(result, "usecs_per_op") == with_hlt);
        CHECK(idle_entries(result) == 0);
    }
}

TEST_CASE("tasks that may use one CPU alone stay on it", "[sched_pipe]") {
    const RunResult result = run_workload("hlt", "{ kind: sched_pipe, cpus: [2], loops: 2000 }");
    CHECK(idle_entries(result) == 0);
}

TEST_CASE("an operation is two hand-overs, and two counts of context_switch2", "[sched_pipe]") {
    const RunResult pipe =
        run_workload("hlt", "{ kind: sched_pipe, pinned: [0, 1], loops: 20000 }");
    const RunResult switches = run_workload(
        "hlt", "{ kind: context_switch2, cpu1: 0, cpu2: 1, duration: 100 ms, interval: 20 ms }");
    CHECK(pipe.samples.count() >= 39'999);
    CHECK(pipe.samples.count() <= 40'000);
    const double counts = 2e6 / value(pipe, "usecs_per_op");
    CHECK(std::abs(counts / value(switches, "context_switch_rate") - 1.0) < 0.005);
}

TEST_CASE("on two CPUs each hand-over waits for a CPU that idles", "[sched_pipe]") {
    const std::string workload = "{ kind: sched_pipe, pinned: [0, 1], loops: 2000 }";
    PlatformSpec slow = test::plain_platform();
    test::set_cost(slow, "hlt_exit", 5us);
    const RunResult result = run(test::plain_scenario(slow, "hlt", "6.1", workload), RunOptions{});
    const double added =
        value(result, "usecs_per_op") - value(run_workload("hlt", workload), "usecs_per_op");
    CHECK(std::abs(added - 10.0) < 0.5);  // two exits of 5 us
}

TEST_CASE("tasks that may move run where the placement puts them", "[sched_pipe]") {
    Scenario scenario =
        test::plain_scenario(test::plain_platform(),
                             "hlt",
                             "6.1",
                             "{ kind: sched_pipe, cpus: [0, 1, 2, 3], loops: 2000 }");
    const auto cpus_used = [&] {
        RunOptions options;
        options.sample_rows = 0;
        const RunResult result = run(scenario, options);
        std::set<int> used;
        for (std::int64_t i = 0; i < result.samples.row_count(); ++i) {
            used.insert(result.samples.row(i).cpu);
        }
        return used.size();
    };
    CHECK(cpus_used() == 2);  // Linux takes the previous CPU, which idles
    scenario.placement = Registry<Placement>::choice("random");
    CHECK(cpus_used() == 4);
}

TEST_CASE("pinned takes two CPUs and excludes cpus", "[sched_pipe]") {
    const auto complaint = [](const std::string& workload) {
        config::Diagnostics diagnostics;
        const Scenario scenario =
            test::plain_scenario(test::plain_platform(), "hlt", "6.1", workload);
        scenario.workload.make()->check(scenario.platform, scenario.workload.location, diagnostics);
        return diagnostics.render();
    };
    CHECK(complaint("{ kind: sched_pipe, pinned: [0] }").find("pinned takes two CPUs") !=
          std::string::npos);
    CHECK(complaint("{ kind: sched_pipe, pinned: [0, 1], cpus: [0] }").find("free to move") !=
          std::string::npos);
    CHECK(complaint("{ kind: sched_pipe }").empty());
}

}  // namespace idlesim
