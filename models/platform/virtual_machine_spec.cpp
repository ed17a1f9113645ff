// SPDX-License-Identifier: Apache-2.0
#include "models/platform/virtual_machine_spec.hpp"

#include "models/governor/governor.hpp"
#include "models/strategy/idle_strategy.hpp"

namespace idlesim {

namespace {

constexpr Duration kLongestPoll = std::chrono::seconds{4};  // 32 bits of nanoseconds
constexpr std::int64_t kLargestFactor = 1'000'000;

}  // namespace

const config::Fields<HaltPollSpec>& parameters(const HaltPollSpec*) {
    using config::field;
    static const config::Fields<HaltPollSpec> kFields{
        field("max", &HaltPollSpec::max, "longest poll of the host; halt_poll_ns; 0 ns: none")
            .non_negative()
            .at_most(kLongestPoll),
        field("grow",
              &HaltPollSpec::grow,
              "factor of the limit after a short halt; halt_poll_ns_grow; 0: it never grows")
            .non_negative()
            .at_most(kLargestFactor),
        field("grow_start",
              &HaltPollSpec::grow_start,
              "least limit that is not 0; halt_poll_ns_grow_start")
            .non_negative()
            .at_most(kLongestPoll),
        field("shrink",
              &HaltPollSpec::shrink,
              "divisor of the limit after a long halt; halt_poll_ns_shrink; 0 sets it to 0, the "
              "default up to 6.8")
            .non_negative()
            .at_most(kLargestFactor),
    };
    return kFields;
}

const config::Fields<HostIdleSpec>& parameters(const HostIdleSpec*) {
    using config::field;
    static const config::Fields<HostIdleSpec> kFields{
        field("version", &HostIdleSpec::version, "version of the host's kernel"),
        field("hz", &HostIdleSpec::hz, "its HZ").at_least(1).at_most(1000),
        field("cpuidle",
              &HostIdleSpec::cpuidle,
              "its cpuidle driver: intel_idle, acpi_idle, or none for the default idle routine")
            .one_of({"none", "intel_idle", "acpi_idle"}),
        field("idle",
              &HostIdleSpec::idle,
              "strategy in place of every callback that does not poll; absent: the driver's"),
        field("governor",
              &HostIdleSpec::governor,
              "chooses among the host's states; absent: menu as the version has it"),
        field("disabled_states", &HostIdleSpec::disabled_states, "states that are switched off"),
    };
    return kFields;
}

const config::Fields<VirtualMachineSpec>& parameters(const VirtualMachineSpec*) {
    using config::field;
    static const config::Fields<VirtualMachineSpec> kFields{
        field("mwait",
              &VirtualMachineSpec::mwait,
              "what the guest sees of MWAIT: absent, or passthrough with the host's table"),
        field("hlt_exits", &VirtualMachineSpec::hlt_exits, "HLT leaves the guest"),
        field("ipi_virtualization",
              &VirtualMachineSpec::ipi_virtualization,
              "the hardware sends the guest's IPIs; if not, each is a VM exit"),
        field("posted_interrupts",
              &VirtualMachineSpec::posted_interrupts,
              "interrupts reach a virtual CPU that runs without a VM exit"),
        field("timer_write_exits",
              &VirtualMachineSpec::timer_write_exits,
              "a write of the TSC deadline is a VM exit"),
        field("halt_poll", &VirtualMachineSpec::halt_poll, "how the host polls before it sleeps"),
        field("host", &VirtualMachineSpec::host, "how the host idles below a halted guest"),
    };
    return kFields;
}

}  // namespace idlesim
