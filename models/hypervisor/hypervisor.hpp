// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/fabric.hpp"
#include "models/cpu/program.hpp"
#include "models/hypervisor/halt_poll.hpp"
#include "models/kernel/registered_state.hpp"
#include "models/platform/platform.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace idlesim {

/// What KVM counts of a virtual CPU, by the names of its statistics.
struct VcpuStats {
    std::uint64_t exits = 0;
    std::uint64_t halt_exits = 0;
    std::uint64_t halt_attempted_poll = 0;
    std::uint64_t halt_successful_poll = 0;
    std::uint64_t halt_wakeup = 0;
};

/// KVM and the host's kernel below the virtual CPUs of a machine: writes the operations that take
/// the place of an instruction that leaves the guest. A HLT becomes: exit; poll for a while; give
/// up the CPU; the host's idle loop, in the state that its governor chooses; the host's interrupt
/// handler; the thread's way back; entry, with what has come. Source: kvm_vcpu_halt() and
/// kvm_vcpu_block() (virt/kvm/kvm_main.c), arch/x86/kvm/{lapic,vmx/vmx,vmx/posted_intr}.c of 6.12.
class Hypervisor {
public:
    /// `platform`, which has a virtual machine, must outlive it. Throws DriverError where the
    /// host's driver would not load.
    explicit Hypervisor(const PlatformSpec& platform);
    Hypervisor(const Hypervisor&) = delete;
    Hypervisor(Hypervisor&&) = delete;
    Hypervisor& operator=(const Hypervisor&) = delete;
    Hypervisor& operator=(Hypervisor&&) = delete;
    ~Hypervisor();

    /// A CPU that runs programs written here. Both must outlive the hypervisor.
    void add(LogicalCpu& cpu, Fabric& fabric);

    [[nodiscard]] const VirtualMachineSpec& spec() const { return spec_; }

    /// When the next timer of the guest on `cpu` is due.
    void set_timers(int cpu, std::function<std::optional<Time>()> next);

    /// The guest polls for itself (MSR_KVM_POLL_CONTROL).
    void forbid_polling() { may_poll_ = false; }

    void emit_halt(ProgramBuilder& b);

    /// `send` sends an interrupt by the fabric.
    void emit_icr_write(ProgramBuilder& b, Effect send);

    /// Before the handler of an interrupt: nothing where it was injected by a VM entry, or came
    /// without an exit.
    void emit_interrupt_exit(ProgramBuilder& b, bool by_timer);

    [[nodiscard]] VcpuStats stats(int cpu) const;

    [[nodiscard]] const std::vector<RegisteredState>& host_states() const { return states_; }

private:
    struct Vcpu;

    [[nodiscard]] Vcpu& of(const LogicalCpu& cpu);
    void emit_host_idle(ProgramBuilder& b);
    void emit_host_interrupt(ProgramBuilder& b);

    bool begin_halt(LogicalCpu&, std::uint64_t);
    bool has_event(LogicalCpu&, std::uint64_t);
    bool block(LogicalCpu&, std::uint64_t);
    bool select_state(LogicalCpu&, std::uint64_t);
    bool is_selected(LogicalCpu&, std::uint64_t state);
    bool leave_state(LogicalCpu&, std::uint64_t);
    bool took_no_interrupt(LogicalCpu&, std::uint64_t);
    bool took_timer(LogicalCpu&, std::uint64_t);
    bool unblock(LogicalCpu&, std::uint64_t);
    bool end_halt(LogicalCpu&, std::uint64_t);
    bool target_is_awake(LogicalCpu&, std::uint64_t);
    bool deliver(LogicalCpu&, std::uint64_t);
    bool was_injected(LogicalCpu&, std::uint64_t);

    const VirtualMachineSpec& spec_;
    std::vector<RegisteredState> states_;
    std::vector<std::unique_ptr<Vcpu>> vcpus_;  // [CPU], nullptr where it takes no part
    Fabric* fabric_ = nullptr;
    bool may_poll_ = true;
};

}  // namespace idlesim
