// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/attribution.hpp"
#include "models/cpu/logical_cpu.hpp"
#include "models/cpu/program.hpp"

#include <string>

namespace idlesim {

class Kernel;

/// A thread: a program, where it stands, and the CPU that it is bound to.
struct Task {
    Kernel* kernel = nullptr;
    std::string name;
    int cpu = 0;
    const Program* program = nullptr;
    Context context;
    bool sleeping = true;
    /// The measured event that follows a wake-up of this task, or nullptr.
    Attribution* path = nullptr;
};

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

}  // namespace idlesim
