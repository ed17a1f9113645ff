// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/recording.hpp"

#include "models/run.hpp"
#include "sim/experiment/experiment.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <string>

using namespace idlesim;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kTraces = std::string{IDLESIM_SOURCE_DIR} + "/tests/data/traces/";

/// An experiment on Skylake-SP that replays a trace.
std::string experiment_text(const std::string& trace, const std::string& more = "cpus: [0, 1]") {
    return "title: x\nplatform: intel-skx-server\n"
           "kernel: { version: \"6.12\", hz: 250, cpuidle: intel_idle }\n"
           "workload: { kind: trace_replay, trace: " +
           trace + ", " + more + " }\narms:\n  only: { governor: menu@6.12 }\nreplications: 1\n";
}

Experiment loaded(const ScratchFolder& folder, const std::string& text) {
    folder.write("x.yaml", text);
    return load_experiment(folder.path() / "x.yaml", {});
}

std::string complaint(const ScratchFolder& folder, const std::string& text) {
    folder.write("x.yaml", text);
    config::Diagnostics diagnostics;
    const Experiment experiment =
        load_experiment(folder.path() / "x.yaml", LoadOptions{}, diagnostics);
    return diagnostics.render();
}

std::uint64_t wakes(const RunResult& result, int cpu, const std::string& cause) {
    for (const WakeRow& row : result.wakes) {
        if (row.cpu == cpu && row.cause == cause) {
            return row.wakes;
        }
    }
    return 0;
}

}  // namespace

TEST_CASE("the wake-ups of a trace are its idle intervals that no tick has ended", "[experiment]") {
    const std::string form =
        GENERATE("two_cpus.trace.txt", "two_cpus.trace_cmd.txt", "two_cpus.perf.txt");
    INFO(form);
    const RecordedWakes wakes = read_recorded_wakes(kTraces + form);
    REQUIRE(wakes.cpus.size() == 2);
    CHECK(wakes.length == 5070us);
    CHECK(wakes.devices == std::vector<std::string>{"irq 27 eth0-rx"});
    const CpuArrivals& first = *wakes.find(0);
    REQUIRE(first.arrivals.size() == 2);
    CHECK(first.arrivals[0].kind == ArrivalKind::device);
    CHECK(first.arrivals[0].at == 1000us);
    CHECK(first.arrivals[0].work == 60us);
    CHECK(first.arrivals[1].kind == ArrivalKind::timer);
    CHECK(first.arrivals[1].work == 10us);  // to the end of the trace
    const CpuArrivals& second = *wakes.find(1);
    REQUIRE(second.arrivals.size() == 1);  // its tick is none
    CHECK(second.arrivals[0].kind == ArrivalKind::remote);
    CHECK(wakes.find(2) == nullptr);
}

TEST_CASE("a replayed machine is woken by what had woken the recorded one", "[trace_replay]") {
    const ScratchFolder folder;
    const Experiment experiment =
        loaded(folder, experiment_text(kTraces + "two_cpus.trace.txt", "cpus: [0, 1], repeat: 5"));
    const RunResult result = run(experiment.arms[0].scenario, {});
    CHECK(wakes(result, 0, "irq 27 eth0-rx") == 5);
    CHECK(wakes(result, 0, "local_timer") == 5);
    CHECK(wakes(result, 1, "store") == 5);
    CHECK(result.samples.count() == 15);
    CHECK(result.elapsed == 5 * 5070us);
}

TEST_CASE("the same arrivals can come another way", "[trace_replay]") {
    const ScratchFolder folder;
    const auto run_by = [&](const std::string& source) {
        const Experiment experiment =
            loaded(folder,
                   experiment_text(kTraces + "two_cpus.trace.txt",
                                   "cpus: [0], repeat: 4, source: " + source));
        return run(experiment.arms[0].scenario, {});
    };
    CHECK(wakes(run_by("timer"), 0, "local_timer") == 8);
    // The last one is still on its way out of C6 when the trace is over.
    CHECK(wakes(run_by("device"), 0, "irq 27 eth0-rx") == 7);
    CHECK(wakes(run_by("remote"), 0, "store") == 7);
}

TEST_CASE("running ahead changes nothing of a replayed trace", "[trace_replay]") {
    const ScratchFolder folder;
    for (const char* source : {"recorded", "timer", "device", "remote"}) {
        INFO(source);
        const Experiment experiment =
            loaded(folder,
                   experiment_text(kTraces + "two_cpus.trace.txt",
                                   std::string{"cpus: [0, 1], repeat: 20, source: "} + source));
        RunOptions queued;
        queued.run_ahead = false;
        const RunResult ahead = run(experiment.arms[0].scenario, {});
        const RunResult behind = run(experiment.arms[0].scenario, queued);
        CHECK(ahead.fingerprint == behind.fingerprint);
        CHECK(ahead.samples.values() == behind.samples.values());
    }
}

TEST_CASE("no recorded work is lost where the machine falls behind", "[trace_replay]") {
    const ScratchFolder folder;
    // Three times the period: the task never sleeps after the first wake-up.
    const Experiment experiment =
        loaded(folder,
               experiment_text("traces/every_450us.txt",
                               "cpus: [0], repeat: 10, work: 1350 us, source: " +
                                   std::string{GENERATE("timer", "device", "remote")}));
    const RunResult result = run(experiment.arms[0].scenario, {});
    std::uint64_t woken = 0;
    for (const WakeRow& row : result.wakes) {
        woken += row.cpu == 0 && row.cause != "poll_limit" ? row.wakes : 0;
    }
    CHECK(woken == 1);
}

TEST_CASE("traces are found beside the experiment and among those that are shipped",
          "[trace_replay]") {
    const ScratchFolder folder;
    folder.write("own.txt",
                 "<idle>-0 [000] 1.000000: cpu_idle: state=1 cpu_id=0\n"
                 "<idle>-0 [000] 1.000100: cpu_idle: state=4294967295 cpu_id=0\n");
    CHECK(loaded(folder, experiment_text("own.txt", "cpus: [0]")).arms[0].scenario.recorded !=
          nullptr);
    CHECK(
        loaded(folder, experiment_text("every_450us.txt", "cpus: [0]")).arms[0].scenario.recorded !=
        nullptr);
}

TEST_CASE("a trace that is missing or none is refused with its place", "[trace_replay]") {
    const ScratchFolder folder;
    CHECK_THAT(complaint(folder, experiment_text("missing.txt")),
               ContainsSubstring("x.yaml:4:") && ContainsSubstring("there is no trace"));
    folder.write("novel.txt", "It was a dark and stormy night.\n");
    CHECK_THAT(complaint(folder, experiment_text("novel.txt")),
               ContainsSubstring("novel.txt:1") && ContainsSubstring("expected ftrace text"));
    CHECK_THAT(complaint(folder, experiment_text(kTraces + "two_cpus.trace.txt", "cpus: [0, 0]")),
               ContainsSubstring("a CPU is named twice"));
    CHECK_THAT(
        complaint(folder,
                  experiment_text(kTraces + "two_cpus.trace.txt", "cpus: [0, 1], waker_cpu: 1")),
        ContainsSubstring("cannot be the waker_cpu"));
}
