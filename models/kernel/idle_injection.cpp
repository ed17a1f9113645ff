// SPDX-License-Identifier: Apache-2.0
// Idle injection: play_idle_precise() (kernel/sched/idle.c) as drivers/powercap/idle_inject.c uses
// it, 6.3. The injecting thread has the highest priority and runs the idle loop itself; here the
// idle task does, and the scheduler picks nobody else meanwhile.
#include "models/kernel/kernel.hpp"

namespace idlesim {

void Kernel::set_up_injection() {
    if (!spec_.idle_injection) {
        return;
    }
    for (const int number : spec_.idle_injection->cpus) {
        const auto index = static_cast<std::size_t>(number);
        if (number < 0 || index >= cpus_.size() || cpus_[index] == nullptr) {
            continue;  // it takes no part
        }
        Cpu& cpu = *cpus_[index];
        cpu.injection.on_expiry = effect_of<&Kernel::injection_toggles>(this);
        cpu.timers->start(cpu.injection, Time{} + spec_.idle_injection->period);
    }
}

bool Kernel::injection_toggles(LogicalCpu& cpu, std::uint64_t) {
    const IdleInjection& injection = *spec_.idle_injection;
    Cpu& state = of(cpu);
    state.is_injecting = !state.is_injecting;
    state.timers->start(
        state.injection,
        state.injection.expires +
            (state.is_injecting ? injection.idle : injection.period - injection.idle));
    if (!state.is_injecting && !state.run_queue.empty()) {
        cpu.set_need_resched_here();
    }
    return false;
}

// At the end of the timer's interrupt: a task that runs is put aside for the idle task.
void Kernel::emit_injection_preempt(ProgramBuilder& b) {
    if (!spec_.idle_injection) {
        return;
    }
    const Label none = b.label();
    b.branch(effect_of<&Kernel::injects_nothing>(this), none);
    emit_schedule(b);
    b.cli().bind(none);
}

bool Kernel::injects_nothing(LogicalCpu& cpu, std::uint64_t) {
    const Cpu& state = of(cpu);
    return !state.is_injecting || state.current == nullptr;
}

}  // namespace idlesim
