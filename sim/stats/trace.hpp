// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {

/// The kernel's trace points that a run can record, under the kernel's names; cpu_idle_exit is its
/// cpu_idle with the state that stands for "left". What `a` and `b` of a TraceRecord mean:
///
/// | event                        | a                          | b                               |
/// |------------------------------|----------------------------|---------------------------------|
/// | cpu_idle                     | index of the state entered | -                               |
/// | cpu_idle_miss                | index of the state left    | 0 above, 1 below                |
/// | irq_handler_entry, _exit     | interrupt number           | -                               |
/// | hrtimer_expire_entry         | which timer, any number    | index of its function           |
/// | timer_expire_entry           | jiffies                    | index of its function           |
/// | tick_stop                    | 1 stopped, 0 kept          | -                               |
/// | ipi_send_cpu                 | CPU that it goes to        | 0 reschedule, 1 function call   |
/// | sched_waking, sched_wakeup   | index of the woken task    | CPU that it is to run on        |
/// | sched_switch                 | index of the task before   | index of the task after         |
/// | sched_wake_idle_without_ipi  | CPU that is woken          | -                               |
/// | all others                   | -                          | -                               |
enum class TraceEvent : std::uint8_t {
    cpu_idle,
    cpu_idle_exit,
    cpu_idle_miss,
    local_timer_entry,
    local_timer_exit,
    reschedule_entry,
    reschedule_exit,
    call_function_single_entry,
    call_function_single_exit,
    irq_handler_entry,
    irq_handler_exit,
    hrtimer_expire_entry,
    timer_expire_entry,
    tick_stop,
    ipi_send_cpu,
    sched_waking,
    sched_wakeup,
    sched_switch,
    sched_wake_idle_without_ipi,
};

/// Stands for the idle task of a CPU wherever the index of a task is meant.
inline constexpr int kIdleTask = -1;

struct TraceTask {
    int pid = 0;
    std::string name;
    int priority = 120;  ///< as the kernel prints it: 120 is nice 0, below 100 is real time
};

/// What one CPU recorded, and the state it was in when it did.
struct TraceRecord {
    Time at{};
    int cpu = 0;
    TraceEvent event = TraceEvent::cpu_idle;
    bool interrupts_off = false;
    bool in_interrupt = false;
    bool need_resched = false;
    int task = kIdleTask;  ///< index of the task that runs
    std::int64_t a = 0;
    std::int64_t b = 0;
    bool prev_runnable = false;  ///< sched_switch: the task before still wants to run
};

/// A kernel trace of one run, with the names of what its records mention. Records may come in any
/// order: a CPU that runs ahead of the others appends early. A trace that is to be read by tools
/// starts with what each CPU was doing, one cpu_idle or cpu_idle_exit per CPU.
class Trace {
public:
    explicit Trace(int cpus = 0) : cpus_{cpus} {}

    void append(const TraceRecord& record) { records_.push_back(record); }

    /// Returns the index of the task.
    int add_task(TraceTask task) {
        tasks_.push_back(std::move(task));
        return static_cast<int>(tasks_.size()) - 1;
    }

    /// A function that timers call; returns its index.
    int add_function(std::string name) {
        functions_.push_back(std::move(name));
        return static_cast<int>(functions_.size()) - 1;
    }

    void name_irq(int number, std::string name) { irq_names_[number] = std::move(name); }

    /// CPUs of the machine, whether they recorded anything or not.
    [[nodiscard]] int cpus() const { return cpus_; }

    /// In the order in which they were appended.
    [[nodiscard]] const std::vector<TraceRecord>& records() const { return records_; }

    /// By time; at the same time in the order in which they were appended.
    [[nodiscard]] std::vector<TraceRecord> records_by_time() const;

    [[nodiscard]] const std::vector<TraceTask>& tasks() const { return tasks_; }

    [[nodiscard]] const std::vector<std::string>& functions() const { return functions_; }

    [[nodiscard]] const std::map<int, std::string>& irq_names() const { return irq_names_; }

private:
    int cpus_;
    std::vector<TraceRecord> records_;
    std::vector<TraceTask> tasks_;
    std::vector<std::string> functions_;
    std::map<int, std::string> irq_names_;
};

}  // namespace idlesim
