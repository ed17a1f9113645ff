// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep.hpp"

#include "tests/catch.hpp"
#include "tests/unit/experiment/sweep_support.hpp"

#include <algorithm>
#include <set>

using namespace idlesim;

namespace {

using Texts = std::vector<std::string>;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

ResolvedPoint resolve(const Sweep& sweep, std::size_t point) {
    config::Diagnostics diagnostics;
    ResolvedPoint resolved = sweep.base.resolve(sweep.points.values(point), diagnostics);
    INFO(diagnostics.render());
    REQUIRE_FALSE(diagnostics.has_errors());
    return resolved;
}

}  // namespace

TEST_CASE("axes multiply, the last one running fastest; zipped ones advance together", "[sweep]") {
    const Sweep sweep =
        SweepFiles{
            "axes: { kernel.hz: [100, 250], workload.interval: [20 us, 1 ms] }\n"
            "zip:\n"
            "  - { workload.source_cpu: [0, 1], workload.target_cpu: [2, 3] }\n"}
            .load();
    REQUIRE(sweep.points.count() == 8);
    REQUIRE(
        sweep.points.cell_names() ==
        Texts{"kernel.hz", "workload.interval_ns", "workload.source_cpu", "workload.target_cpu"});
    REQUIRE(sweep.points.cells(0) == Texts{"100", "20000", "0", "2"});
    REQUIRE(sweep.points.cells(1) == Texts{"100", "20000", "1", "3"});
    REQUIRE(sweep.points.cells(2) == Texts{"100", "1000000", "0", "2"});
    REQUIRE(sweep.points.cells(7) == Texts{"250", "1000000", "1", "3"});
    REQUIRE(resolve(sweep, 7).arms[1].kernel.hz == 250);
    REQUIRE(resolve(sweep, 1).arms[0].kernel.hz == 100);
}

TEST_CASE("listed points may leave values to the experiment", "[sweep]") {
    const Sweep sweep =
        SweepFiles{
            "points:\n"
            "  - { kernel.hz: 100 }\n"
            "  - { kernel.hz: 300, arms.mwait.kernel.hz: 1000 }\n"
            "  - { platform: amd-rome-server }\n"}
            .load();
    REQUIRE(sweep.points.count() == 3);
    REQUIRE(sweep.points.cells(2) == Texts{"", "", "amd-rome-server"});
    REQUIRE(resolve(sweep, 1).arms[0].kernel.hz == 300);
    REQUIRE(resolve(sweep, 1).arms[1].kernel.hz == 1000);
    REQUIRE(resolve(sweep, 2).arms[1].kernel.hz == 250);
    REQUIRE(resolve(sweep, 2).arms[1].platform.name == "amd-rome-server");
    REQUIRE(resolve(sweep, 0).arms[1].platform.name == "amd-zen3-server");
}

TEST_CASE("a point's id comes from its values, not from the sweep around it", "[sweep]") {
    const Sweep one =
        SweepFiles{"axes: { kernel.hz: [100, 250], workload.interval: [1000 us, 20 us] }\n"}.load();
    const Sweep other =
        SweepFiles{"axes: { workload.interval: [1 ms, 3 ms], kernel.hz: [300, 250] }\n"}.load();
    // hz 250, interval 1 ms.
    REQUIRE(one.ids[2] == other.ids[1]);
    REQUIRE(one.ids[2].size() == 16);
    REQUIRE(std::set<std::string>(one.ids.begin(), one.ids.end()).size() == 4);
}

TEST_CASE("what counts beside the point's values shows in its content", "[sweep]") {
    const std::string axes = "axes: { kernel.hz: [100, 250] }\n";
    const SweepFiles files{axes};
    const std::uint64_t content = resolve(files.load(), 0).content;
    REQUIRE(resolve(files.load(), 0).content == content);
    REQUIRE(resolve(files.load(), 1).content != content);
    for (const char* set : {"workload.wakeups=51", "platform.costs.hlt_exit.value=1 ns"}) {
        LoadOptions options;
        options.sets = {set};
        REQUIRE(resolve(files.load(options), 0).content != content);
    }
    LoadOptions seeded;
    seeded.seed = 5;
    REQUIRE(resolve(files.load(seeded), 0).content != content);
    files.write(axes + "replications: 3\n");
    REQUIRE(resolve(files.load(), 0).content != content);
    files.write("description: other words\n" + axes);
    REQUIRE(resolve(files.load(), 0).content == content);
}

TEST_CASE("columns are named by arm, metric and stat; the baseline has no delta", "[sweep]") {
    const Sweep sweep = SweepFiles{"axes: { kernel.hz: [100] }\n"}.load();
    Texts names;
    for (const MetricColumn& column : sweep.columns) {
        names.push_back(column.name);
    }
    REQUIRE(names == Texts{"hlt.wake_latency.p50",
                           "mwait.wake_latency.p50",
                           "mwait.wake_latency.p50.delta_percent"});
}

TEST_CASE("idle states are measured one at a time, as exercise-sut does", "[sweep]") {
    const ScratchFolder folder;
    folder.write("s.yaml",
                 "title: t\n"
                 "experiment: 04_icx_wult_c1\n"
                 "cstates:\n"
                 "  strategies: [measured_only, measured_and_poll, measured_and_shallower]\n"
                 "  states: [C1E]\n"
                 "metrics: [ { metric: interrupt_latency, stats: [p50] } ]\n");
    const Sweep sweep = load_sweep(folder.path() / "s.yaml", {});
    REQUIRE(sweep.points.count() == 3);
    using States = std::vector<std::string>;
    REQUIRE(resolve(sweep, 0).arms[0].kernel.disabled_states == States{"POLL", "C1", "C6"});
    REQUIRE(resolve(sweep, 1).arms[0].kernel.disabled_states == States{"C1", "C6"});
    REQUIRE(resolve(sweep, 2).arms[0].kernel.disabled_states == States{"C6"});
    REQUIRE(sweep.points.cells(2)[0] == "C1E");
    REQUIRE(sweep.points.cells(2)[1] == "measured_and_shallower");
}

TEST_CASE("all mistakes of a sweep are reported together, each at its place", "[sweep]") {
    const std::string complaint =
        SweepFiles{
            "axes:\n"                                    // line 13
            "  kernel.hz: [100, 250]\n"                  // 14
            "  workload.interval: [20 us, 40]\n"         // 15
            "  workload.source_cpu: [0, 1]\n"            // 16
            "  platform.costs.hlt_exit.valeu: [1 ns]\n"  // 17
            "  kernle.hz: [1]\n"                         // 18
            "  arms.mwat.kernel.hz: [1]\n"               // 19
            "zip:\n"
            "  - { workload.wakeups: [1, 2], workload.target_cpu: [3] }\n"}
            .complaint();
    CAPTURE(complaint);
    REQUIRE(has(complaint, "s.yaml:15:30: error: interval"));
    REQUIRE(has(complaint, "s.yaml:17:3: error: unknown key 'valeu'; did you mean 'value'?"));
    REQUIRE(has(complaint, "s.yaml:18:3: error: an experiment has no 'kernle'"));
    REQUIRE(has(complaint, "s.yaml:19:3: error: unknown arm 'mwat'; did you mean 'mwait'?"));
    REQUIRE(has(complaint, "s.yaml:21:33: error: workload.target_cpu: 1 values"));
}

TEST_CASE("a path that is varied twice and a value that is there twice are refused", "[sweep]") {
    REQUIRE(
        has(SweepFiles{"axes: { kernel.hz: [100] }\npoints: [ { kernel.hz: 250 } ]\n"}.complaint(),
            "varied in another place"));
    REQUIRE(has(SweepFiles{"axes: { workload.interval: [1000 us, 1 ms] }\n"}.complaint(),
                "a second time"));
}

TEST_CASE("a sweep of 10^12 points is refused with its number", "[sweep]") {
    const std::string range = "{ from: 1000, to: 1999, step: 1 }";
    const std::string complaint =
        SweepFiles{"axes:\n  workload.wakeups: " + range + "\n  kernel.hz: " + range +
                   "\n  seed: " + range + "\n  replications: " + range + "\n"}
            .complaint();
    REQUIRE(has(complaint, "= 1000000000000 points are too many"));
}

TEST_CASE("longer runs weigh more", "[sweep]") {
    const Sweep sweep =
        SweepFiles{
            "axes: { workload.wakeups: [100, 300], kernel.hz: [100, 250], replications: [1, 2] }\n"}
            .load();
    REQUIRE(sweep.weight(0) == 100);
    REQUIRE(sweep.weight(2) == 100);
    REQUIRE(sweep.weight(7) == 600);
}
