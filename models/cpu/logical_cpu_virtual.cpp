// SPDX-License-Identifier: Apache-2.0
// A logical CPU that runs a virtual one: which of the two kernels' flags hold, and what comes for
// the guest while the host runs.
#include "models/cpu/logical_cpu.hpp"

#include <algorithm>

namespace idlesim {

void LogicalCpu::swap_modes() {
    const ModeFlags now{interrupts_enabled_, polling_, need_resched_, poll_limit_hit_};
    interrupts_enabled_ = other_mode_.interrupts_enabled;
    polling_ = other_mode_.polling;
    need_resched_ = other_mode_.need_resched;
    poll_limit_hit_ = other_mode_.poll_limit_hit;
    other_mode_ = now;
    // The monitor does not outlive an exit, and a break event of the host is none of the guest.
    monitor_armed_ = false;
    monitor_triggered_ = false;
    masked_break_ = false;
}

// Interrupts are on while the host handles an exit, and nothing polls its flags yet.
void LogicalCpu::enter_host() {
    IDLESIM_CHECK(!in_host_, "a VM exit out of the host");
    ++vm_exits_;
    other_mode_ = {};
    swap_modes();
    in_host_ = true;
    host_interrupted_ = false;
    need_resched_ = has_guest_event();
}

void LogicalCpu::enter_guest() {
    IDLESIM_CHECK(in_host_, "a VM entry out of the guest");
    in_host_ = false;
    swap_modes();
    entered_with_event_ = has_guest_event();
}

void LogicalCpu::post(Vector vector) {
    accept(vector);
}

// kvm_vcpu_halt() looks at the clock in every turn (virt/kvm/kvm_main.c, 6.12): it ends with the
// first turn that ends at the limit or behind it.
bool LogicalCpu::issue_halt_poll(const Op& op) {
    if (!in_pause_loop_) {
        in_pause_loop_ = true;
        pause_turn_ = draw(op.exit_cost);
        const std::int64_t turn = std::max<std::int64_t>(1, pause_turn_.count());
        const std::int64_t turns = (poll_limit_.count() + turn - 1) / turn;
        pause_loop_ends_ = now() + Duration{turns * turn};
    }
    if (has_guest_event() || now() >= pause_loop_ends_) {
        in_pause_loop_ = false;
        return simulation_.advance_or_schedule(event_, now());
    }
    pause_loop_turns_from_ = now();
    set_state(CpuState::polling);
    simulation_.schedule(event_, pause_loop_ends_);
    return false;
}

}  // namespace idlesim
