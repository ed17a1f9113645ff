// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/governor/governor.hpp"
#include "models/strategy/idle_strategy.hpp"
#include "tests/support/cpuidle_platform.hpp"

#include <memory>
#include <string>
#include <utility>

namespace idlesim::test {

/// Costs of a hypervisor, all of them different, so that a sum tells its parts.
inline void add_hypervisor(PlatformSpec& platform) {
    using namespace std::chrono_literals;
    for (const auto& [name, value] : {std::pair<const char*, Duration>{"vm_exit", 100ns},
                                      {"vm_entry", 200ns},
                                      {"halt_poll_turn", 50ns},
                                      {"vcpu_block", 1000ns},
                                      {"vcpu_unblock", 2000ns},
                                      {"vcpu_wake", 300ns},
                                      {"icr_emulation", 70ns},
                                      {"timer_emulation", 80ns},
                                      {"host_interrupt", 500ns},
                                      {"host_timer_interrupt", 400ns},
                                      {"host_idle_enter", 30ns},
                                      {"host_idle_leave", 20ns}}) {
        set_cost(platform, name, value);
    }
    platform.virtual_machine.emplace();
}

/// The same with every cost alike.
inline void add_hypervisor(PlatformSpec& platform, Duration step) {
    const std::size_t before = platform.costs.entries.size();
    add_hypervisor(platform);
    for (std::size_t i = before; i < platform.costs.entries.size(); ++i) {
        platform.costs.entries[i].value.value = step;
    }
}

/// Always the state of this index.
class FixedGovernor final : public Governor {
public:
    explicit FixedGovernor(int state) : state_{state} {}

    void enable(const std::vector<IdleState>&, GovernorEnvironment&) override {}

    IdleDecision select(GovernorEnvironment&, Explanation*) override { return {state_, true}; }

    void reflect(int, GovernorEnvironment&) override {}

private:
    int state_;
};

/// Virtual CPUs on the server of cpuidle_platform(), whose kernel enters the state of this index
/// (0 POLL, 1 C1, 2 C1E, 3 C6) with interrupts off.
inline PlatformSpec guest_platform(int host_state) {
    PlatformSpec platform = cpuidle_platform();
    add_hypervisor(platform);
    HostIdleSpec& host = platform.virtual_machine->host;
    host.idle = Registry<IdleStrategy>::choice("intel_idle");
    host.governor = Choice<Governor>{
        "fixed", [host_state] { return std::make_unique<FixedGovernor>(host_state); }};
    return platform;
}

}  // namespace idlesim::test
