// SPDX-License-Identifier: Apache-2.0
// The border between user mode and the kernel, as far as idleness and siblings feel it
// (arch/x86/entry/{entry_64.S,calling.h}, 6.3). Under kernel IBRS the MSR is set on every entry and
// cleared on every return; the work of a system call itself is the caller's.
#include "models/kernel/kernel.hpp"

namespace idlesim {

// ret_from_fork().
void Kernel::emit_task_begin(ProgramBuilder& b) {
    b.sti();
    emit_user_return(b);
}

// SYSCALL masks interrupts, and so does the way back: no handler sees kernel mode without its
// guard, nor takes a guarded kernel for user mode and clears the guard on its return.
void Kernel::emit_kernel_entry(ProgramBuilder& b) {
    if (!guard_.is_toggled()) {
        b.effect(effect_of<&Kernel::leave_user>(this));
        return;
    }
    b.mask_interrupts().effect(effect_of<&Kernel::leave_user>(this));
    b.wrmsr_spec_ctrl(guard_.kernel_value()).unmask_interrupts();
}

void Kernel::emit_user_return(ProgramBuilder& b) {
    if (!guard_.is_toggled()) {
        b.effect(effect_of<&Kernel::enter_user>(this));
        return;
    }
    b.mask_interrupts().effect(effect_of<&Kernel::enter_user>(this));
    b.wrmsr_spec_ctrl(guard_.user_value()).unmask_interrupts();
}

void Kernel::emit_guarded_begin(ProgramBuilder& b) {
    if (guard_.is_toggled()) {
        emit_task_begin(b);
    }
}

void Kernel::emit_guarded_entry(ProgramBuilder& b) {
    if (guard_.is_toggled()) {
        emit_kernel_entry(b);
    }
}

void Kernel::emit_guarded_return(ProgramBuilder& b) {
    if (guard_.is_toggled()) {
        emit_user_return(b);
    }
}

bool Kernel::enter_user(LogicalCpu& cpu, std::uint64_t) {
    cpu.context().is_user = true;
    return false;
}

bool Kernel::leave_user(LogicalCpu& cpu, std::uint64_t) {
    cpu.context().is_user = false;
    return false;
}

}  // namespace idlesim
