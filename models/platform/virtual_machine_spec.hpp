// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/field.hpp"
#include "sim/engine/time.hpp"
#include "sim/registry/registry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace idlesim {

class Governor;
class IdleStrategy;

/// What the guest sees of MONITOR/MWAIT: nothing, or the host's instructions and with them the
/// host's table (KVM_X86_DISABLE_EXITS_MWAIT, QEMU's -overcommit cpu-pm=on).
enum class GuestMwait { absent, passthrough };

/// Module parameters of KVM (halt_poll_ns and its like, virt/kvm/kvm_main.c, 6.12).
struct HaltPollSpec {
    Duration max = std::chrono::microseconds{200};
    std::int64_t grow = 2;
    Duration grow_start = std::chrono::microseconds{10};
    std::int64_t shrink = 2;
    config::Location location;
};

const config::Fields<HaltPollSpec>& parameters(const HaltPollSpec*);

/// How the host's kernel idles below a virtual CPU whose thread sleeps.
struct HostIdleSpec {
    std::string version = "6.12";
    int hz = 250;
    std::string cpuidle = "intel_idle";
    /// Absent: what the driver chooses for each state; else in place of it.
    std::optional<Choice<IdleStrategy>> idle;
    /// Absent: menu as near to the version as there is one.
    std::optional<Choice<Governor>> governor;
    std::vector<std::string> disabled_states;
    config::Location location;
};

const config::Fields<HostIdleSpec>& parameters(const HostIdleSpec*);

/// The CPUs of the platform are virtual, each on the physical CPU of its number, which it has for
/// itself. Everything else in the platform file describes the host.
struct VirtualMachineSpec {
    GuestMwait mwait = GuestMwait::absent;
    bool hlt_exits = true;
    /// ICR writes of the guest are sent by the hardware: no exit.
    bool ipi_virtualization = false;
    /// Interrupts for a virtual CPU that runs reach it without an exit.
    bool posted_interrupts = true;
    bool timer_write_exits = true;
    HaltPollSpec halt_poll;
    HostIdleSpec host;
    config::Location location;
};

const config::Fields<VirtualMachineSpec>& parameters(const VirtualMachineSpec*);

}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<GuestMwait> {
    static constexpr std::pair<std::string_view, GuestMwait> values[] = {
        {"absent", GuestMwait::absent}, {"passthrough", GuestMwait::passthrough}};
};

}  // namespace idlesim::config
