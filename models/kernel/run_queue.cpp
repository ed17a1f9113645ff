// SPDX-License-Identifier: Apache-2.0
// Run queues: first come, first served, with a time slice; a woken task runs before the one that
// its CPU was busy with, which goes to the end of the queue (kernel/sched/{core,fair}.c, 6.3,
// without weights, and without balancing between CPUs: a task moves only when it wakes).
#include "models/kernel/run_queues.hpp"

namespace idlesim {

namespace {

using namespace std::chrono_literals;

// sysctl_sched_min_granularity, 0.75 ms, on eight CPUs or more (kernel/sched/fair.c, 6.3).
constexpr Duration kTimeSlice = 3ms;

}  // namespace

void Kernel::set_placement(std::unique_ptr<Placement> placement) {
    placement_ = std::move(placement);
}

void Kernel::place(Task& task, const LogicalCpu& waker) {
    // One that is still on its way to sleep is on its run queue and stays there (ttwu_runnable()).
    if (task.allowed != nullptr && cpus_[static_cast<std::size_t>(task.cpu)]->current != &task) {
        task.cpu = placement_->select(
            {task.cpu, waker.number(), task.allowed}, *run_queues_, placement_luck_);
    }
}

// Linux enqueues and marks the target for rescheduling; who does it, the waker or the target,
// is the wake-up path's business. A task that has not given up its CPU yet just stays on it.
void Kernel::enqueue(Task& task, LogicalCpu& target) {
    task.sleeping = false;
    if (of(target).current != &task) {
        of(target).run_queue.push_back(&task);
    }
}

bool Kernel::pick_next(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    cpu.set_need_resched(false);
    if (state.current != nullptr && !state.current->sleeping) {
        state.run_queue.push_back(state.current);
    }
    Task* next = state.run_queue.empty() ? nullptr : state.run_queue.front();
    state.is_idle = next == nullptr;
    if (trace_) {
        trace_->switches(cpu, next);
    }
    state.current = next;
    state.slice_from = cpu.now();
    if (next == nullptr) {
        cpu.switch_to(state.idle);
    } else {
        state.run_queue.pop_front();
        cpu.switch_to(next->context);
    }
    return false;
}

// task_tick_fair(): the slice is over and somebody waits.
void Kernel::end_slice(LogicalCpu& cpu) {
    const Cpu& state = of(cpu);
    if (!state.is_idle && !state.run_queue.empty() && cpu.now() - state.slice_from >= kTimeSlice) {
        cpu.set_need_resched(true);
    }
}

}  // namespace idlesim
