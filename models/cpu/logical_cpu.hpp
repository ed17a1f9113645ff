// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/attribution.hpp"
#include "models/cpu/core.hpp"
#include "models/cpu/fabric.hpp"
#include "models/cpu/pending_interrupts.hpp"
#include "models/cpu/program.hpp"
#include "models/cpu/sleep_hardware.hpp"
#include "sim/engine/simulation.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {

/// One level of execution: where a program stands, and what IRET gives back.
struct Frame {
    const Program* program = nullptr;
    const Op* next = nullptr;         ///< kept up to date only while the frame does not execute
    bool interrupts_enabled = false;  ///< IF of the interrupted code, restored by IRET
    bool is_nmi = false;
};

/// A stack of frames: what a task (or the idle task) was doing, and the handlers on top of it.
class Context {
public:
    /// What a compute operation has still to do, as the time that it takes alone on its core at the
    /// nominal clock; set by an effect before it.
    Duration compute_left{};
    /// Indirect branches per microsecond of that work: what IBRS and STIBP make slow.
    double indirect_branches = 0;
    /// Frame 0 is in user mode: kept by the kernel model at system calls and their returns.
    bool is_user = false;
    /// The next compute operation ends at once, its work undone (LogicalCpu::stop_computing).
    bool compute_stopped = false;

    void reset(const Program& program) {
        depth_ = 0;
        frames_[0] = {&program, program.ops.data(), false, false};
    }

    [[nodiscard]] Frame& top() { return frames_[depth_]; }

    [[nodiscard]] bool in_handler() const { return depth_ > 0; }

    /// In a handler: has it interrupted user mode?
    [[nodiscard]] bool interrupted_user() const { return depth_ == 1 && is_user; }

    /// Name of the program below the one that runs; its own where nothing is below.
    [[nodiscard]] const std::string& interrupted_program() const {
        return frames_[depth_ > 0 ? depth_ - 1 : 0].program->name;
    }

    void push(const Frame& frame) {
        IDLESIM_CHECK(depth_ + 1 < frames_.size(), "interrupts nest deeper than the stack");
        frames_[++depth_] = frame;
    }

    void pop() { --depth_; }

private:
    std::array<Frame, 8> frames_{};
    std::size_t depth_ = 0;
};

/// What the CPU is doing, for residency: the parts add up to the elapsed time exactly.
enum class CpuState : std::uint8_t {
    running,    ///< executes operations
    polling,    ///< spins in a pause loop
    resident,   ///< asleep
    exiting,    ///< the hardware is on its way back
    waiting,    ///< a task spins on a word that another CPU will write (not idle)
    computing,  ///< a task computes
    stopped,    ///< before start() and while a system management interrupt holds all CPUs
};

constexpr std::size_t kCpuStates = 7;

/// Told about probe operations and about what a check should report.
class CpuListener {
public:
    virtual ~CpuListener() = default;
    virtual void on_probe(ProbePoint point, LogicalCpu& cpu) = 0;
};

/// Told about each write of SPEC_CTRL by a program.
class SpecCtrlListener {
public:
    virtual ~SpecCtrlListener() = default;
    virtual void on_spec_ctrl_written(LogicalCpu& cpu) = 0;
};

/// A hardware thread that executes programs, one operation after the other, and takes
/// interrupts between any two of them, exactly when IF, the STI shadow and the break-event rules
/// allow (Intel SDM volume 3A, 6.8 and 8.10; volume 2, STI, HLT, MONITOR, MWAIT).
///
/// It knows nothing of scheduling or C-state policy: effects call into the kernel model. While
/// its next operation ends before anything else can happen it goes on inline (run-ahead), with
/// the same result as queueing every operation.
class LogicalCpu {
public:
    /// `costs` and `names` must outlive the CPU; its random streams derive from `seed`,
    /// `replication` and its number.
    LogicalCpu(Simulation& simulation,
               int number,
               const CostTable& costs,
               StepNames& names,
               bool monitor_reset_by_interrupt,
               std::uint64_t seed,
               std::uint64_t replication);

    [[nodiscard]] int number() const { return number_; }

    [[nodiscard]] Simulation& simulation() { return simulation_; }

    [[nodiscard]] Time now() const { return simulation_.now(); }

    void set_listener(CpuListener* listener) { listener_ = listener; }

    void set_spec_ctrl_listener(SpecCtrlListener* listener) { spec_ctrl_listener_ = listener; }

    /// What grants idle states; nullptr: a sleep costs what its operation says.
    void set_sleep_hardware(SleepHardware* hardware) { hardware_ = hardware; }

    /// The core that the CPU shares with others; nullptr: it is alone.
    void set_core(Core* core);

    /// The handler of a vector; an interrupt without one is a broken invariant.
    void set_handler(Vector vector, const Program* handler);

    void set_nmi_handler(const Program* handler) { nmi_handler_ = handler; }

    /// Begins to execute `context` at its first operation, now.
    void start(Context& context);

    /// Effects only: continues with another context after the current operation.
    void switch_to(Context& context) {
        context_->top().next = op_;
        context_ = &context;
        op_ = context.top().next;
    }

    [[nodiscard]] Context& context() { return *context_; }

    // The outside world.

    /// The local APIC accepts a vector: one bit per vector, so repeated ones merge.
    void raise(Vector vector);

    void raise_nmi();

    /// Every CPU is held for `length` from its next operation boundary on; MWAIT ends, HLT
    /// restarts (SDM volume 3C, system management mode).
    void raise_smi(Duration length);

    /// A store to the monitored line becomes visible here.
    void monitored_line_written();

    // What programs and the kernel model see.

    [[nodiscard]] bool interrupts_enabled() const { return interrupts_enabled_; }

    [[nodiscard]] bool polling() const { return in_host_ ? other_mode_.polling : polling_; }

    [[nodiscard]] bool need_resched() const {
        return in_host_ ? other_mode_.need_resched : need_resched_;
    }

    /// TIF_NEED_RESCHED of the idle or running task. A remote setter also sends the store that
    /// the monitor sees (Fabric::send_store).
    void set_need_resched(bool value) {
        (in_host_ ? other_mode_.need_resched : need_resched_) = value;
    }

    /// A handler on this CPU sets it: the own monitor sees the store at once.
    void set_need_resched_here() {
        need_resched_ = true;
        monitor_triggered_ = monitor_triggered_ || monitor_armed_;
    }

    /// IA32_SPEC_CTRL of this thread.
    [[nodiscard]] std::uint64_t spec_ctrl() const { return spec_ctrl_; }

    /// The kernel's per-CPU copy of it (x86_spec_ctrl_current); kernel mode's value.
    [[nodiscard]] std::uint64_t spec_ctrl_copy() const { return spec_ctrl_copy_; }

    /// At boot: MSR and copy.
    void set_spec_ctrl(std::uint64_t value);

    /// Effects only: the MSR alone.
    void set_spec_ctrl_msr(std::uint64_t value);

    /// How many times as long clocked work takes as at the nominal clock; work in flight is
    /// re-timed, after a stall of `stall`.
    void set_clock_slowdown(double slowdown, Duration stall);

    /// What this thread takes from the ones beside it.
    [[nodiscard]] Activity activity() const;

    /// A thread beside this one does something else, or speculates under another guard, now: work
    /// in flight is re-timed from here on, after a stall of `stall`.
    void core_changed(Duration stall);

    [[nodiscard]] CpuState state() const { return state_; }

    /// Does a handler run?
    [[nodiscard]] bool in_handler() const { return context_->in_handler(); }

    [[nodiscard]] bool has_pending(Vector vector) const { return pending_.contains(vector); }

    /// Ends the wait_for_release operation; when it comes first, the wait does not begin.
    void release();

    /// The compute operation of `context`, which may run here now, later or elsewhere, ends before
    /// its work is done: now where it runs, at once where it begins.
    void stop_computing(Context& context);

    /// Limit of the pause loops that ask for it; zero: none.
    void set_poll_limit(Duration limit) { poll_limit_ = limit; }

    /// Has the last pause loop ended at its limit?
    [[nodiscard]] bool poll_limit_hit() const { return poll_limit_hit_; }

    void clear_poll_limit_hit() { poll_limit_hit_ = false; }

    /// Has an interrupt ended MWAIT while IF was 0, since this was asked last?
    [[nodiscard]] bool take_masked_break() { return std::exchange(masked_break_, false); }

    // A virtual CPU. Its flags (IF, POLLING, NEED_RESCHED, the monitor) are those of the guest's
    // kernel or of the host's, whichever runs; those above are the guest's at any time. What comes
    // for the guest while the host runs stays pending, and is the host's NEED_RESCHED.

    [[nodiscard]] bool in_host() const { return in_host_; }

    /// Is something pending for the guest?
    [[nodiscard]] bool has_guest_event() const { return pending_.any() || nmi_pending_; }

    /// Is the thread of the virtual CPU scheduled out, the host's idle task in its place?
    [[nodiscard]] bool is_blocked() const { return is_blocked_; }

    /// Effects only.
    void set_blocked(bool value) { is_blocked_ = value; }

    /// Does the host's idle task look at its flags, so that a store wakes it?
    [[nodiscard]] bool host_polls() const { return in_host_ && polling_; }

    /// A vector that another CPU of the host has posted by a store: like raise(), but the host
    /// takes no interrupt for it.
    void post(Vector vector);

    /// Has the host taken an interrupt since this was asked last, or since the exit?
    [[nodiscard]] bool take_host_interrupt() { return std::exchange(host_interrupted_, false); }

    /// Was the interrupt whose handler runs already pending at the last VM entry?
    [[nodiscard]] bool was_injected() const { return was_injected_; }

    /// VM exits since construction.
    [[nodiscard]] std::uint64_t vm_exits() const { return vm_exits_; }

    // Cost of the CPU that this one works with (line transfers).

    void set_line_transfer(Duration latency);

    // Attribution: while attached, every operation and hardware exit is marked on the path.

    void attach(Attribution& path) {
        IDLESIM_CHECK(path_count_ < paths_.size(), "too many measured events on one CPU");
        paths_[path_count_++] = &path;
    }

    void detach(const Attribution& path);

    [[nodiscard]] bool carries(const Attribution& path) const;

    /// Time spent in each state since construction, closed at now().
    [[nodiscard]] std::array<Duration, kCpuStates> residency() const;

    /// Draws a cost for something that is not an operation (a message on the fabric).
    [[nodiscard]] Duration draw(CostId cost) { return step_costs_[cost].draw(); }

private:
    void on_event();
    void run();
    bool issue();
    bool retire();
    bool retire_with_free_ones();
    void retire_effect(const Op& op);
    bool retire_sleep(const Op& op);
    bool issue_waiting(const Op& op);
    bool issue_sleep(const Op& op);
    bool issue_pause_loop(const Op& op);
    bool issue_halt_poll(const Op& op);
    bool issue_wait_for_release();
    bool issue_compute();
    void enter_host();
    void enter_guest();
    void swap_modes();
    void accept(Vector vector);

    void set_need_resched_of_host() {
        need_resched_ = true;
        monitor_triggered_ = monitor_triggered_ || monitor_armed_;
    }

    void account_compute();
    void schedule_compute();
    void update_stretch();
    [[nodiscard]] Dilation compute_stretch() const;
    [[nodiscard]] Duration begin_operation(CostId cost);
    void retime_operation(Duration stall);
    void update_impeded();
    void write_spec_ctrl(const Op& op);
    void interrupt_task();
    bool take_pending();
    bool enter_smm();
    void leave_smm();
    void enter_handler(const Program* handler, bool is_nmi);
    void leave_handler();
    void begin_exit();
    void end_exit();
    void mark_exit();
    [[nodiscard]] Duration begin_hardware_exit();
    void begin_slowed_operation(CostId cost);
    void leave_pause_loop();
    [[nodiscard]] bool wakes(const Op& op) const;
    [[nodiscard]] bool can_take_interrupt() const;
    void set_state(CpuState state);
    void mark_all(StepId step);
    void tell(ProbePoint point);

    // One measured event at a time is the rule.
    void mark(StepId step) {
        if (path_count_ == 1) {
            paths_[0]->mark(step, simulation_.now());
        } else if (path_count_ != 0) {
            mark_all(step);
        }
    }

    Simulation& simulation_;
    int number_;
    Event event_;
    std::vector<StepCost> step_costs_;
    Context* context_ = nullptr;
    const Op* op_ = nullptr;  // in flight, or the next one at a boundary
    CpuState state_ = CpuState::stopped;

    bool interrupts_enabled_ = false;
    bool sti_shadow_ = false;
    bool polling_ = false;
    bool need_resched_ = false;
    bool monitor_armed_ = false;
    bool monitor_triggered_ = false;
    bool nmi_pending_ = false;
    bool in_nmi_ = false;
    bool smi_pending_ = false;
    bool smm_interrupted_sleep_ = false;
    bool attention_ = false;        // something is pending, masked or not
    bool sleep_completed_ = false;  // the sleeping operation in flight found a reason not to
    bool released_ = false;
    bool in_pause_loop_ = false;
    bool monitor_reset_by_interrupt_;
    bool is_impeded_ = false;  // cold_left_ or slow_until_ still count, or another thread
    bool is_slowed_ = false;   // what is behind a sleep, as long as it lasts
    bool poll_limit_hit_ = false;
    bool masked_break_ = false;
    bool has_poll_limit_ = false;

    /// What a switch between guest and host exchanges.
    struct ModeFlags {
        bool interrupts_enabled = true;
        bool polling = false;
        bool need_resched = false;
        bool poll_limit_hit = false;
    };

    bool in_host_ = false;
    bool is_blocked_ = false;
    bool host_interrupted_ = false;
    bool entered_with_event_ = false;
    bool was_injected_ = false;
    ModeFlags other_mode_;  ///< of the one that does not run
    std::uint64_t vm_exits_ = 0;
    std::uint64_t spec_ctrl_ = 0;
    std::uint64_t spec_ctrl_copy_ = 0;
    Duration smi_length_{};
    StepId smi_step_;
    Core* core_ = nullptr;
    double clock_slowdown_ = 1.0;
    DrawnCost operation_;  // in flight: what was left of it when it was timed last
    Dilation operation_stretch_;
    Dilation core_stretch_;  // by the other threads of the core and the clock, now
    Time compute_from_{};
    Time compute_until_{};
    Dilation compute_stretch_;
    Duration stall_left_{};
    Time pause_loop_turns_from_{};
    Time pause_loop_ends_{};
    Duration pause_turn_{};
    Duration poll_limit_{};

    SleepHardware* hardware_ = nullptr;
    HardwareExit exit_;  // of the sleep that ends
    Duration cold_left_{};
    Time slow_until_{};

    PendingInterrupts pending_;
    std::array<const Program*, kVectors> handlers_{};
    const Program* nmi_handler_ = nullptr;
    CpuListener* listener_ = nullptr;
    SpecCtrlListener* spec_ctrl_listener_ = nullptr;

    std::array<Attribution*, 8> paths_{};
    std::size_t path_count_ = 0;

    std::array<Duration, kCpuStates> residency_{};
    Time state_since_{};
};

}  // namespace idlesim
