// SPDX-License-Identifier: Apache-2.0
#include "models/run.hpp"

#include "models/kernel/kernel.hpp"
#include "models/machine.hpp"

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
                  made_workload->cpus(),
                  options.seed,
                  static_cast<std::uint64_t>(options.replication)},
          kernel{machine, scenario.kernel, *strategy},
          workload{std::move(made_workload)} {
        machine.simulation().enable_run_ahead(options.run_ahead);
        for (const Choice<InterruptSource>& choice : scenario.interrupts) {
            sources.push_back(choice.make());
            sources.back()->attach(kernel);
        }
        workload->set_up(kernel, {options.sample_rows});
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
    while ((done = parts.workload->progress()) < 1.0) {
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

void add_idle_counters(const Assembly& parts, RunResult& result) {
    for (const int number : parts.machine.cpu_numbers()) {
        const IdleCounters& counters = parts.kernel.idle_counters(number);
        CpuidleRow row;
        row.cpu = number;
        row.name = parts.strategy->state_name();
        row.usage = counters.usage;
        row.time = counters.time;
        result.cpuidle.push_back(std::move(row));
    }
}

}  // namespace

void prepare(const Scenario& scenario) {
    const Assembly parts{scenario, RunOptions{}};
}

RunResult run(const Scenario& scenario, const RunOptions& options) {
    Assembly parts{scenario, options};
    run_to_the_end(parts, options);
    RunResult result;
    parts.workload->collect(result);
    add_idle_counters(parts, result);
    result.fingerprint = parts.machine.simulation().fingerprint();
    result.events = parts.machine.simulation().dispatched();
    result.elapsed = parts.machine.now() - Time{};
    return result;
}

}  // namespace idlesim
