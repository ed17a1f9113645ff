// SPDX-License-Identifier: Apache-2.0
#include "models/cstate/cstate_hardware.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace idlesim {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
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
        state.mean_entry = costs.cost(state.entry).base;
        state.mean_exit = exit.base;
        state.longest_exit = exit.base + platform.find_cost(entry.key + "_exit")->window;
        if (entry.value.slow_clock) {
            state.slowdown = platform.core_clock.hertz() / entry.value.slow_clock->clock.hertz();
        }
        const int index = static_cast<int>(states_.size());
        if (entry.value.scope != StateScope::package) {
            deepest_core_ = index;
        }
        if (entry.value.scope == StateScope::thread || entry.value.promotion_of_c1) {
            deepest_active_ = index;
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
        power_ = std::make_unique<PowerMeter>(*platform.power, topology.cores(), deepest_watts());
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

bool CStateHardware::is_package_state(int state) const {
    return states_[at(state)].spec->scope == StateScope::package;
}

double CStateHardware::watts(int state) const {
    return states_[at(state)].spec->power.value.watts;
}

// The deepest package state that every core asks for, once the last one has.
void CStateHardware::enter_package(const Thread& thread, LogicalCpu& cpu) {
    if (!platform_.firmware.package_c6 || !platform_.firmware.other_cores_idle) {
        return;
    }
    for (int state = thread.requested; state >= 0 && is_package_state(state); --state) {
        if (is_complete(packages_[at(thread.package)], state)) {
            Package& package = package_sleep_[at(thread.package)];
            package.state = state;
            package.asleep_from = cpu.now() + cpu.draw(states_[at(state)].entry);
            return;
        }
    }
}

Duration CStateHardware::package_time(const Package& package, int state, Time now) const {
    const bool is_open = package.state == state && now > package.asleep_from;
    return package.asleep[at(state)] + (is_open ? now - package.asleep_from : Duration::zero());
}

void CStateHardware::add_package_time(const Thread& thread, Time now, GrantedTime& time) const {
    const Package& package = package_sleep_[at(thread.package)];
    for (int state = deepest_core_ + 1; state < states(); ++state) {
        time.package[at(state)] +=
            package_time(package, state, now) - thread.package_before[at(state)];
    }
}

// What has to pass until the package is awake: its exit, the rest of an entry that cannot be
// interrupted, or the rest of an exit that another core has begun.
void CStateHardware::leave_package(const Thread& thread, LogicalCpu& cpu, HardwareExit& exit) {
    Package& package = package_sleep_[at(thread.package)];
    const Time now = cpu.now();
    if (package.state >= 0) {
        const State& state = states_[at(package.state)];
        const bool has_entered = now >= package.asleep_from;
        package.asleep[at(package.state)] = package_time(package, package.state, now);
        package.exit_step = state.exit_step;
        package.awake_from = has_entered ? now + cpu.draw(state.exit) : package.asleep_from;
        if (power_ != nullptr && has_entered) {
            power_->add(state.spec->transition_energy.value.joules);
        }
        package.state = -1;
    }
    exit.package_step = package.exit_step;
    exit.package = std::max(Duration::zero(), package.awake_from - now);
}

// A thread whose core stays awake just stops issuing; the core has nothing to enter.
CostId CStateHardware::entry(LogicalCpu& cpu, int requested, CostId asked) {
    const Thread& thread = threads_[at(cpu.number())];
    const Domain& core = cores_[at(thread.core)];
    const bool is_last = core.asleep_for[0] == core.members - 1;
    return is_last || requested == 0 ? asked : states_[0].entry;
}

void CStateHardware::arrive(LogicalCpu& cpu, int requested) {
    Thread& thread = threads_[at(cpu.number())];
    const Time now = cpu.now();
    thread.asked = requested;
    thread.requested = effective_request(thread, requested);
    thread.arrived = now;
    thread.granted_since = now;
    for (int state = deepest_core_ + 1; state < states(); ++state) {
        thread.package_before[at(state)] =
            package_time(package_sleep_[at(thread.package)], state, now);
    }
    thread.asleep = true;
    count(thread, thread.requested, 1);
    resolve_around(thread, now);
    enter_package(thread, cpu);
    report_power(thread, now);
}

// A demoted C1 that lasts long enough goes on to what was asked for, as far as its siblings let it:
// the state, if it is another than C1.
std::optional<int> CStateHardware::undemoted(const Thread& thread, Time now) const {
    const auto& rule = platform_.firmware.c1_demotion;
    if (!rule || !thread.is_demoted || thread.asked == 0 ||
        now - thread.arrived <= rule->undemotion) {
        return std::nullopt;
    }
    const Domain& core = cores_[at(thread.core)];
    for (int state = std::min(thread.asked, deepest_core_); state > 0; --state) {
        const StateScope scope = states_[at(state)].spec->scope;
        const bool others_ask = core.asleep_for[at(state)] == core.members - 1;
        if (scope == StateScope::thread || (scope == StateScope::core && others_ask)) {
            return state;
        }
    }
    return std::nullopt;
}

// From the moment of the undemotion on, as time and as energy.
void CStateHardware::go_deeper(Thread& thread, int state, Time now) {
    const Time from = thread.arrived + platform_.firmware.c1_demotion->undemotion;
    thread.time.core[at(thread.granted)] += from - thread.granted_since;
    if (power_ != nullptr) {
        const double seconds = std::chrono::duration<double>(now - from).count();
        const double awake = state == deepest_core_ ? power_->awake_watts(thread.core) : 0.0;
        power_->add((watts(state) - watts(thread.granted) - awake) * seconds);
    }
    thread.granted_since = from;
    thread.granted = state;
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
    thread.woken_at = now;
    if (const auto deeper = undemoted(thread, now)) {
        go_deeper(thread, *deeper, now);
    }
    const State& state = states_[at(thread.granted)];
    const Duration slept = now - thread.arrived;
    add_package_time(thread, now, thread.time);
    HardwareExit exit;
    leave_package(thread, cpu, exit);
    exit.core = cpu.draw(state.exit);
    exit.core_step = state.exit_step;
    if (slept >= state.spec->cold_after.value) {
        exit.cold_work = state.spec->cold_work.value;
    }
    if (cause == WakeCause::local_timer && state.spec->pre_wake && thread.granted > 0) {
        // Begun as early as the longest exit asks for, but not before the core had arrived.
        const Duration lead = std::min(state.longest_exit + exit.package, slept);
        const Duration left = exit.package + exit.core - lead;
        exit.package = Duration::zero();
        exit.core = std::max(cpu.draw(states_[0].exit), left);
    }
    if (state.spec->slow_clock) {
        exit.slowdown = state.slowdown;
        exit.slow_for = state.spec->slow_clock->length;
    }
    if (power_ != nullptr) {
        power_->add(state.spec->transition_energy.value.joules);
    }
    resolve_around(thread, now);
    thread.asleep = false;
    count(thread, thread.requested, -1);
    resolve_around(thread, now);
    learn_demotion(thread, slept);
    return exit;
}

void CStateHardware::doze(LogicalCpu& cpu) {
    Thread& thread = threads_[at(cpu.number())];
    thread.granted = 0;
    report_power(thread, cpu.now());
}

void CStateHardware::state_changed(const LogicalCpu& cpu, CpuState state) {
    Thread& thread = threads_[at(cpu.number())];
    thread.activity = state;
    if (is_active(state)) {
        report_power(thread, cpu.now());
    }
}

// The cores of the module, whose states may have changed with this one's.
void CStateHardware::report_power(const Thread& thread, Time now) {
    if (power_ == nullptr) {
        return;
    }
    int reported = -1;
    for (const int number : thread.neighbours) {
        const int core = threads_[at(number)].core;
        if (core > reported) {
            report_core(core, thread, now);
            reported = core;
        }
    }
}

Time CStateHardware::last_wake(int cpu) const {
    return threads_[at(cpu)].woken_at;
}

std::optional<double> CStateHardware::idle_energy(int cpu,
                                                  int state,
                                                  Duration idle,
                                                  bool others_work) const {
    if (power_ == nullptr) {
        return std::nullopt;
    }
    const PowerSpec& spec = *platform_.power;
    const auto seconds = [](Duration time) { return std::chrono::duration<double>(time).count(); };
    const bool is_free = others_work && power_->others_awake(threads_[at(cpu)].core);
    const double awake = is_free ? 0.0 : spec.awake.value.watts;
    if (state < 0) {
        return (spec.core_polling.value.watts + awake) * seconds(idle);
    }
    const State& asked = states_[at(state)];
    const int core_state = std::min(state, deepest_core_);
    const double asleep = watts(core_state) + (core_state < deepest_core_ ? awake : 0.0);
    const double running = spec.core_running.value.watts + awake;
    const Duration resident = std::max(Duration::zero(), idle - asked.mean_entry);
    double transitions = asked.spec->transition_energy.value.joules;
    Duration way = asked.mean_entry + asked.mean_exit;
    // Behind the package its core has to wake, too.
    if (state > deepest_core_) {
        transitions += states_[at(core_state)].spec->transition_energy.value.joules;
        way += states_[at(core_state)].mean_exit;
    }
    return asleep * seconds(resident) + running * seconds(way) + transitions;
}

// A core draws what its most awake thread draws, and a little for each more.
void CStateHardware::report_core(int core, const Thread& thread, Time now) {
    const PowerSpec& spec = *platform_.power;
    int active = 0;
    bool runs = false;
    int granted = deepest_core_;
    for (const int number : thread.neighbours) {
        const Thread& other = threads_[at(number)];
        if (other.core != core) {
            continue;
        }
        if (is_active(other.activity) && !other.asleep) {
            ++active;
            runs = runs || other.activity != CpuState::polling;
        } else {
            granted = std::min(granted, other.granted);
        }
    }
    if (active == 0) {
        const bool is_active = granted <= deepest_active_;
        power_->core_changes(core, {watts(granted), 0, granted < deepest_core_, is_active}, now);
        return;
    }
    const double first = runs ? spec.core_running.value.watts : spec.core_polling.value.watts;
    const double clocked = first + spec.second_thread.value.watts * (active - 1);
    power_->core_changes(core, {0, clocked, true, true}, now);
}

GrantedTime CStateHardware::granted(int cpu, Time now) const {
    const Thread& thread = threads_[at(cpu)];
    GrantedTime time = thread.time;
    if (!thread.asleep) {
        return time;
    }
    Time since = thread.granted_since;
    int state = thread.granted;
    if (const auto deeper = undemoted(thread, now)) {
        const Time from = thread.arrived + platform_.firmware.c1_demotion->undemotion;
        time.core[at(state)] += from - since;
        since = from;
        state = *deeper;
    }
    time.core[at(state)] += now - since;
    add_package_time(thread, now, time);
    return time;
}

}  // namespace idlesim
