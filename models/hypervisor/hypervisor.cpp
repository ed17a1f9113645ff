// SPDX-License-Identifier: Apache-2.0
#include "models/hypervisor/hypervisor.hpp"

#include "models/cpu/logical_cpu.hpp"
#include "models/hypervisor/host_idle.hpp"

namespace idlesim {

struct Hypervisor::Vcpu {
    Vcpu(const VirtualMachineSpec& spec,
         const std::vector<RegisteredState>& states,
         LogicalCpu& hardware)
        : cpu{hardware}, window{spec.halt_poll}, idle{spec.host, states, hardware} {}

    const LogicalCpu& cpu;
    HaltPollWindow window;
    HostIdle idle;
    VcpuStats stats;
    Time halted_at{};
    bool polls = false;
    bool has_waited = false;
};

Hypervisor::Hypervisor(const PlatformSpec& platform)
    : spec_{*platform.virtual_machine},
      states_{idlesim::host_states(platform)},
      vcpus_(static_cast<std::size_t>(platform.topology.cpus())) {}

Hypervisor::~Hypervisor() = default;

void Hypervisor::add(LogicalCpu& cpu, Fabric& fabric) {
    fabric_ = &fabric;
    vcpus_[static_cast<std::size_t>(cpu.number())] = std::make_unique<Vcpu>(spec_, states_, cpu);
}

Hypervisor::Vcpu& Hypervisor::of(const LogicalCpu& cpu) {
    return *vcpus_[static_cast<std::size_t>(cpu.number())];
}

void Hypervisor::set_timers(int cpu, std::function<std::optional<Time>()> next) {
    vcpus_.at(static_cast<std::size_t>(cpu))->idle.set_timers(std::move(next));
}

VcpuStats Hypervisor::stats(int cpu) const {
    const Vcpu& vcpu = *vcpus_.at(static_cast<std::size_t>(cpu));
    VcpuStats stats = vcpu.stats;
    stats.exits = vcpu.cpu.vm_exits();
    return stats;
}

void Hypervisor::emit_halt(ProgramBuilder& b) {
    const Label no_poll = b.label();
    const Label leave = b.label();
    b.vm_exit();
    b.branch(effect_of<&Hypervisor::begin_halt>(this), no_poll).halt_poll();
    emit_host_interrupt(b);
    b.bind(no_poll).branch(effect_of<&Hypervisor::has_event>(this), leave);
    b.effect(effect_of<&Hypervisor::block>(this)).work("vcpu_block");
    emit_host_idle(b);
    b.effect(effect_of<&Hypervisor::unblock>(this)).work("vcpu_unblock");
    b.bind(leave).effect(effect_of<&Hypervisor::end_halt>(this)).vm_entry();
}

// do_idle() of the host: until the thread of the virtual CPU is to run.
void Hypervisor::emit_host_idle(ProgramBuilder& b) {
    const Label loop = b.label();
    const Label left = b.label();
    const Label done = b.label();
    b.bind(loop).branch(effect_of<&Hypervisor::has_event>(this), done);
    b.effect(effect_of<&Hypervisor::select_state>(this), 0, "host_idle_enter").mask_interrupts();
    std::vector<Label> entries;
    for (std::size_t i = 0; i < states_.size(); ++i) {
        entries.push_back(b.label());
        b.branch(effect_of<&Hypervisor::is_selected>(this), entries.back(), i);
    }
    b.prefix_steps("host_");
    for (std::size_t i = 0; i < states_.size(); ++i) {
        b.bind(entries[i]);
        states_[i].strategy->emit(b, states_[i].request);
        b.jump(left);
    }
    b.prefix_steps({});
    b.bind(left).unmask_interrupts();
    emit_host_interrupt(b);
    b.effect(effect_of<&Hypervisor::leave_state>(this), 0, "host_idle_leave").jump(loop);
    b.bind(done);
}

// The timer of the guest is an hrtimer of the host; any other vector is one of posted interrupts,
// or of a device.
void Hypervisor::emit_host_interrupt(ProgramBuilder& b) {
    const Label none = b.label();
    const Label timer = b.label();
    b.branch(effect_of<&Hypervisor::took_no_interrupt>(this), none);
    b.branch(effect_of<&Hypervisor::took_timer>(this), timer);
    b.work("host_interrupt").jump(none);
    b.bind(timer).work("host_timer_interrupt").bind(none);
}

void Hypervisor::emit_icr_write(ProgramBuilder& b, Effect send) {
    const Label awake = b.label();
    b.vm_exit().effect(send, 0, "icr_emulation");
    b.branch(effect_of<&Hypervisor::target_is_awake>(this), awake).work("vcpu_wake").bind(awake);
    b.effect(effect_of<&Hypervisor::deliver>(this)).vm_entry();
}

void Hypervisor::emit_interrupt_exit(ProgramBuilder& b, bool by_timer) {
    // Without posted interrupts every vector takes this way, and a timer's not once more.
    if (by_timer != spec_.posted_interrupts) {
        return;
    }
    const Label injected = b.label();
    b.branch(effect_of<&Hypervisor::was_injected>(this), injected).vm_exit();
    b.work(by_timer ? "host_timer_interrupt" : "host_interrupt").vm_entry().bind(injected);
}

// True where the host does not poll.
bool Hypervisor::begin_halt(LogicalCpu& cpu, std::uint64_t) {
    Vcpu& vcpu = of(cpu);
    ++vcpu.stats.halt_exits;
    vcpu.halted_at = cpu.now();
    vcpu.has_waited = false;
    const std::uint32_t limit = vcpu.window.begin();
    vcpu.polls = may_poll_ && limit != 0;
    cpu.set_poll_limit(std::chrono::nanoseconds{limit});
    return !vcpu.polls;
}

bool Hypervisor::has_event(LogicalCpu& cpu, std::uint64_t) {
    return cpu.has_guest_event();
}

bool Hypervisor::block(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).has_waited = true;
    cpu.set_blocked(true);
    return false;
}

bool Hypervisor::select_state(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).idle.select();
    return false;
}

bool Hypervisor::is_selected(LogicalCpu& cpu, std::uint64_t state) {
    return of(cpu).idle.selected() == static_cast<int>(state);
}

bool Hypervisor::leave_state(LogicalCpu& cpu, std::uint64_t) {
    of(cpu).idle.leave();
    return false;
}

bool Hypervisor::took_no_interrupt(LogicalCpu& cpu, std::uint64_t) {
    return !cpu.take_host_interrupt();
}

bool Hypervisor::took_timer(LogicalCpu& cpu, std::uint64_t) {
    return cpu.has_pending(kLocalTimerVector) || cpu.has_pending(kExpiredTimerVector);
}

bool Hypervisor::unblock(LogicalCpu& cpu, std::uint64_t) {
    cpu.set_blocked(false);
    ++of(cpu).stats.halt_wakeup;
    return false;
}

bool Hypervisor::end_halt(LogicalCpu& cpu, std::uint64_t) {
    Vcpu& vcpu = of(cpu);
    if (vcpu.polls) {
        ++vcpu.stats.halt_attempted_poll;
        vcpu.stats.halt_successful_poll += vcpu.has_waited ? 0 : 1;
    }
    if (may_poll_) {
        vcpu.window.end(
            std::chrono::floor<std::chrono::nanoseconds>(cpu.now() - vcpu.halted_at).count());
    }
    return false;
}

bool Hypervisor::target_is_awake(LogicalCpu& cpu, std::uint64_t) {
    return !fabric_->held_target(cpu).is_blocked();
}

bool Hypervisor::deliver(LogicalCpu& cpu, std::uint64_t) {
    fabric_->send_held(cpu);
    return false;
}

bool Hypervisor::was_injected(LogicalCpu& cpu, std::uint64_t) {
    return cpu.was_injected();
}

}  // namespace idlesim
