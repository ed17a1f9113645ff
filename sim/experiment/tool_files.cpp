// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/tool_files.hpp"

#include "sim/output/atomic_file.hpp"
#include "sim/output/cyclictest_text.hpp"
#include "sim/output/ftrace_text.hpp"
#include "sim/output/idlestat_text.hpp"
#include "sim/output/perf_text.hpp"
#include "sim/output/specjbb_text.hpp"
#include "sim/output/wult_result.hpp"

#include <ctime>

#include "build_info.hpp"
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace idlesim {
namespace {

void write_wult(const std::filesystem::path& folder,
                const Experiment& experiment,
                const Arm& arm,
                const ArmResult& result) {
    WultPoints points = result.runs.front().wult;
    Duration elapsed = result.runs.front().elapsed;
    for (std::size_t r = 1; r < result.runs.size(); ++r) {
        points.append(result.runs[r].wult);
        elapsed += result.runs[r].elapsed;
    }
    WultInfo info;
    info.report_id = wult_report_id(
        fmt::format("{}-{}-seed{}", experiment.settings.name, arm.name, experiment.settings.seed));
    info.tool_version = build_info::kVersion;
    info.cpu = result.runs.front().wult.cpu();
    info.device_id = result.runs.front().wult.device();
    info.device_description = fmt::format("{}, simulated by idlesim", info.device_id);
    info.resolution = std::chrono::nanoseconds{1};
    info.duration = elapsed;
    info.date = fmt::format("{:%d %b %Y}", fmt::gmtime(std::time(nullptr)));
    info.more = fmt::format("idlesim_seed: {}\nidlesim_platform: {}\n",
                            experiment.settings.seed,
                            arm.scenario.platform.name);
    static_cast<void>(write_wult_result(folder, points, info));
}

// The bins of cyclictest -h: enough for most, the others are its overflows.
constexpr std::int64_t kHistogramMicroseconds = 100;

void write_cyclictest(const std::filesystem::path& folder, const Arm& arm, const RunResult& run) {
    CyclictestRun text;
    int pid = 1000;
    for (const ThreadLatencies& thread : run.cyclictest) {
        CyclictestThread row;
        row.pid = pid++;
        row.cpu = thread.cpu;
        row.interval = thread.interval;
        row.latencies = thread.picoseconds;
        text.threads.push_back(row);
    }
    text.histogram = kHistogramMicroseconds;
    text.command = "cyclictest";
    text.tool_version = build_info::kVersion;
    text.machine.node_name = arm.scenario.platform.name;
    text.machine.release = arm.scenario.kernel.version;
    text.end = run.elapsed;
    write_file(folder / "cyclictest.txt", cyclictest_summary(text));
    write_file(folder / "cyclictest_histogram.txt", cyclictest_histogram(text));
    write_file(folder / "cyclictest.json", cyclictest_json(text));
}

void write_trace(const std::filesystem::path& folder, const Arm& arm, const RunResult& run) {
    write_ftrace(folder / "trace.txt", *run.trace);
    std::vector<IdlestatState> states;
    for (const CpuidleRow& row : run.cpuidle) {
        if (row.cpu == run.cpuidle.front().cpu) {
            states.push_back({row.name, row.target_residency});
        }
    }
    const Topology& topology = arm.scenario.platform.topology;
    std::vector<IdlestatCpu> cpus;
    for (int cpu = 0; cpu < topology.cpus(); ++cpu) {
        const int package = topology.package_of(cpu);
        const int cores_per_package = topology.cores() / topology.packages;
        cpus.push_back({package, topology.core_of(cpu) - package * cores_per_package});
    }
    write_idlestat(folder / "idlestat.txt", *run.trace, states, cpus);
}

}  // namespace

void write_tool_files(const std::filesystem::path& folder,
                      const Experiment& experiment,
                      const Arm& arm,
                      const ArmResult& result) {
    const RunResult& first = result.runs.front();
    if (first.wult.count() > 0) {
        write_wult(folder, experiment, arm, result);
    }
    if (!first.cyclictest.empty()) {
        write_cyclictest(folder, arm, first);
    }
    if (first.sched_pipe) {
        const PipeTotals& totals = *first.sched_pipe;
        write_file(folder / "sched_pipe.txt",
                   sched_pipe_summary(totals.operations, totals.elapsed));
    }
    if (first.load_curve) {
        write_file(folder / "specjbb.txt", specjbb_log(*first.load_curve));
        write_file(folder / "specjbb.raw", specjbb_raw(*first.load_curve));
    }
    if (first.trace) {
        write_trace(folder, arm, first);
    }
}

}  // namespace idlesim
