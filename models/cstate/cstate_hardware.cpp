// SPDX-License-Identifier: Apache-2.0
#include "models/cstate/cstate_hardware.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace idlesim {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

double hertz(const Frequency& clock) {
    return static_cast<double>(clock.numerator) / static_cast<double>(clock.denominator);
}

bool is_active(CpuState state) {
    return state != CpuState::resident && state != CpuState::stopped;
}

}  // namespace

CStateHardware::CStateHardware(const PlatformSpec& platform,
                               const CostTable& costs,
                               StepNames& steps,
                               const std::vector<int>& cpus)
    : platform_{platform},
      threads_(at(platform.topology.cpus())),
      cores_(at(platform.topology.cores())),
      modules_(at(platform.topology.cores())),
      packages_(at(platform.topology.packages)),
      package_sleep_(at(platform.topology.packages)),
      demotion_(at(platform.topology.cores())) {
    for (const auto& entry : platform.hardware_states) {
        State state;
        state.spec = &entry.value;
        state.name = entry.key;
        state.entry = costs.id(entry.key + "_entry");
        state.exit = costs.id(entry.key + "_exit");
        state.exit_step = steps.id(entry.key + "_exit");
        const CompiledCost& exit = costs.cost(state.exit);
        state.longest_exit = exit.base + platform.find_cost(entry.key + "_exit")->window;
        if (entry.value.slow_clock) {
            state.slowdown = hertz(platform.core_clock) / hertz(entry.value.slow_clock->clock);
        }
        const int index = static_cast<int>(states_.size());
        if (entry.value.scope == StateScope::package) {
            package_state_ = index;
        }
        if (entry.value.promotion_of_c1 && platform.firmware.c1e_promotion) {
            promoted_c1_ = index;
        }
        states_.push_back(std::move(state));
    }
    const Topology& topology = platform.topology;
    for (const int number : cpus) {
        Thread& thread = threads_[at(number)];
        if (thread.takes_part) {
            continue;
        }
        thread.takes_part = true;
        thread.number = number;
        thread.core = topology.core_of(number);
        thread.module = topology.module_of(number);
        thread.package = topology.package_of(number);
        ++cores_[at(thread.core)].members;
        ++modules_[at(thread.module)].members;
        ++packages_[at(thread.package)].members;
    }
    for (Thread& thread : threads_) {
        for (const Thread& other : threads_) {
            if (thread.takes_part && other.takes_part && other.module == thread.module) {
                thread.neighbours.push_back(other.number);
            }
        }
    }
    if (platform.power) {
        const int deepest = package_state_ < 0 ? states() - 1 : package_state_ - 1;
        power_ = std::make_unique<PowerMeter>(
            *platform.power,
            topology.cores(),
            states_.empty() ? 0.0 : states_[at(deepest)].spec->power.value.watts);
    }
}

CStateHardware::~CStateHardware() = default;

int CStateHardware::states() const {
    return static_cast<int>(states_.size());
}

const std::string& CStateHardware::state_name(int state) const {
    return states_[at(state)].name;
}

int CStateHardware::effective_request(const Thread& thread, int requested) const {
    if (requested == 0) {
        return promoted_c1_;
    }
    return thread.is_demoted ? 0 : requested;
}

bool CStateHardware::is_complete(const Domain& domain, int state) const {
    return domain.asleep_for[at(state)] == domain.members;
}

// The deepest state of a core or module that the thread asks for and that is complete.
int CStateHardware::granted_state(const Thread& thread) const {
    for (int state = thread.requested; state > 0; --state) {
        switch (states_[at(state)].spec->scope) {
            case StateScope::thread:
                return state;
            case StateScope::core:
                if (is_complete(cores_[at(thread.core)], state)) {
                    return state;
                }
                break;
            case StateScope::module:
                if (is_complete(modules_[at(thread.module)], state)) {
                    return state;
                }
                break;
            case StateScope::package:
                break;
        }
    }
    return 0;
}

void CStateHardware::count(const Thread& thread, int requested, int by) {
    for (int state = 0; state <= requested; ++state) {
        cores_[at(thread.core)].asleep_for[at(state)] += by;
        modules_[at(thread.module)].asleep_for[at(state)] += by;
        packages_[at(thread.package)].asleep_for[at(state)] += by;
    }
}

// What the neighbours get may have changed: closes their intervals.
void CStateHardware::resolve_around(const Thread& thread, Time now) {
    for (const int number : thread.neighbours) {
        Thread& neighbour = threads_[at(number)];
        if (!neighbour.asleep) {
            continue;
        }
        neighbour.time.core[at(neighbour.granted)] += now - neighbour.granted_since;
        neighbour.granted_since = now;
        neighbour.granted = granted_state(neighbour);
    }
}

void CStateHardware::open_package(const Thread& thread, Time now) {
    if (package_state_ < 0 || !platform_.firmware.package_c6 ||
        !platform_.firmware.other_cores_idle ||
        !is_complete(packages_[at(thread.package)], package_state_)) {
        return;
    }
    Package& package = package_sleep_[at(thread.package)];
    package.complete = true;
    package.asleep_from = now;
}

Duration CStateHardware::package_time(const Thread& thread, Time now) const {
    const Package& package = package_sleep_[at(thread.package)];
    const Duration open = package.complete && now > package.asleep_from ? now - package.asleep_from
                                                                        : Duration::zero();
    return package.asleep + open;
}

// Time until the package is awake: its exit, or the rest of an entry that cannot be interrupted.
Duration CStateHardware::leave_package(const Thread& thread, LogicalCpu& cpu) {
    Package& package = package_sleep_[at(thread.package)];
    if (!package.complete) {
        return Duration::zero();
    }
    const Time now = cpu.now();
    package.asleep = package_time(thread, now);
    package.complete = false;
    return now < package.asleep_from ? package.asleep_from - now
                                     : cpu.draw(states_[at(package_state_)].exit);
}

void CStateHardware::arrive(LogicalCpu& cpu, int requested) {
    Thread& thread = threads_[at(cpu.number())];
    const Time now = cpu.now();
    thread.asked = requested;
    thread.requested = effective_request(thread, requested);
    thread.arrived = now;
    thread.granted_since = now;
    thread.package_asleep_before = package_time(thread, now);
    thread.asleep = true;
    count(thread, thread.requested, 1);
    resolve_around(thread, now);
    if (package_state_ >= 0 && thread.requested >= package_state_) {
        open_package(thread, now + cpu.draw(states_[at(package_state_)].entry));
    }
    report_power(thread, now);
}

// A demoted C1 that lasts long enough goes on to what was asked for.
int CStateHardware::undemoted(const Thread& thread, Time now) const {
    const auto& rule = platform_.firmware.c1_demotion;
    const bool goes_deeper =
        rule && thread.is_demoted && thread.asked > 0 && now - thread.arrived > rule->undemotion;
    return goes_deeper
               ? std::min(thread.asked, package_state_ < 0 ? thread.asked : package_state_ - 1)
               : thread.granted;
}

void CStateHardware::learn_demotion(Thread& thread, Duration slept) {
    const auto& rule = platform_.firmware.c1_demotion;
    if (!rule || thread.asked == 0) {
        return;
    }
    int& short_sleeps = demotion_[at(thread.core)].short_sleeps;
    short_sleeps = slept < rule->interval ? short_sleeps + 1 : 0;
    thread.is_demoted = short_sleeps >= rule->count;
}

HardwareExit CStateHardware::wake(LogicalCpu& cpu, WakeCause cause) {
    Thread& thread = threads_[at(cpu.number())];
    const Time now = cpu.now();
    const int granted = undemoted(thread, now);
    if (granted != thread.granted) {
        const Time deeper_from = thread.arrived + platform_.firmware.c1_demotion->undemotion;
        thread.time.core[at(thread.granted)] += deeper_from - thread.granted_since;
        thread.granted_since = deeper_from;
        thread.granted = granted;
    }
    const State& state = states_[at(granted)];
    HardwareExit exit;
    exit.package = leave_package(thread, cpu);
    if (exit.package > Duration::zero()) {
        exit.package_step = states_[at(package_state_)].exit_step;
    }
    exit.core = cpu.draw(state.exit);
    exit.core_step = state.exit_step;
    if (now - thread.arrived >= state.spec->cold_after.value) {
        exit.cold_work = state.spec->cold_work.value;
    }
    if (cause == WakeCause::local_timer && state.spec->pre_wake && granted > 0) {
        const Duration early = exit.core - state.longest_exit;
        exit.package = Duration::zero();
        exit.core = std::max(cpu.draw(states_[0].exit), early);
    }
    if (state.spec->slow_clock) {
        exit.slowdown = state.slowdown;
        exit.slow_for = state.spec->slow_clock->length;
    }
    if (power_ != nullptr) {
        power_->add(state.spec->transition_energy.value.joules);
    }
    thread.time.package += package_time(thread, now) - thread.package_asleep_before;
    resolve_around(thread, now);
    thread.asleep = false;
    count(thread, thread.requested, -1);
    resolve_around(thread, now);
    learn_demotion(thread, now - thread.arrived);
    return exit;
}

void CStateHardware::state_changed(const LogicalCpu& cpu, CpuState state) {
    Thread& thread = threads_[at(cpu.number())];
    thread.activity = state;
    if (is_active(state)) {
        report_power(thread, cpu.now());
    }
}

// A core draws what its most awake thread draws, and a little for each more.
void CStateHardware::report_power(const Thread& thread, Time now) {
    if (power_ == nullptr) {
        return;
    }
    const PowerSpec& spec = *platform_.power;
    int active = 0;
    bool runs = false;
    int granted = states() - 1;
    for (const int number : thread.neighbours) {
        const Thread& other = threads_[at(number)];
        if (other.core != thread.core) {
            continue;
        }
        if (is_active(other.activity) && !other.asleep) {
            ++active;
            runs = runs || other.activity != CpuState::polling;
        } else {
            granted = std::min(granted, other.granted);
        }
    }
    const int deepest = package_state_ < 0 ? states() - 1 : package_state_ - 1;
    if (active == 0) {
        const double watts = states_[at(std::min(granted, deepest))].spec->power.value.watts;
        power_->core_changes(thread.core, watts, granted < deepest, now);
        return;
    }
    const double first = runs ? spec.core_running.value.watts : spec.core_polling.value.watts;
    power_->core_changes(
        thread.core, first + spec.second_thread.value.watts * (active - 1), true, now);
}

GrantedTime CStateHardware::granted(int cpu, Time now) const {
    const Thread& thread = threads_[at(cpu)];
    GrantedTime time = thread.time;
    if (thread.asleep) {
        time.core[at(thread.granted)] += now - thread.granted_since;
        time.package += package_time(thread, now) - thread.package_asleep_before;
    }
    return time;
}

}  // namespace idlesim
