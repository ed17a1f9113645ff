// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/kernel.hpp"
#include "models/kernel/registered_state.hpp"
#include "models/machine.hpp"
#include "models/run.hpp"
#include "models/scenario.hpp"
#include "sim/config/load.hpp"
#include "tests/support/cpuidle_platform.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace idlesim::test {

/// A scenario on a given platform with intel_idle, 100 ticks a second and no other interrupts.
/// `workload` is a YAML map; `kernel` further keys of the kernel's map ("irq_enable: off"), `more`
/// whole lines of the scenario ("governor: menu@6.3"). Throws std::runtime_error with the
/// diagnostics where it is wrong.
inline Scenario cpuidle_scenario(const PlatformSpec& platform,
                                 const std::string& workload,
                                 const std::string& kernel = "version: \"6.8\"",
                                 const std::string& more = "") {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(
        fmt::format("kernel: {{ hz: 100, cpuidle: intel_idle, {} }}\nworkload: {}\n"
                    "platform: {{ name: x, vendor: Intel, topology: {{}}, core_clock: 1 GHz, "
                    "costs: {{}} }}\n{}\n",
                    kernel,
                    workload,
                    more),
        "cpuidle_scenario",
        diagnostics);
    Scenario scenario;
    config::read(root, parameters(static_cast<const Scenario*>(nullptr)), scenario, diagnostics);
    if (diagnostics.has_errors()) {
        throw std::runtime_error{diagnostics.render()};
    }
    scenario.platform = platform;
    return scenario;
}

/// The scenario's line that chooses one state, always.
inline std::string fixed_governor(const std::string& state) {
    return "governor: { governor: fixed, state: " + state + " }";
}

/// A machine with kernel and workload, as run() puts them together, open to the test.
class CpuidleScene {
public:
    explicit CpuidleScene(const Scenario& scenario, int replication = 1)
        : CpuidleScene{scenario, replication, scenario.workload.make()} {}

    Machine& machine() { return machine_; }

    Kernel& kernel() { return kernel_; }

    LogicalCpu& cpu(int number) { return machine_.cpu(number); }

    [[nodiscard]] Time now() const { return machine_.now(); }

    /// Runs to `end`, counted from the start.
    void run_until(Duration end) {
        start();
        while (machine_.now() < Time{} + end) {
            machine_.simulation().run_until(Time{} + end);
        }
    }

    /// Runs until the workload is done.
    void run() {
        start();
        while (workload_->progress() < 1.0) {
            machine_.simulation().run_until(now() + std::chrono::milliseconds{10});
        }
    }

    [[nodiscard]] RunResult collect() {
        RunResult result;
        workload_->collect(result);
        return result;
    }

    /// The counters of a state by its name.
    [[nodiscard]] StateUsage usage(int cpu, const std::string& state) {
        for (std::size_t i = 0; i < kernel_.idle_states().size(); ++i) {
            if (kernel_.idle_states()[i].declared.name == state) {
                return kernel_.cpuidle_device(cpu)->usage()[i];
            }
        }
        throw std::runtime_error{"no state " + state};
    }

    [[nodiscard]] Duration in(int cpu, CpuState state) {
        return machine_.cpu(cpu).residency()[static_cast<std::size_t>(state)];
    }

private:
    CpuidleScene(const Scenario& scenario, int replication, std::unique_ptr<Workload> workload)
        : scenario_{scenario},
          strategy_{Registry<IdleStrategy>::choice("hlt").make()},
          machine_{scenario_.platform,
                   workload->cpus(scenario_.platform.topology),
                   1,
                   static_cast<std::uint64_t>(replication)},
          kernel_{machine_, kernel_spec(scenario_, *workload), *strategy_, driver(scenario_)},
          workload_{std::move(workload)} {
        kernel_.set_idle_hook(std::string{workload_->idle_hook()});
        kernel_.build();
        for (const Choice<InterruptSource>& choice : scenario_.interrupts) {
            sources_.push_back(choice.make());
            sources_.back()->attach(kernel_);
        }
        workload_->set_up(kernel_, {});
    }

    static KernelSpec kernel_spec(const Scenario& scenario, const Workload& workload) {
        KernelSpec spec = scenario.kernel;
        if (const auto asked = workload.cpu_dma_latency()) {
            spec.cpu_dma_latency.limit =
                std::min(spec.cpu_dma_latency.limit.value_or(*asked), *asked);
        }
        return spec;
    }

    static Cpuidle driver(const Scenario& scenario) {
        Cpuidle driver;
        driver.states = register_states(scenario.kernel, scenario.platform, scenario.idle);
        driver.make_governor =
            scenario.governor ? scenario.governor->make
                              : Registry<Governor>::choice(default_governor(scenario.kernel)).make;
        return driver;
    }

    void start() {
        if (!started_) {
            started_ = true;
            kernel_.start();
        }
    }

    Scenario scenario_;
    std::unique_ptr<IdleStrategy> strategy_;
    Machine machine_;
    Kernel kernel_;
    std::unique_ptr<Workload> workload_;
    std::vector<std::unique_ptr<InterruptSource>> sources_;
    bool started_ = false;
};

}  // namespace idlesim::test
