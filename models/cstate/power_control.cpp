// SPDX-License-Identifier: Apache-2.0
#include "models/cstate/power_control.hpp"

#include "models/cpu/logical_cpu.hpp"

#include <algorithm>

namespace idlesim {

namespace {

double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

Duration busy_time(const LogicalCpu& cpu) {
    const auto residency = cpu.residency();
    const auto in = [&residency](CpuState state) {
        return residency[static_cast<std::size_t>(state)];
    };
    return in(CpuState::running) + in(CpuState::polling) + in(CpuState::waiting) +
           in(CpuState::computing);
}

}  // namespace

struct PowerControl::Package {
    struct Cpu {
        LogicalCpu* cpu = nullptr;
        Duration counted{};  ///< of its busy time
        double cycles = 0;
    };

    Package(PowerControl& owner, Simulation& simulation)
        : control{owner}, event{simulation, "power_control", Phase::clock_change, &look, this} {}

    PowerControl& control;
    Event event;
    std::vector<Cpu> cpus;
    int first_core = 0;
    int cores = 0;
    double clock = 0;
    double fixed = 0;  ///< watts now; clocked: at the nominal clock
    double clocked = 0;
    double fixed_joules = 0;  ///< since the last look
    double clocked_joules = 0;
    int active = 0;
    int most_active = 0;  ///< since the last look
    bool has_changed = false;
    Time since{};
};

PowerControl::PowerControl(const PlatformSpec& platform,
                           Simulation& simulation,
                           PowerMeter& meter,
                           const std::vector<LogicalCpu*>& cpus,
                           double deepest_watts)
    : budget_{*platform.power->budget},
      simulation_{simulation},
      meter_{meter},
      nominal_{platform.core_clock.hertz()} {
    const int cores = platform.topology.cores() / platform.topology.packages;
    for (int i = 0; i < platform.topology.packages; ++i) {
        Package& package = packages_.emplace_back(*this, simulation);
        package.first_core = i * cores;
        package.cores = cores;
        package.clock = nominal_;
        package.fixed = deepest_watts * cores;
    }
    for (LogicalCpu* cpu : cpus) {
        const int package = platform.topology.package_of(cpu->number());
        packages_[static_cast<std::size_t>(package)].cpus.push_back({cpu, {}, 0});
    }
    meter_.set_listener(this);
}

PowerControl::~PowerControl() {
    meter_.set_listener(nullptr);
}

double PowerControl::clock(int package) const {
    return packages_[static_cast<std::size_t>(package)].clock;
}

void PowerControl::account(Package& package, Time now) const {
    const double elapsed = seconds(now - package.since);
    package.fixed_joules += package.fixed * elapsed;
    package.clocked_joules += package.clocked * elapsed;
    package.since = now;
}

void PowerControl::on_core_power(int core,
                                 const CorePower& before,
                                 const CorePower& after,
                                 Time now) {
    Package& package = packages_[static_cast<std::size_t>(core / packages_.front().cores)];
    if (!package.event.is_scheduled()) {
        begin_interval(package, now);
    }
    account(package, now);
    package.fixed += after.fixed - before.fixed;
    package.clocked += after.clocked - before.clocked;
    package.active += static_cast<int>(after.is_active) - static_cast<int>(before.is_active);
    package.most_active = std::max(package.most_active, package.active);
    package.has_changed = true;
}

// On a grid from the start of the run. Power has been constant since the last look.
void PowerControl::begin_interval(Package& package, Time now) {
    const Duration interval = budget_.interval.value;
    package.since = now - (now - Time{}) % interval;
    package.fixed_joules = 0;
    package.clocked_joules = 0;
    simulation_.schedule(package.event, package.since + interval);
}

void PowerControl::look(void* package) {
    auto& looked_at = *static_cast<Package*>(package);
    looked_at.control.look_at(looked_at);
}

void PowerControl::look_at(Package& package) {
    const Time now = simulation_.now();
    account(package, now);
    const double clock = allowed_clock(package);
    const bool goes_on = package.has_changed || clock != package.clock;
    if (clock != package.clock) {
        set_clock(package, clock);
    }
    package.most_active = package.active;
    package.has_changed = false;
    if (goes_on) {
        begin_interval(package, now);
    }
}

// f V^2 as a multiple of the nominal one.
double PowerControl::clocked_factor(double clock) const {
    const double relative = clock / nominal_;
    const double voltage = 1.0 + budget_.voltage_slope.value.value * (relative - 1.0);
    return relative * voltage * voltage;
}

double PowerControl::allowed_clock(const Package& package) const {
    const auto row = std::find_if(
        budget_.turbo.begin(), budget_.turbo.end(), [&package](const TurboLimit& limit) {
            return package.most_active <= limit.active_cores;
        });
    double clock = (row == budget_.turbo.end() ? budget_.turbo.back() : *row).clock.hertz();
    if (!budget_.package_limit) {
        return clock;
    }
    const double limit = budget_.package_limit->value.watts;
    const double interval = seconds(budget_.interval.value);
    const double fixed = budget_.uncore.value.watts + package.fixed_joules / interval;
    const double clocked = package.clocked_joules / interval;
    const double step = budget_.step.hertz();
    while (fixed + clocked * clocked_factor(clock) > limit &&
           clock - step >= budget_.lowest.hertz()) {
        clock -= step;
    }
    return clock;
}

void PowerControl::set_clock(Package& package, double clock) {
    const Time now = simulation_.now();
    for (Package::Cpu& each : package.cpus) {
        const Duration busy = busy_time(*each.cpu);
        each.cycles += seconds(busy - each.counted) * package.clock;
        each.counted = busy;
        each.cpu->set_clock_slowdown(nominal_ / clock, budget_.stall.value);
    }
    package.clock = clock;
    for (int core = package.first_core; core < package.first_core + package.cores; ++core) {
        meter_.clock_changes(core, clocked_factor(clock), now);
    }
}

std::optional<double> PowerControl::busy_clock() const {
    double cycles = 0;
    double busy_seconds = 0;
    for (const Package& package : packages_) {
        for (const Package::Cpu& each : package.cpus) {
            const Duration busy = busy_time(*each.cpu);
            cycles += each.cycles + seconds(busy - each.counted) * package.clock;
            busy_seconds += seconds(busy);
        }
    }
    return busy_seconds > 0 ? std::optional{cycles / busy_seconds} : std::nullopt;
}

}  // namespace idlesim
