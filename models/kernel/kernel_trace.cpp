// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel_trace.hpp"

#include "models/kernel/task.hpp"

namespace idlesim {

namespace {

// The first user process of a quiet machine has a number about here.
constexpr int kFirstPid = 1000;

}  // namespace

int KernelTrace::index_of(const Task* task) {
    if (task == nullptr) {
        return kIdleTask;
    }
    const auto found = tasks_.find(task);
    if (found != tasks_.end()) {
        return found->second;
    }
    const int index =
        trace_.add_task({kFirstPid + static_cast<int>(tasks_.size()), task->name, 120});
    tasks_.emplace(task, index);
    return index;
}

void KernelTrace::record(LogicalCpu& cpu, TraceEvent event, std::int64_t a, std::int64_t b) {
    TraceRecord record;
    record.at = cpu.now();
    record.cpu = cpu.number();
    record.event = event;
    record.interrupts_off = !cpu.interrupts_enabled();
    record.in_interrupt = cpu.in_handler();
    record.need_resched = cpu.need_resched();
    record.task = index_of(current_[static_cast<std::size_t>(cpu.number())]);
    record.a = a;
    record.b = b;
    trace_.append(record);
}

void KernelTrace::waking(LogicalCpu& cpu, const Task& task) {
    record(cpu, TraceEvent::sched_waking, index_of(&task), task.cpu);
}

void KernelTrace::woken(LogicalCpu& cpu, const Task& task) {
    record(cpu, TraceEvent::sched_wakeup, index_of(&task), task.cpu);
}

void KernelTrace::switches(LogicalCpu& cpu, const Task* next) {
    const Task*& current = current_[static_cast<std::size_t>(cpu.number())];
    if (current != next) {
        record(cpu, TraceEvent::sched_switch, index_of(current), index_of(next));
        current = next;
    }
}

int KernelTrace::add_irq(const std::string& name) {
    trace_.name_irq(next_irq_, name);
    return next_irq_++;
}

int KernelTrace::add_function(const std::string& name) {
    const auto found = functions_.find(name);
    if (found != functions_.end()) {
        return found->second;
    }
    return functions_.emplace(name, trace_.add_function(name)).first->second;
}

}  // namespace idlesim
