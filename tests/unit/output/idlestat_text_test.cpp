// SPDX-License-Identifier: Apache-2.0
#include "sim/output/idlestat_text.hpp"

#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <sys/wait.h>

using namespace idlesim;

namespace {

const std::vector<IdlestatState> kStates{{"POLL", Duration{0}}, {"C1", Duration{1'999'999}}};

std::string unused_states() {
    std::string text;
    for (int state = 2; state < 16; ++state) {
        text += "\t(null)\n\t0\n";
    }
    return text;
}

std::string written(const Trace& trace, const std::vector<IdlestatCpu>& cpus) {
    const ScratchFolder folder;
    write_idlestat(folder.path() / "trace.idlestat", trace, kStates, cpus);
    return folder.read("trace.idlestat");
}

void add_stay(Trace& trace, int cpu, int state, std::int64_t begin_us, std::int64_t end_us) {
    const auto at = [](std::int64_t us) { return Time{std::chrono::microseconds{us}}; };
    trace.append({at(begin_us), cpu, TraceEvent::cpu_idle, true, false, false, kIdleTask, state});
    trace.append({at(end_us), cpu, TraceEvent::cpu_idle_exit, true});
}

/// Exit status of tests/tools/idlestat_import.sh for two files in `folder`.
int import_status(const ScratchFolder& folder) {
    const std::string command = fmt::format("{0}/tests/tools/idlestat_import.sh '{1}/t' '{1}/e'",
                                            IDLESIM_SOURCE_DIR,
                                            folder.path().string());
    return WEXITSTATUS(std::system(command.c_str()));
}

}  // namespace

TEST_CASE("idlestat gets machine, states and idle periods", "[output]") {
    Trace trace{2};
    trace.append({Time{Duration{7'000'000}}, 1, TraceEvent::cpu_idle_exit, true});
    trace.append({Time{Duration{0}}, 1, TraceEvent::cpu_idle, true, false, false, kIdleTask, 1});
    REQUIRE(written(trace, {{0, 0}, {0, 1}}) ==
            "idlestat version = 0.8\ncpus=2\n"
            "clusterA:\n\tcore0\n\t\tcpu0\n\tcore1\n\t\tcpu1\n"
            "cpuid 0:\n\tPOLL\n\t0\n\tC1\n\t1\n" +
                unused_states() + "cpuid 1:\n\tPOLL\n\t0\n\tC1\n\t1\n" + unused_states() +
                "          <idle>-0       [001] d..1.     0.000000: cpu_idle: state=1 cpu_id=1\n"
                "          <idle>-0       [001] d..1.     0.000007: cpu_idle: state=4294967295 "
                "cpu_id=1\n");
}

TEST_CASE("idlestat sees threads below their core and cores below their package", "[output]") {
    REQUIRE_THAT(written(Trace{4}, {{0, 0}, {1, 0}, {0, 0}, {1, 5}}),
                 Catch::Matchers::ContainsSubstring(
                     "cpus=4\nclusterA:\n\tcore0\n\t\tcpu0\n\t\tcpu2\n"
                     "clusterB:\n\tcore0\n\t\tcpu1\n\tcore5\n\t\tcpu3\ncpuid 0:\n"));
}

TEST_CASE("idlestat is spared what it would misread", "[output]") {
    Trace trace{1};
    trace.add_task({7, "task [x]", 120});
    trace.append({Time{}, 0, TraceEvent::cpu_idle_miss, true, false, false, kIdleTask, 1, 0});
    trace.append({Time{}, 0, TraceEvent::sched_switch, true, false, false, kIdleTask, 0, 0});
    trace.append({Time{}, 0, TraceEvent::irq_handler_entry, true, true, false, 0, 24});
    trace.append({Time{}, 0, TraceEvent::irq_handler_entry, true, true, false, kIdleTask, 25});
    const std::string text = written(trace, {{0, 0}});
    const std::size_t events = text.find("          <idle>");
    REQUIRE(text.substr(events) ==
            "          <idle>-0       [000] d.h1.     0.000000: irq_handler_entry: irq=25 "
            "name=irq25\n");
}

TEST_CASE("idlestat reads the file and finds the same stays", "[output]") {
    const ScratchFolder folder;
    Trace trace{4};
    add_stay(trace, 0, 1, 1000, 1030);
    add_stay(trace, 0, 2, 1040, 1940);
    add_stay(trace, 0, 1, 2000, 2700);
    add_stay(trace, 0, 2, 3000, 3050);
    add_stay(trace, 3, 0, 500, 505);
    trace.append({Time{std::chrono::microseconds{600}}, 3, TraceEvent::cpu_idle, true});
    trace.append({Time{std::chrono::microseconds{1040}}, 0, TraceEvent::cpu_idle_miss});
    write_idlestat(folder.path() / "t",
                   trace,
                   {{"POLL", Duration{0}},
                    {"C1", std::chrono::microseconds{2}},
                    {"C6", std::chrono::microseconds{600}}},
                   {{0, 0}, {0, 0}, {1, 0}, {1, 0}});
    folder.write("e",
                 "cpu\tstate\tentries\tover\tunder\ttime_us\n"
                 "0\t1\t2\t0\t1\t730\n0\t2\t2\t1\t0\t950\n3\t0\t1\t0\t0\t5\n");
    const int status = import_status(folder);
    if (status == 77) {
        WARN("idlestat is not installed");
        return;
    }
    REQUIRE(status == 0);
    folder.write("e", "cpu\tstate\tentries\tover\tunder\ttime_us\n0\t1\t2\t0\t2\t730\n");
    REQUIRE(import_status(folder) == 1);
}
