// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/ftrace_idle.hpp"

#include "sim/config/diagnostics.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

using namespace idlesim;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Read {
    std::vector<IdleInterval> intervals;
    std::vector<IdleGaps> gaps;
    FtraceSummary summary;
};

Read read_file(const std::string& path) {
    Read read;
    FtraceReader reader{path};
    IdleIntervals intervals{
        [&read](const IdleInterval& interval) { read.intervals.push_back(interval); }};
    FtraceEvent event;
    while (reader.next(event)) {
        intervals.add(event);
    }
    intervals.finish();
    read.gaps = intervals.gaps();
    read.summary = reader.summary();
    return read;
}

Read read_text(const std::string& text) {
    const ScratchFolder folder;
    folder.write("trace", text);
    return read_file((folder.path() / "trace").string());
}

/// An event of CPU 0 at so many microseconds behind a second.
std::string at(int microseconds, const std::string& event) {
    const std::string digits = std::to_string(1'000'000 + microseconds).substr(1);
    return "<idle>-0 [000] d..2. 1." + digits + ": " + event + "\n";
}

const std::string kEnter = "cpu_idle: state=1 cpu_id=0";
const std::string kLeave = "cpu_idle: state=4294967295 cpu_id=0";
const std::string kTimer = "local_timer_entry: vector=236";
const std::string kToTask = "sched_switch: prev_pid=0 ==> next_pid=5";

}  // namespace

TEST_CASE("a trace says the same in every spelling", "[experiment]") {
    const std::string form = GENERATE("two_cpus.trace.txt",
                                      "two_cpus.trace_cmd.txt",
                                      "two_cpus.perf.txt",
                                      "two_cpus.counter.txt");
    INFO(form);
    const Read read = read_file(std::string{IDLESIM_SOURCE_DIR} + "/tests/data/traces/" + form);
    CHECK(read.summary.events == 19);
    CHECK(read.summary.unreadable == 0);
    REQUIRE(read.intervals.size() == 4);
    std::int64_t time = 0;
    for (const IdleInterval& interval : read.intervals) {
        time += interval.end - interval.begin;
    }
    CHECK(time == (1000 + 53 + 889 + 4000) * 1000);
}

TEST_CASE("the cause of a wake is found on either side of the exit", "[experiment]") {
    const Read read =
        read_file(std::string{IDLESIM_SOURCE_DIR} + "/tests/data/traces/two_cpus.trace.txt");
    for (const IdleInterval& interval : read.intervals) {
        INFO(interval.cpu << " " << interval.begin);
        if (interval.cpu == 0 && interval.begin == 1'000'000'000) {
            CHECK(interval.cause.kind == WakeKind::device);
            CHECK(interval.cause.irq == 27);
        } else if (interval.cpu == 0) {
            CHECK(interval.cause.kind == WakeKind::timer);
        } else if (interval.begin == 1'000'100'000) {
            CHECK(interval.cause.kind == WakeKind::tick);
        } else {
            CHECK(interval.cause.kind == WakeKind::reschedule);
            CHECK(interval.stayed);
        }
    }
}

TEST_CASE("the next timer of a CPU is the sleep length, and no tick is", "[experiment]") {
    const Read read =
        read_file(std::string{IDLESIM_SOURCE_DIR} + "/tests/data/traces/two_cpus.trace.txt");
    for (const IdleInterval& interval : read.intervals) {
        if (interval.cpu == 0) {
            CHECK(interval.next_timer == 1'005'062'000);
        } else {
            CHECK_FALSE(interval.next_timer);
        }
    }
}

TEST_CASE("without expiries each interrupt of the timer counts as a timer", "[experiment]") {
    const Read read = read_text(at(10, kEnter) + at(50, kLeave) + at(51, kTimer) + at(52, kToTask));
    REQUIRE(read.intervals.size() == 1);
    CHECK(read.intervals[0].next_timer == 1'000'051'000);
    CHECK(read.intervals[0].cause.kind == WakeKind::timer);
}

TEST_CASE("an interrupt in which no hrtimer expires is a tick", "[experiment]") {
    const std::string expiry = "hrtimer_expire_entry: hrtimer=1 function=hrtimer_wakeup now=1";
    const Read read = read_text(at(10, kEnter) + at(50, kLeave) + at(51, kTimer) + at(52, expiry) +
                                at(53, kToTask) + at(60, kEnter) + at(80, kLeave) + at(81, kTimer) +
                                at(90, kEnter) + at(99, kLeave));
    REQUIRE(read.intervals.size() == 3);
    CHECK(read.intervals[0].cause.kind == WakeKind::timer);
    CHECK(read.intervals[1].cause.kind == WakeKind::tick);
    CHECK_FALSE(read.intervals[1].next_timer);
    CHECK(read.intervals[2].stayed);
    CHECK(read.intervals[2].last_tick == 1'000'081'000);
}

TEST_CASE("an interrupt after the CPU went to work woke nobody", "[experiment]") {
    const Read read = read_text(at(10, kEnter) + at(50, kLeave) + at(52, kToTask) + at(60, kTimer));
    REQUIRE(read.intervals.size() == 1);
    CHECK(read.intervals[0].cause.kind == WakeKind::unknown);
}

TEST_CASE("a wake-up without a traced interrupt is a cause of last resort", "[experiment]") {
    const std::string waking = "sched_waking: comm=x pid=5 target_cpu=000";
    const Read read = read_text(at(10, kEnter) + at(49, waking) + at(50, kLeave) + at(51, kToTask) +
                                at(60, kEnter) + at(65, waking) + at(70, kLeave) +
                                at(71, "reschedule_entry: vector=253"));
    REQUIRE(read.intervals.size() == 2);
    CHECK(read.intervals[0].cause.kind == WakeKind::wake_up);
    CHECK(read.intervals[1].cause.kind == WakeKind::reschedule);
}

TEST_CASE("events that are a little out of order are sorted", "[experiment]") {
    const Read read = read_text(at(10, kEnter) + at(50, kLeave) + at(80, kLeave) + at(70, kEnter));
    CHECK(read.summary.out_of_order == 1);
    REQUIRE(read.intervals.size() == 2);
    CHECK(read.intervals[1].end - read.intervals[1].begin == 10'000);
}

TEST_CASE("entries and exits without a partner are counted, not guessed", "[experiment]") {
    const Read read = read_text(at(5, kLeave) + at(10, kEnter) + at(20, kEnter) + at(30, kLeave) +
                                at(40, kEnter));
    REQUIRE(read.intervals.size() == 1);
    CHECK(read.intervals[0].begin == 1'000'020'000);
    CHECK(read.gaps[0].exits_without_entry == 1);
    CHECK(read.gaps[0].entries_after_entry == 1);
    CHECK(read.gaps[0].open_at_end == 1);
}

TEST_CASE("an interval around lost events is left out", "[experiment]") {
    const std::string mark = GENERATE(as<std::string>{},
                                      "CPU:0 [LOST 51 EVENTS]\n",
                                      "CPU:0 [EVENTS DROPPED]\n",
                                      "[LOST 3 EVENTS]\n");
    const Read read = read_text(at(5, kEnter) + at(6, kLeave) + at(10, kEnter) + mark +
                                at(50, kLeave) + at(60, kEnter) + at(70, kLeave));
    INFO(mark);
    CHECK(read.summary.lost_marks == 1);
    CHECK(read.intervals.size() == 2);
    CHECK(read.gaps[0].cut_by_loss == 1);
}

TEST_CASE("a cut or foreign line is counted with its place", "[experiment]") {
    const Read read = read_text(at(5, kEnter) + "<idle>-0 [000] d..2. 1.0000\n" +
                                at(6, "cpu_idle: state= cpu_id=0") + at(9, kLeave));
    CHECK(read.intervals.size() == 1);
    CHECK(read.summary.unreadable == 1);
    CHECK(read.summary.first_unreadable_line == 2);
    CHECK(read.summary.bad_idle_events == 1);
    CHECK(read.summary.first_bad_idle_line == 3);
}

TEST_CASE("a CPU without timers does not fill the memory", "[experiment]") {
    std::size_t given = 0;
    IdleIntervals intervals{[&given](const IdleInterval&) { ++given; }};
    constexpr int kMany = 10000;
    for (int i = 0; i < kMany; ++i) {
        intervals.add({10 * i, 0, FtraceKind::idle_enter, 1});
        intervals.add({10 * i + 5, 0, FtraceKind::idle_exit, 0});
    }
    CHECK(given >= kMany - IdleIntervals::kMostWaiting - 1);
    intervals.finish();
    CHECK(given == kMany);
}

TEST_CASE("binary recordings are refused with the tool that turns them into text", "[experiment]") {
    const auto complaint = [](const std::string& text) -> std::string {
        try {
            (void)read_text(text);
        } catch (const config::ConfigError& error) {
            return error.what();
        }
        return "";
    };
    CHECK_THAT(complaint("\x17\x08\x44tracing6\n"), ContainsSubstring("trace-cmd report"));
    CHECK_THAT(complaint("PERFILE2h\n"), ContainsSubstring("perf script"));
    CHECK_THAT(complaint(std::string(100'000, 'x')), ContainsSubstring("another kind of file"));
}
