// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/logical_cpu.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace idlesim {

namespace {

// POLL_IDLE_RELAX_COUNT (drivers/cpuidle/poll_state.c, 6.3): the clock is read after this many
// turns plus one.
constexpr std::int64_t kTurnsPerClockRead = 201;

// More of them in a row go through the queue, whose guard against livelocks counts them.
constexpr int kMostFreeOperations = 64;

std::int64_t divide_up(std::int64_t value, std::int64_t by) {
    return (value + by - 1) / by;
}

// The loop over operations is the program's hottest; its parts are functions only to be read.
#define IDLESIM_INLINE [[gnu::always_inline]] inline

}  // namespace

LogicalCpu::LogicalCpu(Simulation& simulation,
                       int number,
                       const CostTable& costs,
                       StepNames& names,
                       bool monitor_reset_by_interrupt,
                       std::uint64_t seed,
                       std::uint64_t replication)
    : simulation_{simulation},
      number_{number},
      event_{simulation,
             fmt::format("cpu{}", number),
             Phase::execute,
             bind<&LogicalCpu::on_event>(this)},
      monitor_reset_by_interrupt_{monitor_reset_by_interrupt},
      smi_step_{names.id("smi")} {
    step_costs_.reserve(costs.size());
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const auto id = static_cast<CostId>(i);
        const std::string stream = fmt::format("cpu{}.{}", number, costs.name(id));
        step_costs_.emplace_back(costs.cost(id), RandomStream{seed, stream, replication});
    }
}

// The interpreter: every operation of every program passes through the next four functions.

// Anything but a thread that is alone on a core at its nominal clock.
IDLESIM_INLINE Duration LogicalCpu::begin_operation(CostId cost) {
    if (is_slowed_) [[unlikely]] {
        begin_slowed_operation(cost);
    } else {
        operation_ = step_costs_[cost].draw_parts();
        operation_stretch_ = core_stretch_;
    }
    return operation_.stretched(operation_stretch_);
}

// The boundary between two operations, and the start of the next one. True when time could
// advance to its end at once.
IDLESIM_INLINE bool LogicalCpu::issue() {
    if (attention_ && !take_pending()) [[unlikely]] {
        return false;
    }
    const Op& op = *op_;
    if (may_wait(op.code)) [[unlikely]] {
        return issue_waiting(op);
    }
    const Duration cost = is_impeded_ ? begin_operation(op.cost) : draw(op.cost);
    return simulation_.advance_or_schedule(event_, now() + cost);
}

IDLESIM_INLINE void LogicalCpu::tell(ProbePoint point) {
    if (point != ProbePoint::none && listener_ != nullptr) {
        listener_->on_probe(point, *this);
    }
}

// An effect may switch to another context; the branch is then the old one's.
IDLESIM_INLINE void LogicalCpu::retire_effect(const Op& op) {
    Context* const context = context_;
    if (op.effect.function(op.effect.context, *this, op.argument)) {
        (context == context_ ? op_ : context->top().next) = &op + op.offset;
    }
}

// The operation in flight is done: its effect. False when the CPU has nothing more to do now.
IDLESIM_INLINE bool LogicalCpu::retire() {
    const Op& op = *op_;
    mark(op.step);
    const bool was_shadow = sti_shadow_;
    sti_shadow_ = false;
    ++op_;
    switch (op.code) {
        case OpCode::work:
            tell(op.point);
            break;
        case OpCode::pause_loop:
        case OpCode::compute:
        case OpCode::halt_poll:
            break;
        case OpCode::cli:
            interrupts_enabled_ = false;
            break;
        case OpCode::sti:
            // STI with IF already set has no shadow, and a second STI does not prolong one.
            sti_shadow_ = !interrupts_enabled_ && !was_shadow;
            interrupts_enabled_ = true;
            break;
        case OpCode::set_polling:
            polling_ = true;
            break;
        case OpCode::clear_polling:
            polling_ = false;
            break;
        case OpCode::test_need_resched:
            if (need_resched_) {
                op_ = &op + op.offset;
            }
            break;
        case OpCode::monitor:
            monitor_armed_ = true;
            monitor_triggered_ = false;
            break;
        case OpCode::wrmsr_spec_ctrl:
        case OpCode::update_spec_ctrl:
            write_spec_ctrl(op);
            break;
        case OpCode::jump:
            op_ = &op + op.offset;
            break;
        case OpCode::effect:
            retire_effect(op);
            tell(op.point);
            break;
        case OpCode::probe:
            tell(op.point);
            break;
        case OpCode::iret:
            leave_handler();
            tell(op.point);
            break;
        case OpCode::mwait:
        case OpCode::hlt:
        case OpCode::io_read:
            return retire_sleep(op);
        case OpCode::wait_for_release:
            released_ = false;
            break;
        case OpCode::vm_exit:
            enter_host();
            break;
        case OpCode::vm_entry:
            enter_guest();
            break;
    }
    return true;
}

// Operations without cost have their effect together with the one before them: they pass neither
// through time nor through the queue, unless something waits for the boundary in between.
IDLESIM_INLINE bool LogicalCpu::retire_with_free_ones() {
    if (!retire()) {
        return false;
    }
    for (int i = 0;
         i < kMostFreeOperations && op_->cost == kFree && !attention_ && !may_wait(op_->code);
         ++i) {
        if (!retire()) {
            return false;
        }
    }
    return true;
}

void LogicalCpu::on_event() {
    switch (state_) {
        case CpuState::running:
            if (!retire_with_free_ones()) {
                return;
            }
            break;
        case CpuState::exiting:
            end_exit();
            break;
        case CpuState::computing:
            account_compute();
            if (now() >= compute_until_) {
                context_->compute_left = Duration::zero();
            }
            [[fallthrough]];
        case CpuState::polling:
        case CpuState::waiting:
            mark(op_->exit_step);
            set_state(CpuState::running);
            break;
        case CpuState::stopped:
            leave_smm();
            if (state_ != CpuState::running) {
                return;
            }
            break;
        case CpuState::resident:
            IDLESIM_CHECK(false, "a sleeping CPU has nothing to do");
    }
    run();
}

void LogicalCpu::run() {
    while (issue()) {
        if (!retire_with_free_ones()) {
            return;
        }
    }
}

void LogicalCpu::set_handler(Vector vector, const Program* handler) {
    handlers_[vector] = handler;
}

void LogicalCpu::start(Context& context) {
    IDLESIM_CHECK(state_ == CpuState::stopped, "a CPU starts once");
    context_ = &context;
    op_ = context.top().next;
    set_state(CpuState::running);
    issue();
}

void LogicalCpu::set_line_transfer(Duration latency) {
    for (StepCost& cost : step_costs_) {
        cost.set_line_transfer(latency);
    }
}

void LogicalCpu::detach(const Attribution& path) {
    const auto end = paths_.begin() + static_cast<std::ptrdiff_t>(path_count_);
    const auto kept = std::remove(paths_.begin(), end, &path);
    path_count_ = static_cast<std::size_t>(kept - paths_.begin());
}

bool LogicalCpu::carries(const Attribution& path) const {
    const auto end = paths_.begin() + static_cast<std::ptrdiff_t>(path_count_);
    return std::find(paths_.begin(), end, &path) != end;
}

std::array<Duration, kCpuStates> LogicalCpu::residency() const {
    auto closed = residency_;
    closed[static_cast<std::size_t>(state_)] += simulation_.now() - state_since_;
    return closed;
}

void LogicalCpu::set_state(CpuState state) {
    const Time now = simulation_.now();
    residency_[static_cast<std::size_t>(state_)] += now - state_since_;
    state_since_ = now;
    state_ = state;
    if (hardware_ != nullptr) {
        hardware_->state_changed(*this, state);
    }
    if (core_ != nullptr) {
        core_->activity_changed(*this);
    }
}

void LogicalCpu::mark_all(StepId step) {
    for (std::size_t i = 0; i < path_count_; ++i) {
        paths_[i]->mark(step, simulation_.now());
    }
}

bool LogicalCpu::issue_waiting(const Op& op) {
    // The shadow of STI covers one instruction, of which a loop or a computation has many.
    if (sti_shadow_ && !sleeps(op.code)) {
        sti_shadow_ = false;
        if (attention_) {
            return issue();
        }
    }
    switch (op.code) {
        case OpCode::pause_loop:
            return issue_pause_loop(op);
        case OpCode::wait_for_release:
            return issue_wait_for_release();
        case OpCode::compute:
            return issue_compute();
        case OpCode::halt_poll:
            return issue_halt_poll(op);
        default:
            return issue_sleep(op);
    }
}

// MWAIT is a NOP when the monitor is not armed or has triggered; a break event that is pending
// already completes the instruction at once (SDM volume 2, MWAIT and HLT).
bool LogicalCpu::issue_sleep(const Op& op) {
    sleep_completed_ = wakes(op) || (op.code == OpCode::mwait && !monitor_armed_);
    Duration entry{};
    if (!sleep_completed_) {
        const bool is_granted = hardware_ != nullptr && op.hardware_state >= 0;
        entry = draw(is_granted ? hardware_->entry(*this, op.hardware_state, op.cost) : op.cost);
    }
    return simulation_.advance_or_schedule(event_, now() + entry);
}

bool LogicalCpu::issue_pause_loop(const Op& op) {
    if (!in_pause_loop_) {
        in_pause_loop_ = true;
        pause_turn_ = draw(op.exit_cost);
        poll_limit_hit_ = false;
        const std::int64_t limit = op.argument == kPollLimitOfCpu
                                       ? poll_limit_.count()
                                       : static_cast<std::int64_t>(op.argument);
        has_poll_limit_ = limit != 0;
        const std::int64_t batch = pause_turn_.count() * kTurnsPerClockRead;
        pause_loop_ends_ = now() + Duration{divide_up(limit + 1, batch) * batch};
    }
    if (need_resched_ || (has_poll_limit_ && now() >= pause_loop_ends_)) {
        in_pause_loop_ = false;
        poll_limit_hit_ = !need_resched_;
        return simulation_.advance_or_schedule(event_, now());
    }
    pause_loop_turns_from_ = now();
    set_state(CpuState::polling);
    if (has_poll_limit_) {
        simulation_.schedule(event_, pause_loop_ends_);
    }
    return false;
}

bool LogicalCpu::issue_wait_for_release() {
    if (released_) {
        return simulation_.advance_or_schedule(event_, now());
    }
    set_state(CpuState::waiting);
    return false;
}

// Something has come that a waiting or computing task has to give way to.
void LogicalCpu::interrupt_task() {
    if (state_ == CpuState::waiting || state_ == CpuState::computing) {
        simulation_.schedule(event_, now());
    }
}

// The uninterruptible part of the entry is over. What came during it ends the sleep before it
// begins, but the exit is paid.
bool LogicalCpu::retire_sleep(const Op& op) {
    if (sleep_completed_) {
        monitor_armed_ = false;
        return true;
    }
    op_ = &op;
    set_state(CpuState::resident);
    if (hardware_ != nullptr) {
        op.hardware_state >= 0 ? hardware_->arrive(*this, op.hardware_state)
                               : hardware_->doze(*this);
    }
    if (wakes(op)) {
        begin_exit();
    }
    return false;
}

bool LogicalCpu::wakes(const Op& op) const {
    if (nmi_pending_) {
        return true;
    }
    switch (op.code) {
        case OpCode::hlt:
            return interrupts_enabled_ && pending_.any();
        case OpCode::mwait:
            return monitor_triggered_ || smi_pending_ ||
                   (pending_.any() && (interrupts_enabled_ || op.break_on_irq));
        case OpCode::io_read:
            return pending_.any() || smi_pending_;
        default:
            return false;
    }
}

void LogicalCpu::begin_exit() {
    masked_break_ = op_->code == OpCode::mwait && !interrupts_enabled_ && pending_.any();
    const bool is_granted = hardware_ != nullptr && op_->hardware_state >= 0;
    const Duration exit = is_granted ? begin_hardware_exit() : draw(op_->exit_cost);
    set_state(CpuState::exiting);
    simulation_.schedule(event_, now() + exit);
}

Duration LogicalCpu::begin_hardware_exit() {
    const bool by_timer =
        pending_.contains(kLocalTimerVector) || pending_.contains(kExpiredTimerVector);
    exit_ = hardware_->wake(*this, by_timer ? WakeCause::local_timer : WakeCause::other);
    return exit_.package + exit_.core;
}

void LogicalCpu::mark_exit() {
    if (hardware_ == nullptr || op_->hardware_state < 0) {
        mark(op_->exit_step);
        return;
    }
    for (std::size_t i = 0; i < path_count_; ++i) {
        if (exit_.package > Duration::zero()) {
            paths_[i]->mark_until(exit_.package_step, now() - exit_.core);
        }
        paths_[i]->mark(exit_.core_step, now());
    }
    cold_left_ = exit_.cold_work;
    slow_until_ = now() + exit_.slow_for;
    is_slowed_ = cold_left_ > Duration::zero() || exit_.slow_for > Duration::zero();
    update_impeded();
}

void LogicalCpu::end_exit() {
    mark_exit();
    monitor_armed_ = false;
    monitor_triggered_ = false;
    ++op_;
    set_state(CpuState::running);
}

void LogicalCpu::leave_pause_loop() {
    const std::int64_t turn = std::max<std::int64_t>(1, pause_turn_.count());
    const std::int64_t elapsed = (now() - pause_loop_turns_from_).count();
    const Time edge = pause_loop_turns_from_ + Duration{divide_up(elapsed, turn) * turn};
    if (!event_.is_scheduled() || edge < event_.time()) {
        simulation_.schedule(event_, edge);
    }
}

bool LogicalCpu::can_take_interrupt() const {
    return interrupts_enabled_ && !sti_shadow_ && pending_.any();
}

// Takes what the boundary allows, in the order of SDM volume 3A, 6.9: SMI, NMI, interrupts.
// False when the CPU is held by an SMI.
bool LogicalCpu::take_pending() {
    if (smi_pending_) {
        return enter_smm();
    }
    if (in_host_) {
        return true;  // until the next VM entry
    }
    if (nmi_pending_ && !in_nmi_) {
        nmi_pending_ = false;
        in_nmi_ = true;
        enter_handler(nmi_handler_, true);
    } else if (can_take_interrupt()) {
        enter_handler(handlers_[pending_.take_highest()], false);
    }
    attention_ = pending_.any() || nmi_pending_;
    return true;
}

bool LogicalCpu::enter_smm() {
    smi_pending_ = false;
    attention_ = pending_.any() || nmi_pending_;
    set_state(CpuState::stopped);
    simulation_.schedule(event_, now() + smi_length_);
    return false;
}

void LogicalCpu::leave_smm() {
    mark(smi_step_);
    if (!smm_interrupted_sleep_) {
        set_state(CpuState::running);
        return;
    }
    smm_interrupted_sleep_ = false;
    set_state(CpuState::resident);
    if (wakes(*op_)) {
        begin_exit();
    }
}

void LogicalCpu::enter_handler(const Program* handler, bool is_nmi) {
    IDLESIM_CHECK(handler != nullptr, "an interrupt without a handler");
    if (monitor_reset_by_interrupt_) {
        monitor_armed_ = false;
    }
    was_injected_ = std::exchange(entered_with_event_, false);
    context_->top().next = op_;
    context_->push({handler, nullptr, interrupts_enabled_, is_nmi});
    op_ = handler->ops.data();
    interrupts_enabled_ = false;
    sti_shadow_ = false;
}

void LogicalCpu::leave_handler() {
    const Frame& frame = context_->top();
    interrupts_enabled_ = frame.interrupts_enabled;
    if (frame.is_nmi) {
        in_nmi_ = false;
    }
    context_->pop();
    op_ = context_->top().next;
}

void LogicalCpu::raise(Vector vector) {
    host_interrupted_ = in_host_;
    accept(vector);
}

void LogicalCpu::accept(Vector vector) {
    pending_.add(vector);
    attention_ = true;
    if (in_host_) [[unlikely]] {
        set_need_resched_of_host();
    }
    if (state_ == CpuState::resident) {
        if (wakes(*op_)) {
            begin_exit();
        }
    } else if (state_ == CpuState::polling && interrupts_enabled_) {
        leave_pause_loop();
    } else if (interrupts_enabled_) {
        interrupt_task();
    }
}

void LogicalCpu::raise_nmi() {
    nmi_pending_ = true;
    attention_ = true;
    if (in_host_) {
        set_need_resched_of_host();
    }
    if (state_ == CpuState::resident) {
        begin_exit();
    } else if (state_ == CpuState::polling) {
        leave_pause_loop();
    } else {
        interrupt_task();
    }
}

void LogicalCpu::raise_smi(Duration length) {
    smi_length_ = length;
    smi_pending_ = true;
    attention_ = true;
    if (state_ == CpuState::resident) {
        if (wakes(*op_)) {
            begin_exit();
        } else {
            smm_interrupted_sleep_ = true;
            enter_smm();
        }
    } else if (state_ == CpuState::polling) {
        leave_pause_loop();
    } else {
        interrupt_task();
    }
}

void LogicalCpu::monitored_line_written() {
    if (monitor_armed_) {
        monitor_triggered_ = true;
    }
    if (state_ == CpuState::resident) {
        if (wakes(*op_)) {
            begin_exit();
        }
    } else if (state_ == CpuState::polling) {
        leave_pause_loop();
    }
}

void LogicalCpu::release() {
    released_ = true;
    if (state_ == CpuState::waiting) {
        simulation_.schedule(event_, now());
    }
}

}  // namespace idlesim
