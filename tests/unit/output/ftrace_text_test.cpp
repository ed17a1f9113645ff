// SPDX-License-Identifier: Apache-2.0
#include "sim/output/ftrace_text.hpp"

#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

using namespace idlesim;

namespace {

Trace named_trace() {
    Trace trace{4};
    trace.add_task({1201, "worker", 120});
    trace.add_task({1202, "a name of more than 15 bytes", 49});
    trace.add_function("tick_sched_timer");
    trace.name_irq(24, "nvme0q1");
    return trace;
}

/// A record of the idle task on CPU 2 at 153.0421375 s, interrupts off.
TraceRecord record_of(TraceEvent event, std::int64_t a = 0, std::int64_t b = 0) {
    TraceRecord record;
    record.at = Time{Duration{153'042'137'500'000}};
    record.cpu = 2;
    record.event = event;
    record.interrupts_off = true;
    record.a = a;
    record.b = b;
    return record;
}

std::string line_of(const TraceRecord& record) {
    fmt::memory_buffer out;
    append_ftrace_line(out, named_trace(), record);
    return fmt::to_string(out);
}

/// The line without what stands before the event's name.
std::string event_of(TraceEvent event, std::int64_t a = 0, std::int64_t b = 0) {
    const std::string line = line_of(record_of(event, a, b));
    return line.substr(line.find(": ") + 2);
}

std::string stamp_of(Duration since_start) {
    TraceRecord record = record_of(TraceEvent::cpu_idle);
    record.at = Time{since_start};
    const std::string line = line_of(record);
    const std::size_t begin = line.find("d..1.") + 5;
    return line.substr(begin, line.find(": ") - begin);
}

}  // namespace

TEST_CASE("idle entry and exit look as the kernel prints them", "[output]") {
    REQUIRE(line_of(record_of(TraceEvent::cpu_idle, 1)) ==
            "          <idle>-0       [002] d..1.   153.042138: cpu_idle: state=1 cpu_id=2\n");
    REQUIRE(
        line_of(record_of(TraceEvent::cpu_idle_exit)) ==
        "          <idle>-0       [002] d..1.   153.042138: cpu_idle: state=4294967295 cpu_id=2\n");
}

TEST_CASE("an event of a task shows its name and pid", "[output]") {
    TraceRecord record = record_of(TraceEvent::ipi_send_cpu, 3);
    record.task = 0;
    REQUIRE(line_of(record) ==
            "          worker-1201    [002] d....   153.042138: "
            "ipi_send_cpu: cpu=3 callsite=resched_curr callback=0x0\n");
    record.task = 1;
    REQUIRE(line_of(record).starts_with(" a name of more -1202    [002] "));
}

TEST_CASE("flags tell the state of the CPU", "[output]") {
    TraceRecord record = record_of(TraceEvent::local_timer_entry);
    record.need_resched = true;
    record.in_interrupt = true;
    REQUIRE(line_of(record) ==
            "          <idle>-0       [002] dNh1.   153.042138: local_timer_entry: vector=236\n");
    record.interrupts_off = false;
    record.need_resched = false;
    record.in_interrupt = false;
    record.task = 0;
    REQUIRE(line_of(record).find("[002] .....   153") != std::string::npos);
    record.event = TraceEvent::sched_switch;
    REQUIRE(line_of(record).find("[002] ...2.   153") != std::string::npos);
}

TEST_CASE("stamps are nanoseconds cut off and then rounded to microseconds", "[output]") {
    REQUIRE(stamp_of(Duration{0}) == "     0.000000");
    REQUIRE(stamp_of(Duration{499'999}) == "     0.000000");
    REQUIRE(stamp_of(Duration{500'000}) == "     0.000001");
    REQUIRE(stamp_of(Duration{1'499'999}) == "     0.000001");
    REQUIRE(stamp_of(Duration{999'999'500'000}) == "     1.000000");
    REQUIRE(stamp_of(std::chrono::days{100}) == " 8640000.000000");
}

TEST_CASE("every event has the fields of the kernel", "[output]") {
    using enum TraceEvent;
    CHECK(event_of(cpu_idle_miss, 2, 0) == "cpu_idle_miss: cpu_id=2 state=2 type=above\n");
    CHECK(event_of(cpu_idle_miss, 1, 1) == "cpu_idle_miss: cpu_id=2 state=1 type=below\n");
    CHECK(event_of(local_timer_exit) == "local_timer_exit: vector=236\n");
    CHECK(event_of(reschedule_entry) == "reschedule_entry: vector=253\n");
    CHECK(event_of(reschedule_exit) == "reschedule_exit: vector=253\n");
    CHECK(event_of(call_function_single_entry) == "call_function_single_entry: vector=251\n");
    CHECK(event_of(call_function_single_exit) == "call_function_single_exit: vector=251\n");
    CHECK(event_of(irq_handler_entry, 24) == "irq_handler_entry: irq=24 name=nvme0q1\n");
    CHECK(event_of(irq_handler_entry, 25) == "irq_handler_entry: irq=25 name=irq25\n");
    CHECK(event_of(irq_handler_exit, 24) == "irq_handler_exit: irq=24 ret=handled\n");
    CHECK(event_of(hrtimer_expire_entry, 0xbeef) ==
          "hrtimer_expire_entry: hrtimer=000000000000beef function=tick_sched_timer "
          "now=153042137500\n");
    CHECK(event_of(timer_expire_entry, 4'294'905'558) ==
          "timer_expire_entry: timer=0000000000000001 function=tick_sched_timer "
          "now=4294905558 baseclk=4294905558\n");
    CHECK(event_of(tick_stop, 1) == "tick_stop: success=1 dependency=NONE\n");
    CHECK(event_of(ipi_send_cpu, 3, 1) ==
          "ipi_send_cpu: cpu=3 callsite=ttwu_queue_wakelist "
          "callback=generic_smp_call_function_single_interrupt\n");
    CHECK(event_of(sched_waking, 0, 3) ==
          "sched_waking: comm=worker pid=1201 prio=120 target_cpu=003\n");
    CHECK(event_of(sched_wakeup, 1, 3) ==
          "sched_wakeup: comm=a name of more  pid=1202 prio=49 target_cpu=003\n");
    CHECK(event_of(sched_wake_idle_without_ipi, 3) == "sched_wake_idle_without_ipi: cpu=3\n");
}

TEST_CASE("a switch names both tasks and what became of the first", "[output]") {
    CHECK(event_of(TraceEvent::sched_switch, kIdleTask, 0) ==
          "sched_switch: prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> "
          "next_comm=worker next_pid=1201 next_prio=120\n");
    CHECK(event_of(TraceEvent::sched_switch, 0, kIdleTask) ==
          "sched_switch: prev_comm=worker prev_pid=1201 prev_prio=120 prev_state=S ==> "
          "next_comm=swapper/2 next_pid=0 next_prio=120\n");
    TraceRecord preempted = record_of(TraceEvent::sched_switch, 0, 1);
    preempted.prev_runnable = true;
    CHECK(line_of(preempted).find("prev_state=R ==>") != std::string::npos);
}

TEST_CASE("a trace is written with the kernel's header, events by time", "[output]") {
    const ScratchFolder folder;
    Trace trace{2};
    trace.append({Time{Duration{0}}, 0, TraceEvent::cpu_idle_exit});
    trace.append({Time{Duration{0}}, 1, TraceEvent::cpu_idle, true, false, false, kIdleTask, 3});
    trace.append({Time{Duration{9'000'000}}, 0, TraceEvent::cpu_idle, true});
    trace.append({Time{Duration{5'000'000}}, 1, TraceEvent::cpu_idle_exit, true});
    write_ftrace(folder.path() / "trace.txt", trace);
    REQUIRE(
        folder.read("trace.txt") ==
        "# tracer: nop\n"
        "#\n"
        "# entries-in-buffer/entries-written: 4/4   #P:2\n"
        "#\n"
        "#                                _-----=> irqs-off/BH-disabled\n"
        "#                               / _----=> need-resched\n"
        "#                              | / _---=> hardirq/softirq\n"
        "#                              || / _--=> preempt-depth\n"
        "#                              ||| / _-=> migrate-disable\n"
        "#                              |||| /     delay\n"
        "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
        "#              | |         |   |||||     |         |\n"
        "          <idle>-0       [000] ...1.     0.000000: cpu_idle: state=4294967295 cpu_id=0\n"
        "          <idle>-0       [001] d..1.     0.000000: cpu_idle: state=3 cpu_id=1\n"
        "          <idle>-0       [001] d..1.     0.000005: cpu_idle: state=4294967295 cpu_id=1\n"
        "          <idle>-0       [000] d..1.     0.000009: cpu_idle: state=0 cpu_id=0\n");
}
