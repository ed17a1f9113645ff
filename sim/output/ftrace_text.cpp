// SPDX-License-Identifier: Apache-2.0
#include "sim/output/ftrace_text.hpp"

#include "sim/engine/check.hpp"
#include "sim/output/atomic_file.hpp"

#include <array>
#include <iterator>
#include <string>
#include <string_view>

namespace idlesim {
namespace {

/// The state in a cpu_idle event that means "left": PWR_EVENT_EXIT, -1 in 32 bits.
constexpr std::uint32_t kIdleExit = 0xffffffff;

// Vectors of Linux 6.3, arch/x86/include/asm/irq_vectors.h.
constexpr int kLocalTimerVector = 0xec;
constexpr int kRescheduleVector = 0xfd;
constexpr int kCallFunctionSingleVector = 0xfb;

/// In the order of TraceEvent.
constexpr std::array<std::string_view, 19> kEventNames{"cpu_idle",
                                                       "cpu_idle",
                                                       "cpu_idle_miss",
                                                       "local_timer_entry",
                                                       "local_timer_exit",
                                                       "reschedule_entry",
                                                       "reschedule_exit",
                                                       "call_function_single_entry",
                                                       "call_function_single_exit",
                                                       "irq_handler_entry",
                                                       "irq_handler_exit",
                                                       "hrtimer_expire_entry",
                                                       "timer_expire_entry",
                                                       "tick_stop",
                                                       "ipi_send_cpu",
                                                       "sched_waking",
                                                       "sched_wakeup",
                                                       "sched_switch",
                                                       "sched_wake_idle_without_ipi"};

/// TASK_COMM_LEN is 16 with the final zero.
constexpr std::size_t kLongestComm = 15;

template <class... Values>
void print(fmt::memory_buffer& out,
           fmt::format_string<const Values&...> format,
           const Values&... values) {
    fmt::format_to(std::back_inserter(out), format, values...);
}

// The flags mean: interrupts off, a task switch is due, where the CPU is, how often preemption was
// disabled, how often migration was. The idle task runs with preemption disabled once, a switch
// disables it and holds the run queue's lock: what traces of real machines show.
void print_flags(fmt::memory_buffer& out, const TraceRecord& record) {
    out.push_back(record.interrupts_off ? 'd' : '.');
    out.push_back(record.need_resched ? 'N' : '.');
    out.push_back(record.in_interrupt ? 'h' : '.');
    out.push_back(record.event == TraceEvent::sched_switch ? '2'
                  : record.task == kIdleTask               ? '1'
                                                           : '.');
    out.push_back('.');
}

/// A task as trace points see it; the idle task of `cpu` for kIdleTask.
struct NamedTask {
    NamedTask(const Trace& trace, std::int64_t index, int cpu) {
        if (index == kIdleTask) {
            name = fmt::format("swapper/{}", cpu);
            return;
        }
        IDLESIM_CHECK(index >= 0 && index < std::ssize(trace.tasks()),
                      "a trace record names a task that was added");
        const TraceTask& task = trace.tasks()[static_cast<std::size_t>(index)];
        name = task.name.substr(0, kLongestComm);
        pid = task.pid;
        priority = task.priority;
    }

    std::string name;
    int pid = 0;
    int priority = 120;
};

void print_context(fmt::memory_buffer& out, const Trace& trace, const TraceRecord& record) {
    const NamedTask task{trace, record.task, record.cpu};
    // In this column alone the idle task has another name.
    const std::string_view name = record.task == kIdleTask ? "<idle>" : std::string_view{task.name};
    print(out, "{:>16}-{:<7} [{:03}] ", name, task.pid, record.cpu);
    print_flags(out, record);
    // The trace clock counts nanoseconds; ns2usecs() rounds them, halves up.
    const std::int64_t nanoseconds = record.at.time_since_epoch().count() / 1000;
    const std::int64_t microseconds = (nanoseconds + 500) / 1000;
    print(out, " {:5}.{:06}: ", microseconds / 1'000'000, microseconds % 1'000'000);
}

void print_irq(fmt::memory_buffer& out, const Trace& trace, std::int64_t number) {
    const auto name = trace.irq_names().find(static_cast<int>(number));
    if (name != trace.irq_names().end()) {
        print(out, "irq={} name={}", number, name->second);
    } else {
        print(out, "irq={} name=irq{}", number, number);
    }
}

const std::string& function_of(const Trace& trace, const TraceRecord& record) {
    IDLESIM_CHECK(record.b >= 0 && record.b < std::ssize(trace.functions()),
                  "a trace record names a function that was added");
    return trace.functions()[static_cast<std::size_t>(record.b)];
}

// A reschedule interrupt has no callback, a function call has the one of the whole queue.
void print_ipi(fmt::memory_buffer& out, const TraceRecord& record) {
    const bool reschedule = record.b == 0;
    print(out,
          "cpu={} callsite={} callback={}",
          record.a,
          reschedule ? "resched_curr" : "ttwu_queue_wakelist",
          reschedule ? "0x0" : "generic_smp_call_function_single_interrupt");
}

void print_wake(fmt::memory_buffer& out, const Trace& trace, const TraceRecord& record) {
    const NamedTask task{trace, record.a, static_cast<int>(record.b)};
    print(out,
          "comm={} pid={} prio={} target_cpu={:03}",
          task.name,
          task.pid,
          task.priority,
          record.b);
}

// A task that goes to sleep shows S; the idle task always wants to run.
void print_switch(fmt::memory_buffer& out, const Trace& trace, const TraceRecord& record) {
    const NamedTask prev{trace, record.a, record.cpu};
    const NamedTask next{trace, record.b, record.cpu};
    const bool runnable = record.prev_runnable || record.a == kIdleTask;
    print(out,
          "prev_comm={} prev_pid={} prev_prio={} prev_state={} ==> "
          "next_comm={} next_pid={} next_prio={}",
          prev.name,
          prev.pid,
          prev.priority,
          runnable ? 'R' : 'S',
          next.name,
          next.pid,
          next.priority);
}

void print_fields(fmt::memory_buffer& out, const Trace& trace, const TraceRecord& record) {
    switch (record.event) {
        case TraceEvent::cpu_idle:
            return print(out, "state={} cpu_id={}", record.a, record.cpu);
        case TraceEvent::cpu_idle_exit:
            return print(out, "state={} cpu_id={}", kIdleExit, record.cpu);
        case TraceEvent::cpu_idle_miss:
            return print(out,
                         "cpu_id={} state={} type={}",
                         record.cpu,
                         record.a,
                         record.b == 0 ? "above" : "below");
        case TraceEvent::local_timer_entry:
        case TraceEvent::local_timer_exit:
            return print(out, "vector={}", kLocalTimerVector);
        case TraceEvent::reschedule_entry:
        case TraceEvent::reschedule_exit:
            return print(out, "vector={}", kRescheduleVector);
        case TraceEvent::call_function_single_entry:
        case TraceEvent::call_function_single_exit:
            return print(out, "vector={}", kCallFunctionSingleVector);
        case TraceEvent::irq_handler_entry:
            return print_irq(out, trace, record.a);
        case TraceEvent::irq_handler_exit:
            return print(out, "irq={} ret=handled", record.a);
        case TraceEvent::hrtimer_expire_entry:
            return print(out,
                         "hrtimer={:016x} function={} now={}",
                         record.a,
                         function_of(trace, record),
                         record.at.time_since_epoch().count() / 1000);
        case TraceEvent::timer_expire_entry:
            return print(out,
                         "timer={:016x} function={} now={} baseclk={}",
                         record.b + 1,
                         function_of(trace, record),
                         record.a,
                         record.a);
        case TraceEvent::tick_stop:
            return print(out, "success={} dependency=NONE", record.a);
        case TraceEvent::ipi_send_cpu:
            return print_ipi(out, record);
        case TraceEvent::sched_waking:
        case TraceEvent::sched_wakeup:
            return print_wake(out, trace, record);
        case TraceEvent::sched_switch:
            return print_switch(out, trace, record);
        case TraceEvent::sched_wake_idle_without_ipi:
            return print(out, "cpu={}", record.a);
    }
    IDLESIM_CHECK(false, "every trace event has a text form");
}

// Nothing is ever lost from a simulated buffer: as many entries in it as were written.
void print_header(fmt::memory_buffer& out, const Trace& trace) {
    const std::size_t entries = trace.records().size();
    print(out,
          "# tracer: nop\n#\n# entries-in-buffer/entries-written: {}/{}   #P:{}\n#\n",
          entries,
          entries,
          trace.cpus());
    print(out,
          "#                                _-----=> irqs-off/BH-disabled\n"
          "#                               / _----=> need-resched\n"
          "#                              | / _---=> hardirq/softirq\n"
          "#                              || / _--=> preempt-depth\n"
          "#                              ||| / _-=> migrate-disable\n"
          "#                              |||| /     delay\n"
          "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
          "#              | |         |   |||||     |         |\n");
}

}  // namespace

void append_ftrace_line(fmt::memory_buffer& out, const Trace& trace, const TraceRecord& record) {
    print_context(out, trace, record);
    print(out, "{}: ", kEventNames.at(static_cast<std::size_t>(record.event)));
    print_fields(out, trace, record);
    out.push_back('\n');
}

void write_ftrace(const std::filesystem::path& path, const Trace& trace) {
    AtomicFile file{path};
    fmt::memory_buffer text;
    print_header(text, trace);
    file.write({text.data(), text.size()});
    for (const TraceRecord& record : trace.records_by_time()) {
        text.clear();
        append_ftrace_line(text, trace, record);
        file.write({text.data(), text.size()});
    }
    file.commit();
}

}  // namespace idlesim
