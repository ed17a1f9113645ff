// SPDX-License-Identifier: Apache-2.0
// Interrupt handlers: arch/x86/kernel/smp.c, kernel/smp.c, kernel/time/tick-sched.c and
// kernel/entry/common.c of 6.3. An interrupt from idle always enters RCU; the full entry also
// runs tick_irq_enter(), the reschedule vector's light one does not.
#include "models/kernel/kernel.hpp"

namespace idlesim {

void Kernel::begin_interrupt(ProgramBuilder& b, bool enters_from_idle) {
    b.work("vectoring", ProbePoint::handler_entry).work("irq_entry");
    if (enters_from_idle) {
        b.work("tick_irq_enter");
    }
    b.work("eoi");
}

void Kernel::end_interrupt(ProgramBuilder& b) {
    b.work("irq_exit").iret();
}

void Kernel::emit_flush(ProgramBuilder& b) {
    const Label next = b.label();
    const Label function = b.label();
    const Label done = b.label();
    b.branch(effect_of<&Kernel::queue_is_empty>(this), done);
    b.bind(next).branch(effect_of<&Kernel::front_is_function>(this), function, 0, "csd_flush");
    b.branch(effect_of<&Kernel::run_wake>(this), next, 0, "enqueue_task").jump(done);
    b.bind(function);
    b.branch(effect_of<&Kernel::run_function>(this), next, 0, "csd_function");
    b.tell(ProbePoint::function_run);
    b.bind(done);
}

bool Kernel::queue_is_empty(LogicalCpu& cpu, std::uint64_t) {
    return of(cpu).call_queue.empty();
}

bool Kernel::front_is_function(LogicalCpu& cpu, std::uint64_t) {
    return of(cpu).call_queue.front()->kind == CrossCall::Kind::function;
}

// True when more is queued.
bool Kernel::run_wake(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    CrossCall& call = *state.call_queue.front();
    state.call_queue.pop_front();
    enqueue(*call.task, cpu);
    cpu.set_need_resched_here();
    return !state.call_queue.empty();
}

bool Kernel::run_function(LogicalCpu& cpu, std::uint64_t) {
    Cpu& state = of(cpu);
    const CrossCall& call = *state.call_queue.front();
    state.call_queue.pop_front();
    call.function.function(call.function.context, cpu, 0);
    return !state.call_queue.empty();
}

bool Kernel::tick_hits(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).tick->note_hit();
    return false;
}

Program Kernel::reschedule_program() {
    ProgramBuilder b = machine_.program("reschedule");
    begin_interrupt(b, false);
    b.work("scheduler_ipi");
    end_interrupt(b);
    return b.finish();
}

Program Kernel::call_function_program() {
    ProgramBuilder b = machine_.program("call_function_single");
    begin_interrupt(b, true);
    emit_flush(b);
    b.work("irq_exit").iret(ProbePoint::handler_returned);
    return b.finish();
}

Program Kernel::tick_program() {
    return interrupt_program("tick", [this](ProgramBuilder& b) {
        b.effect(effect_of<&Kernel::tick_hits>(this), 0, "tick_handler");
    });
}

Program Kernel::nmi_program() {
    ProgramBuilder b = machine_.program("nmi");
    b.attribute_to("nmi").work("vectoring").work("nmi_handler").iret();
    return b.finish();
}

void Kernel::install_handlers() {
    const Program& reschedule = machine_.keep(reschedule_program());
    const Program& call_function = machine_.keep(call_function_program());
    const Program& tick = machine_.keep(tick_program());
    const Program& nmi = machine_.keep(nmi_program());
    for (const int number : machine_.cpu_numbers()) {
        LogicalCpu& cpu = machine_.cpu(number);
        cpu.set_handler(kRescheduleVector, &reschedule);
        cpu.set_handler(kCallFunctionSingleVector, &call_function);
        cpu.set_handler(kLocalTimerVector, &tick);
        cpu.set_nmi_handler(&nmi);
    }
}

}  // namespace idlesim
