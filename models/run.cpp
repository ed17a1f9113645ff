// SPDX-License-Identifier: Apache-2.0
#include "models/run.hpp"

#include "models/hypervisor/hypervisor.hpp"
#include "models/kernel/kernel.hpp"
#include "models/machine.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace idlesim {

namespace {

using namespace std::chrono_literals;

// How much simulated time passes between two looks at the stop flag.
constexpr Duration kSlice = 10ms;

// A workload that does nothing for so long never will.
constexpr Duration kPatience = 100s;

/// The parts of a run, in the order of their lifetimes.
class Assembly {
public:
    Assembly(const Scenario& scenario, const RunOptions& options)
        : Assembly{scenario, options, scenario.workload.make()} {}

private:
    Assembly(const Scenario& scenario,
             const RunOptions& options,
             std::unique_ptr<Workload> made_workload)
        : strategy{choose(scenario).make()},
          machine{scenario.platform,
                  made_workload->cpus(scenario.platform.topology),
                  options.seed,
                  static_cast<std::uint64_t>(options.replication)},
          kernel{machine, kernel_spec(scenario, *made_workload), *strategy, cpuidle(scenario)},
          workload{std::move(made_workload)} {
        machine.simulation().enable_run_ahead(options.run_ahead);
        if (options.trace) {
            kernel.enable_trace();
        }
        if (scenario.placement) {
            kernel.set_placement(scenario.placement->make());
        }
        kernel.set_idle_hook(std::string{workload->idle_hook()});
        kernel.build();
        for (const Choice<InterruptSource>& choice : scenario.interrupts) {
            sources.push_back(choice.make());
            sources.back()->attach(kernel);
        }
        workload->set_up(kernel, {options.sample_rows, scenario.recorded.get()});
    }

    // A tool that asks for a latency limit while it runs is one more who asks.
    static KernelSpec kernel_spec(const Scenario& scenario, const Workload& workload) {
        KernelSpec spec = scenario.kernel;
        if (const auto asked = workload.cpu_dma_latency()) {
            spec.cpu_dma_latency.limit =
                std::min(spec.cpu_dma_latency.limit.value_or(*asked), *asked);
        }
        return spec;
    }

    static Cpuidle cpuidle(const Scenario& scenario) {
        Cpuidle driver;
        driver.states = register_states(scenario.kernel, scenario.platform, scenario.idle);
        driver.make_governor =
            scenario.governor ? scenario.governor->make
                              : Registry<Governor>::choice(default_governor(scenario.kernel)).make;
        return driver;
    }

    static IdleChoice choose(const Scenario& scenario) {
        return scenario.idle ? *scenario.idle
                             : Registry<IdleStrategy>::choice(
                                   default_idle_strategy(scenario.kernel, scenario.platform));
    }

public:
    std::unique_ptr<IdleStrategy> strategy;
    Machine machine;
    Kernel kernel;
    std::unique_ptr<Workload> workload;
    std::vector<std::unique_ptr<InterruptSource>> sources;
};

void run_to_the_end(Assembly& parts, const RunOptions& options) {
    Simulation& simulation = parts.machine.simulation();
    parts.kernel.start();
    double done = 0.0;
    Time moved_at = simulation.now();
    const IdleWatch* watch = parts.kernel.watched();
    while ((done = parts.workload->progress()) < 1.0 && (watch == nullptr || !watch->is_over())) {
        if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
            throw Interrupted{"interrupted"};
        }
        if (options.progress != nullptr) {
            options.progress->store(static_cast<int>(done * 1000.0), std::memory_order_relaxed);
        }
        simulation.run_until(simulation.now() + kSlice);
        if (parts.workload->progress() > done) {
            moved_at = simulation.now();
        } else if (simulation.now() - moved_at > kPatience) {
            throw std::runtime_error{fmt::format(
                "the workload made no progress for {} simulated seconds: a wake-up was lost, or "
                "the workload asks for something that never happens",
                std::chrono::duration_cast<std::chrono::seconds>(kPatience).count())};
        }
    }
}

// A governor that knows what is to come learns it from a run of its own, in which every CPU takes
// the shallowest state that sleeps.
void foresee(const Scenario& scenario, const RunOptions& options, Assembly& parts, WakeLog& log) {
    if (!parts.kernel.governor_needs_foresight()) {
        return;
    }
    RunOptions quiet;
    quiet.seed = options.seed;
    quiet.replication = options.replication;
    quiet.sample_rows = 1;
    quiet.run_ahead = options.run_ahead;
    quiet.stop = options.stop;
    Assembly before{scenario, quiet};
    before.kernel.record_wakes(log);
    run_to_the_end(before, quiet);
    parts.kernel.give_foresight(log);
}

void add_default_idle(const Assembly& parts, int number, RunResult& result) {
    const IdleCounters& counters = parts.kernel.idle_counters(number);
    CpuidleRow row;
    row.cpu = number;
    row.name = parts.strategy->state_name();
    row.usage = counters.usage;
    row.time = counters.time;
    result.cpuidle.push_back(std::move(row));
}

// The row that the hardware's time in `state` belongs to: the shallowest that asks for it or more.
std::size_t row_of(const std::vector<RegisteredState>& states, int hardware) {
    std::size_t row = states.size() - 1;
    for (std::size_t i = states.size(); i-- > 0;) {
        if (states[i].hardware >= hardware) {
            row = i;
        }
    }
    return row;
}

void add_granted_time(const Assembly& parts, int number, std::vector<CpuidleRow>& rows) {
    const CStateHardware* hardware = parts.machine.cstates();
    if (hardware == nullptr) {
        return;
    }
    const GrantedTime granted = hardware->granted(number, parts.machine.now());
    for (int state = 0; state < hardware->states(); ++state) {
        rows[row_of(parts.kernel.idle_states(), state)].granted_time +=
            granted.core[static_cast<std::size_t>(state)];
    }
}

void add_cpuidle(const Assembly& parts, int number, RunResult& result) {
    const std::vector<RegisteredState>& states = parts.kernel.idle_states();
    std::vector<CpuidleRow> rows;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const StateUsage& usage = parts.kernel.cpuidle_device(number)->usage()[i];
        CpuidleRow row;
        row.cpu = number;
        row.state = static_cast<int>(i);
        row.name = states[i].declared.name;
        row.exit_latency = states[i].declared.exit_latency;
        row.target_residency = states[i].declared.target_residency;
        row.usage = usage.usage;
        row.time = usage.time;
        row.above = usage.above;
        row.below = usage.below;
        row.rejected = usage.rejected;
        row.above_time = usage.above_time;
        row.below_time = usage.below_time;
        rows.push_back(std::move(row));
    }
    add_granted_time(parts, number, rows);
    for (CpuidleRow& row : rows) {
        result.cpuidle.push_back(std::move(row));
    }
}

void add_idle_counters(const Assembly& parts, RunResult& result) {
    for (const int number : parts.machine.cpu_numbers()) {
        if (parts.kernel.idle_states().empty()) {
            add_default_idle(parts, number, result);
        } else {
            add_cpuidle(parts, number, result);
        }
    }
}

// How the driver's states fared over all CPUs, as one reads it from sysfs.
void add_state_metrics(RunResult& result) {
    constexpr double kPercent = 100.0;
    constexpr double kPicosecondsPerNanosecond = 1000.0;
    double usage = 0;
    double too_deep = 0;
    double too_shallow = 0;
    Duration time{};
    Duration too_deep_time{};
    Duration too_shallow_time{};
    double c1_usage = 0;
    Duration c1_time{};
    for (const CpuidleRow& row : result.cpuidle) {
        usage += static_cast<double>(row.usage);
        too_deep += static_cast<double>(row.above);
        too_shallow += static_cast<double>(row.below);
        time += row.time;
        too_deep_time += row.above_time;
        too_shallow_time += row.below_time;
        if (row.name == "C1") {
            c1_usage += static_cast<double>(row.usage);
            c1_time += row.time;
        }
    }
    if (usage > 0) {
        result.series.push_back({"too_deep_percent", "%", {kPercent * too_deep / usage}});
        result.series.push_back({"too_shallow_percent", "%", {kPercent * too_shallow / usage}});
    }
    if (time > Duration::zero()) {
        const auto share = [time](Duration part) {
            return kPercent * static_cast<double>(part.count()) / static_cast<double>(time.count());
        };
        result.series.push_back({"too_deep_time_percent", "%", {share(too_deep_time)}});
        result.series.push_back({"too_shallow_time_percent", "%", {share(too_shallow_time)}});
    }
    if (c1_usage > 0) {
        const double each = static_cast<double>(c1_time.count()) / c1_usage;
        result.series.push_back({"c1_residency", "ns", {each / kPicosecondsPerNanosecond}});
    }
}

// How often timers wake a CPU from idle, the tick included.
void add_timer_wakes(const Assembly& parts, RunResult& result) {
    double wakes = 0;
    for (const WakeRow& row : result.wakes) {
        const bool timer = row.cause == "tick" || row.cause == "local_timer";
        wakes += timer ? static_cast<double>(row.wakes) : 0;
    }
    const double seconds = std::chrono::duration<double>(parts.machine.now() - Time{}).count();
    const auto cpus = static_cast<double>(parts.machine.cpu_numbers().size());
    if (seconds > 0) {
        result.series.push_back({"timer_wakes", "1/s", {wakes / seconds / cpus}});
    }
}

// What went wrong, in numbers that a target can ask for.
void add_findings(const Assembly& parts, RunResult& result) {
    const Kernel& kernel = parts.kernel;
    result.findings = kernel.findings().kept();
    if (kernel.wheel_timers_run() > 0) {
        result.series.push_back(
            {"late_timers", "1", {static_cast<double>(kernel.late_timers().size())}});
    }
    if (!kernel.late_timers().empty()) {
        constexpr double kPicosecondsPerMicrosecond = 1e6;
        ScalarSeries lateness{"timer_lateness", "us", {}};
        for (const Duration late : kernel.late_timers()) {
            lateness.values.push_back(static_cast<double>(late.count()) /
                                      kPicosecondsPerMicrosecond);
        }
        result.series.push_back(std::move(lateness));
    }
    if (parts.machine.platform().cpuid.legacy_ibrs) {
        const auto count = kernel.findings().count("handler_without_ibrs");
        result.series.push_back({"handlers_without_ibrs", "1", {static_cast<double>(count)}});
    }
}

void add_power(const Assembly& parts, RunResult& result) {
    const CStateHardware* hardware = parts.machine.cstates();
    if (hardware == nullptr || hardware->power() == nullptr) {
        return;
    }
    const double joules = hardware->power()->energy(parts.machine.now());
    const double seconds = std::chrono::duration<double>(parts.machine.now() - Time{}).count();
    result.series.push_back({"energy", "J", {joules}});
    result.series.push_back({"power", "W", {joules / seconds}});
    if (const PowerControl* control = parts.machine.power_control()) {
        if (const auto clock = control->busy_clock()) {
            constexpr double kHertzPerGigahertz = 1e9;
            result.series.push_back({"busy_clock", "GHz", {*clock / kHertzPerGigahertz}});
        }
    }
}

// The sums over the virtual CPUs of what KVM counts.
void add_halts(const Assembly& parts, RunResult& result) {
    const Hypervisor* hypervisor = parts.machine.hypervisor();
    if (hypervisor == nullptr) {
        return;
    }
    VcpuStats sum;
    for (const int number : parts.machine.cpu_numbers()) {
        const VcpuStats stats = hypervisor->stats(number);
        sum.exits += stats.exits;
        sum.halt_exits += stats.halt_exits;
        sum.halt_attempted_poll += stats.halt_attempted_poll;
        sum.halt_successful_poll += stats.halt_successful_poll;
        sum.halt_wakeup += stats.halt_wakeup;
    }
    const double seconds = std::chrono::duration<double>(parts.machine.now() - Time{}).count();
    const auto cpus = static_cast<double>(parts.machine.cpu_numbers().size());
    const auto add = [&result](const char* metric, std::uint64_t count) {
        result.series.push_back({metric, "1", {static_cast<double>(count)}});
    };
    result.series.push_back({"vm_exits", "1/s", {static_cast<double>(sum.exits) / seconds / cpus}});
    add("halt_exits", sum.halt_exits);
    add("halt_attempted_poll", sum.halt_attempted_poll);
    add("halt_successful_poll", sum.halt_successful_poll);
    add("halt_wakeup", sum.halt_wakeup);
}

std::string time_text(Time time) {
    return to_text(time - Time{});
}

std::string neighbour_text(const char* which, const std::optional<IdleNeighbour>& neighbour) {
    return neighbour ? fmt::format("{} is from {} to {} in {}",
                                   which,
                                   time_text(neighbour->begin),
                                   time_text(neighbour->end),
                                   neighbour->state)
                     : std::string{};
}

// Why there is nothing to tell at the time.
std::string no_interval_text(const IdleQuestion& question, const IdleWatch& watch, Time end) {
    if (!watch.is_over() && question.at > end) {
        return fmt::format("the run ends at {}, before {}", time_text(end), time_text(question.at));
    }
    const std::string before = neighbour_text("the idle interval before", watch.before());
    const std::string after = neighbour_text("the one after", watch.after());
    return fmt::format("CPU {} is in no idle interval at {}{}{}{}{}",
                       question.cpu,
                       time_text(question.at),
                       before.empty() && after.empty() ? "; it never sleeps" : "; ",
                       before,
                       before.empty() || after.empty() ? "" : ", ",
                       after);
}

}  // namespace

void prepare(const Scenario& scenario) {
    const Assembly parts{scenario, RunOptions{}};
}

RunResult run(const Scenario& scenario, const RunOptions& options) {
    Assembly parts{scenario, options};
    WakeLog log;
    foresee(scenario, options, parts, log);
    run_to_the_end(parts, options);
    RunResult result;
    parts.workload->collect(result);
    add_idle_counters(parts, result);
    result.wakes = parts.kernel.wakes();
    if (!parts.kernel.idle_states().empty()) {
        add_state_metrics(result);
        add_timer_wakes(parts, result);
    }
    add_power(parts, result);
    add_halts(parts, result);
    add_findings(parts, result);
    if (const Trace* trace = parts.kernel.trace()) {
        result.trace = *trace;
    }
    result.fingerprint = parts.machine.simulation().fingerprint();
    result.events = parts.machine.simulation().dispatched();
    result.elapsed = parts.machine.now() - Time{};
    return result;
}

IdleStory explain(const Scenario& scenario,
                  const RunOptions& options,
                  const IdleQuestion& question) {
    Assembly parts{scenario, options};
    const std::vector<int>& cpus = parts.machine.cpu_numbers();
    if (std::find(cpus.begin(), cpus.end(), question.cpu) == cpus.end()) {
        throw NoIdleInterval{fmt::format("CPU {} takes no part in the run; {} {}",
                                         question.cpu,
                                         fmt::join(cpus, ", "),
                                         cpus.size() == 1 ? "does" : "do")};
    }
    if (parts.kernel.idle_states().empty()) {
        throw NoIdleInterval{
            "the kernel has no cpuidle driver (kernel.cpuidle: none), so no governor chooses"};
    }
    WakeLog log;
    foresee(scenario, options, parts, log);
    parts.kernel.watch(question);
    run_to_the_end(parts, options);
    const IdleWatch& watch = *parts.kernel.watched();
    if (!watch.found()) {
        throw NoIdleInterval{no_interval_text(question, watch, parts.machine.now())};
    }
    return *watch.found();
}

}  // namespace idlesim
