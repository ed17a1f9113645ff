// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/attribution.hpp"
#include "models/cpu/logical_cpu.hpp"
#include "models/cpu/program.hpp"

#include <string>
#include <vector>

namespace idlesim {

class Kernel;

struct Task;

/// A function for another CPU to run (smp_call_function_single), or a task for it to enqueue.
struct CrossCall {
    enum class Kind : std::uint8_t { function, wake };

    Kind kind = Kind::function;
    int target = 0;
    /// kind wake: the task to enqueue.
    Task* task = nullptr;
    /// kind function: what to call on the target, in interrupt or idle context.
    Effect function;
    /// The measured event that travels with the call, or nullptr.
    Attribution* path = nullptr;
    Kernel* kernel = nullptr;
};

/// A thread: a program, where it stands, and the CPU that it is on.
struct Task {
    Kernel* kernel = nullptr;
    std::string name;
    int cpu = 0;
    /// CPUs that it may be moved to when it wakes, rising; nullptr: it is bound to `cpu`.
    const std::vector<int>* allowed = nullptr;
    const Program* program = nullptr;
    Context context;
    bool sleeping = true;
    /// The measured event that follows a wake-up of this task, or nullptr.
    Attribution* path = nullptr;
    /// The wake-up while `cpu` has not enqueued it yet.
    CrossCall wake_call;
};

/// A place in a program that wakes a task: always the same one, or whichever its CPU has chosen.
class WakeSite {
public:
    explicit WakeSite(Task& task) : fixed_{&task} {}

    explicit WakeSite(int cpus) : chosen_(static_cast<std::size_t>(cpus)) {}

    /// An effect before the wake-up, on the same CPU.
    void choose(const LogicalCpu& cpu, Task& task) {
        chosen_[static_cast<std::size_t>(cpu.number())] = &task;
    }

    [[nodiscard]] Task& task(const LogicalCpu& cpu) const {
        return fixed_ != nullptr ? *fixed_ : *chosen_[static_cast<std::size_t>(cpu.number())];
    }

    [[nodiscard]] bool may_move() const { return fixed_ == nullptr || fixed_->allowed != nullptr; }

private:
    Task* fixed_ = nullptr;
    std::vector<Task*> chosen_;  // [CPU]
};

}  // namespace idlesim
