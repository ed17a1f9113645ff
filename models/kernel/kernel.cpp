// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace idlesim {

namespace {

constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

}  // namespace

Kernel::Kernel(Machine& machine, const KernelSpec& spec, const IdleStrategy& strategy)
    : machine_{machine},
      spec_{spec},
      rules_{rules_of(spec)},
      strategy_{strategy},
      cpus_(static_cast<std::size_t>(machine.platform().topology.cpus())) {
    const Duration period{kPicosecondsPerSecond / spec.hz};
    // Without skew_tick= the ticks of all CPUs coincide; where they fall is chance.
    RandomStream stream = machine.stream("tick.phase");
    const Duration phase = Distribution::uniform(Duration{0}, period).sample(stream);
    for (const int number : machine.cpu_numbers()) {
        auto cpu = std::make_unique<Cpu>(machine.cpu(number));
        cpu->tick = std::make_unique<Tick>(cpu->hardware, period, phase);
        cpus_[static_cast<std::size_t>(number)] = std::move(cpu);
    }
    idle_program_ = &machine.keep(idle_program());
    install_handlers();
}

Kernel::~Kernel() = default;

Kernel::Cpu& Kernel::of(const LogicalCpu& cpu) {
    return *cpus_[static_cast<std::size_t>(cpu.number())];
}

const IdleCounters& Kernel::idle_counters(int cpu) const {
    return cpus_.at(static_cast<std::size_t>(cpu))->counters;
}

Task& Kernel::add_task(std::string name, int cpu) {
    Task& task = tasks_.emplace_back();
    task.kernel = this;
    task.name = std::move(name);
    task.cpu = cpu;
    return task;
}

CrossCall& Kernel::add_function_call(int target, Effect function) {
    CrossCall& call = calls_.emplace_back();
    call.kernel = this;
    call.target = target;
    call.function = function;
    return call;
}

void Kernel::make_runnable(Task& task) {
    task.sleeping = false;
    of(machine_.cpu(task.cpu)).run_queue.push_back(&task);
}

void Kernel::set_peers(int cpu, int peer) {
    machine_.cpu(cpu).set_line_transfer(machine_.fabric().line_transfer(cpu, peer));
}

void Kernel::start() {
    for (Task& task : tasks_) {
        task.context.reset(*task.program);
    }
    for (const auto& cpu : cpus_) {
        if (cpu == nullptr) {
            continue;
        }
        cpu->idle.reset(*idle_program_);
        cpu->tick->restart();
        Context* first = &cpu->idle;
        if (!cpu->run_queue.empty()) {
            first = &cpu->run_queue.front()->context;
            cpu->run_queue.pop_front();
            cpu->is_idle = false;
        }
        cpu->hardware.start(*first);
    }
}

// Linux enqueues and marks the target for rescheduling; who does it, the waker or the target,
// is the wake-up path's business.
void Kernel::enqueue(Task& task, LogicalCpu& target) {
    task.sleeping = false;
    of(target).run_queue.push_back(&task);
}

void Kernel::wake_here(Task& task, LogicalCpu& cpu) {
    if (task.sleeping) {
        enqueue(task, cpu);
        cpu.set_need_resched_here();
    }
}

bool Kernel::pick_next(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    cpu.set_need_resched(false);
    state.is_idle = state.run_queue.empty();
    if (state.is_idle) {
        cpu.switch_to(state.idle);
    } else {
        cpu.switch_to(state.run_queue.front()->context);
        state.run_queue.pop_front();
    }
    return false;
}

void Kernel::emit_schedule(ProgramBuilder& b) {
    b.cli().effect(effect_of<&Kernel::pick_next>(this), 0, "schedule").sti();
}

}  // namespace idlesim
