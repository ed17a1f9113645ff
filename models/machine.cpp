// SPDX-License-Identifier: Apache-2.0
#include "models/machine.hpp"

#include "models/hypervisor/hypervisor.hpp"

#include <algorithm>
#include <map>

namespace idlesim {

Machine::Machine(const PlatformSpec& platform,
                 const std::vector<int>& cpus,
                 std::uint64_t seed,
                 std::uint64_t replication)
    : platform_{platform},
      seed_{seed},
      replication_{replication},
      costs_{platform},
      cpus_(static_cast<std::size_t>(platform.topology.cpus())),
      numbers_{cpus},
      fabric_{simulation_, platform.topology, costs_, steps_} {
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    for (const int number : numbers_) {
        IDLESIM_CHECK(number >= 0 && number < platform.topology.cpus(),
                      "a CPU that does not exist");
        cpus_[static_cast<std::size_t>(number)] =
            std::make_unique<LogicalCpu>(simulation_,
                                         number,
                                         costs_,
                                         steps_,
                                         platform.cpuid.monitor_reset_by_interrupt,
                                         seed,
                                         replication);
    }
    if (platform.smt) {
        share_cores(*platform.smt);
    }
    if (!platform.hardware_states.empty()) {
        cstates_ = std::make_unique<CStateHardware>(platform, costs_, steps_, numbers_);
        for (const int number : numbers_) {
            cpu(number).set_sleep_hardware(cstates_.get());
        }
    }
    if (platform.firmware.turbo && cstates_ != nullptr && cstates_->power() != nullptr) {
        std::vector<LogicalCpu*> all;
        for (const int number : numbers_) {
            all.push_back(&cpu(number));
        }
        power_control_ = std::make_unique<PowerControl>(
            platform, simulation_, *cstates_->power(), all, cstates_->deepest_watts());
    }
    if (platform.virtual_machine) {
        hypervisor_ = std::make_unique<Hypervisor>(platform);
        for (const int number : numbers_) {
            hypervisor_->add(cpu(number), fabric_);
        }
    }
}

Machine::~Machine() = default;

// A thread that is alone in the run is alone on its core: CPUs that take no part sleep.
void Machine::share_cores(const SmtSpec& smt) {
    CoreSharing sharing;
    sharing.beside_busy = 2.0 / smt.throughput.value.value - 1.0;
    sharing.beside_polling = 1.0 / smt.beside_polling.value.value - 1.0;
    sharing.join_stall = smt.join_stall.value;
    sharing.divide_stall = smt.divide_stall.value;
    sharing.ibrs_branch = smt.ibrs_branch.value;
    sharing.stibp_branch = smt.stibp_branch.value;
    std::map<int, std::vector<int>> threads;
    for (const int number : numbers_) {
        threads[platform_.topology.core_of(number)].push_back(number);
    }
    for (const auto& [core, numbers] : threads) {
        if (numbers.size() > 1) {
            Core& shared = cores_.emplace_back(sharing);
            for (const int number : numbers) {
                shared.add(cpu(number));
            }
        }
    }
}

LogicalCpu& Machine::cpu(int number) {
    auto& cpu = cpus_.at(static_cast<std::size_t>(number));
    IDLESIM_CHECK(cpu != nullptr, "a CPU that takes no part in this run");
    return *cpu;
}

const Program& Machine::keep(Program program) {
    return programs_.emplace_back(std::move(program));
}

}  // namespace idlesim
