// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/kernel_spec.hpp"
#include "models/kernel/task.hpp"
#include "models/kernel/tick.hpp"
#include "models/machine.hpp"
#include "models/strategy/idle_strategy.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace idlesim {

/// What the idle loop counts per CPU and state, with the meaning of the sysfs files of the same
/// names (`usage`, `time`).
struct IdleCounters {
    std::uint64_t usage = 0;
    Duration time{};
};

/// The parts of Linux between an interrupt and the task that it wakes: run queues of the CPUs
/// that take part, remote wake-ups and cross calls, the tick, the idle loop, the handlers. Writes
/// the programs that the CPUs execute; the effects in them act on its state.
/// Source: kernel/sched/{core,idle}.c, kernel/smp.c, kernel/time/tick-sched.c of 6.3, with
/// the differences of other versions under KernelRules.
class Kernel {
public:
    /// `machine` and `strategy` must outlive the kernel.
    Kernel(Machine& machine, const KernelSpec& spec, const IdleStrategy& strategy);
    Kernel(const Kernel&) = delete;
    Kernel(Kernel&&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    Kernel& operator=(Kernel&&) = delete;
    ~Kernel();

    [[nodiscard]] Machine& machine() { return machine_; }

    [[nodiscard]] const KernelRules& rules() const { return rules_; }

    /// A task bound to `cpu`, asleep until start() or a wake-up; its program is set by the caller.
    Task& add_task(std::string name, int cpu);

    /// A cross call that programs can send.
    CrossCall& add_function_call(int target, Effect function);

    /// Starts all CPUs: those with runnable tasks run them, the others go idle.
    void start();

    /// Makes a task runnable before start().
    void make_runnable(Task& task);

    /// `cpu` works with `peer` from now on: its lines come from there.
    void set_peers(int cpu, int peer);

    /// A vector that no other device has.
    [[nodiscard]] Vector allocate_vector() { return next_vector_++; }

    // Fragments that programs of tasks are made of.

    /// try_to_wake_up() of `task` once the caller's own work up to it is done (W1 and W2 of the
    /// wake-up paths): by a store where the target polls its flags, by an IPI otherwise.
    void emit_wake(ProgramBuilder&, Task& task);

    /// smp_call_function_single(): queues the call and kicks the target if its queue was empty.
    void emit_call(ProgramBuilder&, CrossCall& call);

    /// Queues the call and sends the interrupt whatever the target's flags say.
    void emit_call_by_interrupt(ProgramBuilder&, CrossCall& call);

    /// Gives up the CPU; the task goes on behind this point when it runs again.
    void emit_schedule(ProgramBuilder&);

    /// The handler of a device or timer interrupt: entry, what `body` writes, exit with
    /// softirqs, IRET. A measured event that collides with it sees one step of its name.
    template <class Body>
    Program interrupt_program(const std::string& name, Body body) {
        ProgramBuilder b = machine_.program(name);
        b.attribute_to(name);
        begin_interrupt(b, true);
        body(b);
        end_interrupt(b);
        return b.finish();
    }

    /// A handler on `cpu` wakes a task that is bound to it; nothing happens when it is awake.
    void wake_here(Task& task, LogicalCpu& cpu);

    /// Puts the calling task to sleep at the next schedule(); it must be woken after this.
    static void sleep(Task& task) { task.sleeping = true; }

    [[nodiscard]] const IdleCounters& idle_counters(int cpu) const;

    [[nodiscard]] const IdleStrategy& strategy() const { return strategy_; }

private:
    struct Cpu;

    [[nodiscard]] Cpu& of(const LogicalCpu& cpu);
    [[nodiscard]] bool uses_wake_list(const LogicalCpu& waker, const Task& task) const;

    void begin_interrupt(ProgramBuilder&, bool enters_from_idle);
    void end_interrupt(ProgramBuilder&);
    void emit_idle_loop(ProgramBuilder&);
    void emit_flush(ProgramBuilder&);
    Program idle_program();
    Program reschedule_program();
    Program call_function_program();
    Program tick_program();
    Program nmi_program();
    void install_handlers();
    void enqueue(Task& task, LogicalCpu& target);

    // Effects of idle_loop.cpp.
    bool tick_runs(LogicalCpu&, std::uint64_t);
    bool keeps_tick(LogicalCpu&, std::uint64_t);
    bool stop_tick(LogicalCpu&, std::uint64_t);
    bool restart_tick(LogicalCpu&, std::uint64_t);
    bool idle_begins(LogicalCpu&, std::uint64_t);
    bool idle_ends(LogicalCpu&, std::uint64_t);
    bool pick_next(LogicalCpu&, std::uint64_t);
    bool tick_hits(LogicalCpu&, std::uint64_t);
    bool queue_is_empty(LogicalCpu&, std::uint64_t);
    bool front_is_function(LogicalCpu&, std::uint64_t);
    bool run_wake(LogicalCpu&, std::uint64_t);
    bool run_function(LogicalCpu&, std::uint64_t);

    Machine& machine_;
    KernelSpec spec_;
    KernelRules rules_;
    const IdleStrategy& strategy_;
    std::vector<std::unique_ptr<Cpu>> cpus_;  // [CPU number], nullptr where it takes no part
    std::deque<Task> tasks_;
    std::deque<CrossCall> calls_;
    const Program* idle_program_ = nullptr;
    Vector next_vector_ = kFirstDeviceVector;

    friend struct WakeEffects;
};

/// Per-CPU state of the kernel.
struct Kernel::Cpu {
    explicit Cpu(LogicalCpu& hardware_cpu) : hardware{hardware_cpu} {}

    LogicalCpu& hardware;
    Context idle;
    bool is_idle = true;
    std::deque<Task*> run_queue;
    std::deque<CrossCall*> call_queue;
    std::unique_ptr<Tick> tick;
    Time idle_since{};
    IdleCounters counters;
};

}  // namespace idlesim
