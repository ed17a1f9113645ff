// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/cpuidle_device.hpp"
#include "models/kernel/idle_watch.hpp"
#include "models/kernel/kernel_spec.hpp"
#include "models/kernel/kernel_trace.hpp"
#include "models/kernel/registered_state.hpp"
#include "models/kernel/spec_ctrl_guard.hpp"
#include "models/kernel/task.hpp"
#include "models/kernel/tick.hpp"
#include "models/kernel/timers.hpp"
#include "models/kernel/wake_causes.hpp"
#include "models/machine.hpp"
#include "models/placement/placement.hpp"
#include "models/run_result.hpp"
#include "models/strategy/idle_strategy.hpp"

#include <cstdint>
#include <deque>
#include <functional>
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

/// The cpuidle driver of a run: its states, and who chooses among them.
struct Cpuidle {
    std::vector<RegisteredState> states;  ///< empty: no driver
    std::function<std::unique_ptr<Governor>()> make_governor;
};

/// The parts of Linux between an interrupt and the task that it wakes: run queues of the CPUs
/// that take part, remote wake-ups and cross calls, the tick, the idle loop, the handlers. Writes
/// the programs that the CPUs execute; the effects in them act on its state.
/// Source: kernel/sched/{core,idle}.c, kernel/smp.c, kernel/time/tick-sched.c of 6.3, with
/// the differences of other versions under KernelRules.
class Kernel {
public:
    /// `machine` and `strategy`, which serves where there is no cpuidle driver, must outlive the
    /// kernel.
    Kernel(Machine& machine,
           const KernelSpec& spec,
           const IdleStrategy& strategy,
           Cpuidle cpuidle = {});
    Kernel(const Kernel&) = delete;
    Kernel(Kernel&&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    Kernel& operator=(Kernel&&) = delete;
    ~Kernel();

    [[nodiscard]] Machine& machine() { return machine_; }

    [[nodiscard]] const KernelRules& rules() const { return rules_; }

    /// A task bound to `cpu`, asleep until start() or a wake-up; its program is set by the caller.
    Task& add_task(std::string name, int cpu);

    /// A task that begins on `cpu`, one of `allowed`, and may be moved when it wakes.
    Task& add_task(std::string name, int cpu, const std::vector<int>& allowed);

    /// Who places woken tasks that may move. Before start(); the kernel's own rule otherwise.
    void set_placement(std::unique_ptr<Placement> placement);

    /// A cross call that programs can send.
    CrossCall& add_function_call(int target, Effect function);

    /// A probe of a measuring tool at both cpu_idle tracepoints, which takes the cost of that name.
    /// Before build().
    void set_idle_hook(std::string cost) { idle_hook_ = std::move(cost); }

    /// Records a trace from the start on. Before build().
    void enable_trace();

    /// Follows the idle intervals of a CPU that takes part and has a cpuidle driver. Before
    /// start().
    void watch(const IdleQuestion& question);

    /// Writes down what wakes the CPUs, which all take their shallowest state that sleeps. `log`
    /// must outlive the kernel. Before start().
    void record_wakes(WakeLog& log) { recorded_wakes_ = &log; }

    /// Tells the governors what will wake their CPUs. Before start().
    void give_foresight(const WakeLog& log);

    [[nodiscard]] bool governor_needs_foresight() const;

    /// nullptr where nothing is watched.
    [[nodiscard]] const IdleWatch* watched() const { return watch_.get(); }

    /// nullptr where none is recorded.
    [[nodiscard]] const Trace* trace() const { return trace_ ? &trace_->trace() : nullptr; }

    /// Writes the programs of idle loop and handlers; start() does it where nobody has.
    void build();

    /// Starts all CPUs: those with runnable tasks run them, the others go idle.
    void start();

    /// Makes a task runnable before start().
    void make_runnable(Task& task);

    /// `cpu` works with `peer` from now on: its lines come from there.
    void set_peers(int cpu, int peer);

    /// A vector that no other device has.
    [[nodiscard]] Vector allocate_vector() { return next_vector_++; }

    // Fragments that programs of tasks are made of.

    /// The first thing that a task does: interrupts come on, and it goes to user mode.
    void emit_task_begin(ProgramBuilder&);

    /// From user mode into the kernel, and back. Cost nothing of their own but the writes of
    /// SPEC_CTRL that a kernel with legacy IBRS makes (arch/x86/entry/calling.h, 6.3).
    void emit_kernel_entry(ProgramBuilder&);
    void emit_user_return(ProgramBuilder&);

    /// The same three for programs that do little but call the kernel: only under kernel IBRS do
    /// they have a user mode, elsewhere these are nothing.
    void emit_guarded_begin(ProgramBuilder&);
    void emit_guarded_entry(ProgramBuilder&);
    void emit_guarded_return(ProgramBuilder&);

    /// try_to_wake_up() of `task` once the caller's own work up to it is done (W1 and W2 of the
    /// wake-up paths): by a store where the target polls its flags, by an IPI otherwise.
    void emit_wake(ProgramBuilder&, Task& task);

    /// The same for whichever task an effect before it has chosen.
    void emit_wake(ProgramBuilder&, WakeSite& site);

    /// A place that wakes a task of the CPU's choice.
    WakeSite& add_wake_site();

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
        emit_device_handler(b, body);
        return b.finish();
    }

    /// The same where the interrupt is what is measured: each step under its own name.
    template <class Body>
    Program measured_interrupt_program(const std::string& name, Body body) {
        ProgramBuilder b = machine_.program(name);
        emit_device_handler(b, body);
        return b.finish();
    }

    /// A handler on `cpu` wakes a task that is bound to it; nothing happens when it is awake.
    void wake_here(Task& task, LogicalCpu& cpu);

    /// The timers of a CPU that takes part.
    [[nodiscard]] CpuTimers& timers(int cpu);

    /// hrtimer_start() in a program: calls `arm`, which starts a timer of the own CPU and returns
    /// whether the clock event stays as it is (CpuTimers::start, negated).
    void emit_timer_start(ProgramBuilder&, Effect arm);

    /// mod_timer() on the own CPU: expires in the first tick `delay` from now or later.
    void add_wheel_timer(LogicalCpu& cpu, WheelTimer& timer, Duration delay);

    /// Puts the calling task to sleep at the next schedule(); it must be woken after this.
    static void sleep(Task& task) { task.sleeping = true; }

    [[nodiscard]] const IdleCounters& idle_counters(int cpu) const;

    /// The registered states; empty without a cpuidle driver.
    [[nodiscard]] const std::vector<RegisteredState>& idle_states() const {
        return cpuidle_.states;
    }

    /// What ended the idle intervals, by CPU.
    [[nodiscard]] std::vector<WakeRow> wakes() const;

    /// nullptr without a cpuidle driver.
    [[nodiscard]] const CpuidleDevice* cpuidle_device(int cpu) const;

    /// What went wrong, in the order of its discovery; the first of each kind and a count.
    [[nodiscard]] const Findings& findings() const { return findings_; }

    void report(Finding finding) { findings_.add(std::move(finding)); }

    /// Lateness of timers of the wheel that were late by more than a tick.
    [[nodiscard]] const std::vector<Duration>& late_timers() const { return late_timers_; }

    [[nodiscard]] std::uint64_t wheel_timers_run() const { return wheel_timers_run_; }

    [[nodiscard]] const IdleStrategy& strategy() const { return strategy_; }

private:
    struct Cpu;

    class RunQueues;

    [[nodiscard]] Cpu& of(const LogicalCpu& cpu);
    void place(Task& task, const LogicalCpu& waker);
    void end_slice(LogicalCpu& cpu);
    void push(Cpu& state, Task& task);
    Task* pop(Cpu& state);
    void move_first(Cpu& from, LogicalCpu& to);
    void pull_waiting(LogicalCpu& cpu);
    void push_waiting(LogicalCpu& cpu);
    [[nodiscard]] static bool may_run(const Task& task, int cpu);
    [[nodiscard]] bool uses_wake_list(const LogicalCpu& waker, const Task& task) const;

    template <class Body>
    void emit_device_handler(ProgramBuilder& b, Body body) {
        const int irq = trace_ ? trace_->add_irq(b.name()) : 0;
        begin_interrupt(b, true);
        trace_point(b, TraceEvent::irq_handler_entry, irq);
        body(b);
        trace_point(b, TraceEvent::irq_handler_exit, irq);
        end_interrupt(b);
    }

    /// An operation that records the event, where a trace is wanted.
    void trace_point(ProgramBuilder&, TraceEvent, int argument = 0);

    [[nodiscard]] bool has_cpuidle() const { return !cpuidle_.states.empty(); }

    [[nodiscard]] bool table_polls(int state) const {
        return cpuidle_.states[static_cast<std::size_t>(state)].declared.polling;
    }

    void begin_interrupt(ProgramBuilder&,
                         bool enters_from_idle,
                         ProbePoint at_entry = ProbePoint::handler_entry);
    void end_interrupt(ProgramBuilder&, ProbePoint at_return = ProbePoint::none);
    void emit_exit_to_user(ProgramBuilder&);
    void emit_idle_loop(ProgramBuilder&);
    void emit_default_idle(ProgramBuilder&, Label no_sleep);
    void emit_cpuidle(ProgramBuilder&, Label no_sleep);
    void emit_entry(ProgramBuilder&, int index, Label left);
    void emit_wheel_timers(ProgramBuilder&);
    Program expired_timer_program();
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

    // Effects of cpuidle_loop.cpp.
    bool record_event(LogicalCpu&, std::uint64_t event_and_argument);
    bool note_idle_entry(LogicalCpu&, std::uint64_t);
    bool interrupt_ends(LogicalCpu&, std::uint64_t source);
    bool select_state(LogicalCpu&, std::uint64_t);
    bool spared_sleep_length(LogicalCpu&, std::uint64_t);
    bool keeps_clock_event(LogicalCpu&, std::uint64_t);
    bool stop_tick_for_wheel(LogicalCpu&, std::uint64_t);
    bool is_rejected(LogicalCpu&, std::uint64_t);
    bool is_selected(LogicalCpu&, std::uint64_t);
    bool take_start(LogicalCpu&, std::uint64_t);
    bool take_end(LogicalCpu&, std::uint64_t);
    bool set_rcu_idle(LogicalCpu&, std::uint64_t);
    bool account(LogicalCpu&, std::uint64_t);
    void note_wake(Cpu& cpu, int state);
    bool reflect(LogicalCpu&, std::uint64_t);

    // nohz.cpp.
    void set_up_nohz();
    [[nodiscard]] bool is_full_dynticks(int cpu) const;
    void note_tick(Cpu& cpu);
    void leave_duty(Cpu& cpu);
    void kick_full_dynticks(Cpu& cpu);

    void set_up_guest(Hypervisor& hypervisor);

    // idle_injection.cpp.
    void set_up_injection();
    void emit_injection_preempt(ProgramBuilder&);
    bool injection_toggles(LogicalCpu&, std::uint64_t);
    bool injects_nothing(LogicalCpu&, std::uint64_t);

    // Effects of handlers.cpp.
    bool rcu_watches(LogicalCpu&, std::uint64_t);
    bool was_no_masked_break(LogicalCpu&, std::uint64_t);
    bool check_ibrs(LogicalCpu&, std::uint64_t);
    bool came_from_kernel(LogicalCpu&, std::uint64_t);
    bool goes_on(LogicalCpu&, std::uint64_t);
    bool enter_user(LogicalCpu&, std::uint64_t);
    bool leave_user(LogicalCpu&, std::uint64_t);
    bool nmi_keeps_guard(LogicalCpu&, std::uint64_t);
    bool nmi_sets_guard(LogicalCpu&, std::uint64_t);
    bool nmi_restores_guard(LogicalCpu&, std::uint64_t);
    bool nothing_expired(LogicalCpu&, std::uint64_t);
    bool record_expiry(LogicalCpu&, std::uint64_t);
    bool wakes_nobody(LogicalCpu&, std::uint64_t);
    bool timer_wakes_bound_task(LogicalCpu&, std::uint64_t);
    bool wake_by_timer(LogicalCpu&, std::uint64_t);
    bool run_expired(LogicalCpu&, std::uint64_t);
    bool program_next(LogicalCpu&, std::uint64_t);
    bool no_wheel_timer_expired(LogicalCpu&, std::uint64_t);
    bool run_wheel_timers(LogicalCpu&, std::uint64_t);
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
    std::deque<WakeSite> wake_sites_;
    WakeSite* timer_wake_ = nullptr;  ///< of the handler of timers
    std::deque<std::vector<int>> affinities_;
    Cpuidle cpuidle_;
    std::string idle_hook_;
    std::unique_ptr<KernelTrace> trace_;
    std::unique_ptr<IdleWatch> watch_;
    WakeSources wake_sources_;
    std::size_t tick_source_ = wake_sources_.add("tick");
    Findings findings_;
    std::vector<Duration> late_timers_;
    std::uint64_t wheel_timers_run_ = 0;
    std::size_t waiting_tasks_ = 0;  ///< in all run queues
    std::unique_ptr<RunQueues> run_queues_;
    std::unique_ptr<Placement> placement_;
    RandomStream placement_luck_;
    SpecCtrlGuard guard_;
    const Program* idle_program_ = nullptr;
    WakeLog* recorded_wakes_ = nullptr;
    int timekeeper_ = -1;  ///< CPU that keeps the time, -1: the next one whose tick fires
    Vector next_vector_ = kFirstDeviceVector;

    friend struct WakeEffects;
};

/// Per-CPU state of the kernel.
struct Kernel::Cpu {
    explicit Cpu(LogicalCpu& hardware_cpu) : hardware{hardware_cpu} {}

    LogicalCpu& hardware;
    Context idle;
    bool is_idle = true;
    Task* current = nullptr;  ///< nullptr: the idle task
    Time slice_from{};        ///< `current` runs since then
    std::deque<Task*> run_queue;
    std::deque<CrossCall*> call_queue;
    std::unique_ptr<Tick> tick;
    std::unique_ptr<CpuTimers> timers;
    std::unique_ptr<CpuidleDevice> device;  ///< nullptr without a cpuidle driver
    HrTimer* expired = nullptr;             ///< that the handler works on
    HrTimer injection;                      ///< begin and end of injected idle
    bool is_injecting = false;              ///< it has to idle, whatever there is to do
    bool kept_time_last = false;            ///< ts->do_timer_last
    bool rcu_idle = false;                  ///< RCU takes the CPU for idle
    std::uint64_t guard_before_nmi = 0;     ///< SPEC_CTRL that an NMI restores
    Time idle_since{};
    IdleCounters counters;
    WakeCauses wakes;
};

}  // namespace idlesim
