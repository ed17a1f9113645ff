// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/core.hpp"
#include "models/cpu/fabric.hpp"
#include "models/cpu/logical_cpu.hpp"
#include "models/cpu/program.hpp"
#include "models/cstate/cstate_hardware.hpp"
#include "models/cstate/power_control.hpp"
#include "models/platform/platform.hpp"
#include "sim/engine/simulation.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

class Hypervisor;

/// The hardware of one run: the CPUs that take part, what lies between them, and what their
/// operations cost. CPUs that nothing runs on are not built; they sleep and cost nothing.
class Machine {
public:
    /// `platform` must outlive the machine. `cpus` may repeat; each must exist.
    Machine(const PlatformSpec& platform,
            const std::vector<int>& cpus,
            std::uint64_t seed,
            std::uint64_t replication);
    Machine(const Machine&) = delete;
    Machine(Machine&&) = delete;
    Machine& operator=(const Machine&) = delete;
    Machine& operator=(Machine&&) = delete;
    ~Machine();

    [[nodiscard]] Simulation& simulation() { return simulation_; }

    [[nodiscard]] Time now() const { return simulation_.now(); }

    [[nodiscard]] const PlatformSpec& platform() const { return platform_; }

    [[nodiscard]] const CostTable& costs() const { return costs_; }

    [[nodiscard]] StepNames& steps() { return steps_; }

    [[nodiscard]] Fabric& fabric() { return fabric_; }

    /// A CPU that takes part.
    [[nodiscard]] LogicalCpu& cpu(int number);

    /// Numbers of the CPUs that take part, rising.
    [[nodiscard]] const std::vector<int>& cpu_numbers() const { return numbers_; }

    /// nullptr where the platform does not describe its idle states.
    [[nodiscard]] const CStateHardware* cstates() const { return cstates_.get(); }

    /// nullptr where clocks do not follow a power budget.
    [[nodiscard]] const PowerControl* power_control() const { return power_control_.get(); }

    /// nullptr where the CPUs are not virtual.
    [[nodiscard]] Hypervisor* hypervisor() const { return hypervisor_.get(); }

    /// Starts a program that the machine will own once it is passed to keep().
    [[nodiscard]] ProgramBuilder program(std::string name) {
        return {std::move(name), costs_, steps_, hypervisor_.get()};
    }

    /// Takes a finished program; the reference stays valid.
    const Program& keep(Program program);

    /// A random stream of this run, by name.
    [[nodiscard]] RandomStream stream(std::string_view name) const {
        return RandomStream{seed_, name, replication_};
    }

private:
    void share_cores(const SmtSpec& smt);

    const PlatformSpec& platform_;
    std::uint64_t seed_;
    std::uint64_t replication_;
    Simulation simulation_;
    CostTable costs_;
    StepNames steps_;
    std::vector<std::unique_ptr<LogicalCpu>> cpus_;  // [number], nullptr where it takes no part
    std::vector<int> numbers_;
    std::deque<Core> cores_;  // those of which several threads take part
    Fabric fabric_;
    std::unique_ptr<CStateHardware> cstates_;
    std::unique_ptr<PowerControl> power_control_;
    std::unique_ptr<Hypervisor> hypervisor_;
    std::deque<Program> programs_;
};

}  // namespace idlesim
