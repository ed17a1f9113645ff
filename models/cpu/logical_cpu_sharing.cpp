// SPDX-License-Identifier: Apache-2.0
// What slows a logical CPU down while it works: the other threads of its core, their guard and its
// own clock; and the work that is re-timed when one of them changes.
#include "models/cpu/logical_cpu.hpp"

#include <algorithm>
#include <cmath>

namespace idlesim {

// The path behind a deep sleep: its lines are gone, its clock has not recovered.
void LogicalCpu::begin_slowed_operation(CostId cost) {
    StepCost& step = step_costs_[cost];
    const bool is_slow = now() < slow_until_;
    operation_ = step.draw_impeded(cold_left_ > Duration::zero());
    operation_stretch_ =
        is_slow ? Dilation{core_stretch_.factor() * exit_.slowdown} : core_stretch_;
    cold_left_ -= step.warm();
    is_slowed_ = is_slow || cold_left_ > Duration::zero();
    update_impeded();
}

void LogicalCpu::update_impeded() {
    is_impeded_ = is_slowed_ || core_ != nullptr || clock_slowdown_ != 1.0;
}

void LogicalCpu::update_stretch() {
    core_stretch_ =
        Dilation{core_ == nullptr ? clock_slowdown_ : core_->stretch(*this) * clock_slowdown_};
}

// Slots taken by the other thread stretch all of the work, the guard adds to its indirect branches.
Dilation LogicalCpu::compute_stretch() const {
    if (core_ == nullptr || context_->indirect_branches == 0) {
        return core_stretch_;
    }
    constexpr double kPicosecondsPerMicrosecond = 1e6;
    const double guarded = context_->indirect_branches *
                           static_cast<double>(core_->branch_penalty().count()) /
                           kPicosecondsPerMicrosecond;
    return Dilation{core_stretch_.factor() + guarded * clock_slowdown_};
}

void LogicalCpu::set_core(Core* core) {
    core_ = core;
    update_stretch();
    update_impeded();
}

void LogicalCpu::set_clock_slowdown(double slowdown, Duration stall) {
    clock_slowdown_ = slowdown;
    update_impeded();
    core_changed(stall);
}

void LogicalCpu::set_spec_ctrl_msr(std::uint64_t value) {
    spec_ctrl_ = value;
    if (core_ != nullptr) {
        core_->guard_changed(*this);
    }
}

void LogicalCpu::set_spec_ctrl(std::uint64_t value) {
    spec_ctrl_copy_ = value;
    set_spec_ctrl_msr(value);
}

void LogicalCpu::write_spec_ctrl(const Op& op) {
    if (op.code == OpCode::update_spec_ctrl) {
        spec_ctrl_copy_ = op.argument;
    }
    set_spec_ctrl_msr(op.argument);
    if (spec_ctrl_listener_ != nullptr) {
        spec_ctrl_listener_->on_spec_ctrl_written(*this);
    }
}

Activity LogicalCpu::activity() const {
    switch (state_) {
        case CpuState::running:
        case CpuState::computing:
            return Activity::busy;
        case CpuState::polling:
        case CpuState::waiting:
            return Activity::polling;
        case CpuState::resident:
        case CpuState::exiting:
        case CpuState::stopped:
            return Activity::none;
    }
    return Activity::none;
}

// What ends now anyway stays as it is.
void LogicalCpu::core_changed(Duration stall) {
    update_stretch();
    if (!event_.is_scheduled() || event_.time() == now()) {
        return;
    }
    if (state_ == CpuState::computing) {
        account_compute();
        stall_left_ += stall;
        schedule_compute();
    } else if (state_ == CpuState::running && !may_wait(op_->code)) {
        retime_operation(stall);
    }
}

void LogicalCpu::retime_operation(Duration stall) {
    const Duration total = operation_.stretched(operation_stretch_);
    const double left =
        static_cast<double>((event_.time() - now()).count()) / static_cast<double>(total.count());
    const auto scaled = [left](Duration part) {
        return Duration{std::llround(static_cast<double>(part.count()) * left)};
    };
    operation_ = {scaled(operation_.fixed) + stall, scaled(operation_.clocked)};
    operation_stretch_ =
        now() < slow_until_ ? Dilation{core_stretch_.factor() * exit_.slowdown} : core_stretch_;
    simulation_.schedule(event_, now() + operation_.stretched(operation_stretch_));
}

bool LogicalCpu::issue_compute() {
    if (context_->compute_left <= Duration::zero() || context_->compute_stopped) {
        context_->compute_stopped = false;
        return simulation_.advance_or_schedule(event_, now());
    }
    set_state(CpuState::computing);
    compute_from_ = now();
    stall_left_ = Duration::zero();
    schedule_compute();
    return false;
}

// Progress since the work was timed last.
void LogicalCpu::account_compute() {
    Duration elapsed = now() - compute_from_;
    compute_from_ = now();
    const Duration stalled = std::min(elapsed, stall_left_);
    stall_left_ -= stalled;
    elapsed -= stalled;
    context_->compute_left -= compute_stretch_.work_in(elapsed);
}

void LogicalCpu::schedule_compute() {
    compute_stretch_ = compute_stretch();
    const Duration left = std::max(Duration::zero(), context_->compute_left);
    compute_until_ = now() + stall_left_ + compute_stretch_.of(left);
    simulation_.schedule(event_, compute_until_);
}

void LogicalCpu::stop_computing(Context& context) {
    context.compute_stopped = true;
    if (context_ == &context && state_ == CpuState::computing) {
        simulation_.schedule(event_, now());
    }
}

}  // namespace idlesim
