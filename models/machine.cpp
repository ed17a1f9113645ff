// SPDX-License-Identifier: Apache-2.0
#include "models/machine.hpp"

#include <algorithm>

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
    if (!platform.hardware_states.empty()) {
        cstates_ = std::make_unique<CStateHardware>(platform, costs_, steps_, numbers_);
        for (const int number : numbers_) {
            cpu(number).set_sleep_hardware(cstates_.get());
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
