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
        push(of(target), task);
        kick_full_dynticks(of(target));
    }
}

void Kernel::push(Cpu& state, Task& task) {
    state.run_queue.push_back(&task);
    ++waiting_tasks_;
}

Task* Kernel::pop(Cpu& state) {
    if (state.run_queue.empty()) {
        return nullptr;
    }
    Task* task = state.run_queue.front();
    state.run_queue.pop_front();
    --waiting_tasks_;
    return task;
}

bool Kernel::may_run(const Task& task, int cpu) {
    return task.allowed != nullptr &&
           std::binary_search(task.allowed->begin(), task.allowed->end(), cpu);
}

// What is measured of its wake-up goes with it.
void Kernel::move_first(Cpu& from, LogicalCpu& to) {
    Task& task = *pop(from);
    task.cpu = to.number();
    if (task.path != nullptr && from.hardware.carries(*task.path)) {
        from.hardware.detach(*task.path);
        to.attach(*task.path);
    }
    push(of(to), task);
}

// newidle_balance(): the longest queue of the cache gives one that may move.
void Kernel::pull_waiting(LogicalCpu& cpu) {
    Cpu* busiest = nullptr;
    for (const auto& other : cpus_) {
        const bool can_give = other != nullptr && !other->run_queue.empty() &&
                              machine_.fabric().distance(cpu.number(), other->hardware.number()) <=
                                  Distance::same_llc &&
                              may_run(*other->run_queue.front(), cpu.number());
        if (can_give &&
            (busiest == nullptr || other->run_queue.size() > busiest->run_queue.size())) {
            busiest = other.get();
        }
    }
    if (busiest != nullptr) {
        move_first(*busiest, cpu);
    }
}

// nohz_balancer_kick(): the first idle CPU takes what waits here.
void Kernel::push_waiting(LogicalCpu& cpu) {
    Cpu& state = of(cpu);
    Task& task = *state.run_queue.front();
    if (task.allowed == nullptr || !placement_->lets_balance()) {
        return;
    }
    const auto idle = std::find_if(task.allowed->begin(), task.allowed->end(), [this](int other) {
        return run_queues_->is_idle(other);
    });
    if (idle == task.allowed->end()) {
        return;
    }
    LogicalCpu& to = machine_.cpu(*idle);
    move_first(state, to);
    to.set_need_resched(true);
    if (to.polling()) {
        machine_.fabric().send_store(cpu, to, nullptr);
    } else {
        machine_.fabric().send_interrupt(cpu, to, kRescheduleVector, nullptr);
    }
}

bool Kernel::pick_next(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    cpu.set_need_resched(false);
    if (state.current != nullptr && !state.current->sleeping) {
        push(state, *state.current);
    }
    if (state.run_queue.empty() && waiting_tasks_ > 0 && placement_->lets_balance()) {
        pull_waiting(cpu);
    }
    Task* next = state.is_injecting ? nullptr : pop(state);
    state.is_idle = next == nullptr;
    if (trace_) {
        trace_->switches(cpu, next);
    }
    state.current = next;
    state.slice_from = cpu.now();
    cpu.switch_to(next == nullptr ? state.idle : next->context);
    return false;
}

// task_tick_fair(): somebody waits; where nobody else has time for it, the slice may be over.
void Kernel::end_slice(LogicalCpu& cpu) {
    const Cpu& state = of(cpu);
    if (state.is_idle || state.run_queue.empty()) {
        return;
    }
    push_waiting(cpu);
    if (!state.run_queue.empty() && cpu.now() - state.slice_from >= kTimeSlice) {
        cpu.set_need_resched(true);
    }
}

}  // namespace idlesim
