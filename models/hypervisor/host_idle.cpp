// SPDX-License-Identifier: Apache-2.0
#include "models/hypervisor/host_idle.hpp"

#include "models/cpu/logical_cpu.hpp"
#include "models/kernel/kernel_spec.hpp"

#include <algorithm>
#include <chrono>

namespace idlesim {

namespace {

constexpr Nanoseconds kNanosecondsPerSecond = 1'000'000'000;

// PM_QOS_RESUME_LATENCY_NO_CONSTRAINT as seen by governors (include/linux/pm_qos.h, 6.3).
constexpr Nanoseconds kNoLatencyLimit = 2'000'000'000'000;

KernelSpec kernel_of(const HostIdleSpec& spec) {
    KernelSpec kernel;
    kernel.version = spec.version;
    kernel.hz = spec.hz;
    kernel.cpuidle = spec.cpuidle == "intel_idle"  ? CpuidleDriver::intel_idle
                     : spec.cpuidle == "acpi_idle" ? CpuidleDriver::acpi_idle
                                                   : CpuidleDriver::none;
    kernel.disabled_states = spec.disabled_states;
    return kernel;
}

std::vector<IdleState> declared(const std::vector<RegisteredState>& states) {
    std::vector<IdleState> table;
    for (const RegisteredState& state : states) {
        table.push_back(state.declared);
    }
    return table;
}

// A host without a driver has one way to idle, which asks for the shallowest state.
RegisteredState default_state(const KernelSpec& kernel,
                              const PlatformSpec& host,
                              const std::optional<Choice<IdleStrategy>>& idle) {
    RegisteredState state;
    state.strategy_name = idle ? idle->kind : std::string{default_idle_strategy(kernel, host)};
    state.strategy =
        idle ? idle->make() : Registry<IdleStrategy>::choice(state.strategy_name).make();
    state.declared.name = state.strategy->state_name();
    if (!host.hardware_states.empty()) {
        state.hardware = 0;
        state.request.hardware = host.hardware_states.begin()->key;
    }
    return state;
}

}  // namespace

std::vector<RegisteredState> host_states(const PlatformSpec& platform) {
    PlatformSpec host = platform;
    host.virtual_machine.reset();
    const HostIdleSpec& spec = platform.virtual_machine->host;
    const KernelSpec kernel = kernel_of(spec);
    std::vector<RegisteredState> states;
    try {
        states = register_states(kernel, host, spec.idle);
    } catch (const DriverError& refused) {
        throw DriverError{std::string{"virtual_machine.host: "} + refused.what()};
    }
    if (states.empty()) {
        states.push_back(default_state(kernel, host, spec.idle));
    }
    return states;
}

HostIdle::HostIdle(const HostIdleSpec& spec,
                   const std::vector<RegisteredState>& states,
                   LogicalCpu& cpu)
    : cpu_{cpu}, table_{declared(states)}, tick_{(kNanosecondsPerSecond + spec.hz / 2) / spec.hz} {
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (states[i].declared.disabled) {
            disabled_ |= StateMask{1} << i;
        }
    }
    if (states.size() > 1) {
        governor_ = spec.governor
                        ? spec.governor->make()
                        : Registry<Governor>::choice(default_governor(kernel_of(spec))).make();
        governor_->enable(declared(states), *this);
    }
}

void HostIdle::select() {
    selected_ = governor_ ? governor_->select(*this, nullptr).state : 0;
    if (table_.polls(selected_)) {
        if (poll_limit_ == 0) {
            poll_limit_ = default_poll_limit(table_, disabled_, tick_);
        }
        cpu_.set_poll_limit(std::chrono::nanoseconds{poll_limit_});
    }
    entered_at_ = cpu_.now();
}

void HostIdle::leave() {
    last_residency_ =
        std::chrono::floor<std::chrono::nanoseconds>(cpu_.now() - entered_at_).count();
    if (governor_) {
        governor_->reflect(selected_, *this);
    }
}

Nanoseconds HostIdle::now() const {
    return std::chrono::floor<std::chrono::nanoseconds>(cpu_.now() - Time{}).count();
}

Nanoseconds HostIdle::latency_limit() const {
    return kNoLatencyLimit;
}

SleepLength HostIdle::query_sleep_length() {
    const auto next = next_timer_ ? next_timer_() : std::nullopt;
    SleepLength length;
    length.timer = next ? std::chrono::floor<std::chrono::nanoseconds>(*next - cpu_.now()).count()
                        : kEndlessSleep - now();
    length.event = std::min(length.timer, tick_ - now() % tick_);
    return length;
}

bool HostIdle::poll_limit_hit() const {
    return cpu_.poll_limit_hit();
}

void HostIdle::clear_poll_limit_hit() {
    cpu_.clear_poll_limit_hit();
}

}  // namespace idlesim
