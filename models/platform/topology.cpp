// SPDX-License-Identifier: Apache-2.0
#include "models/platform/topology.hpp"

namespace idlesim {

std::vector<int> Topology::threads_of(int core) const {
    std::vector<int> threads;
    for (int cpu = core; cpu < cpus(); cpu += cores()) {
        threads.push_back(cpu);
    }
    return threads;
}

Distance Topology::distance(int a, int b) const {
    if (a == b) {
        return Distance::same_cpu;
    }
    if (core_of(a) == core_of(b)) {
        return Distance::same_core;
    }
    if (llc_of(a) == llc_of(b)) {
        return Distance::same_llc;
    }
    return package_of(a) == package_of(b) ? Distance::cross_llc : Distance::cross_package;
}

const config::Fields<Topology>& parameters(const Topology*) {
    using config::field;
    static const config::Fields<Topology> kFields{
        field("packages", &Topology::packages, "sockets").at_least(1).at_most(16),
        field("llcs_per_package",
              &Topology::llcs_per_package,
              "last-level caches (dies, CCXs) in a package")
            .at_least(1)
            .at_most(64),
        field("cores_per_llc", &Topology::cores_per_llc, "cores that share a last-level cache")
            .at_least(1)
            .at_most(256),
        field("threads_per_core", &Topology::threads_per_core, "SMT threads of a core")
            .at_least(1)
            .at_most(8),
        field("cores_per_module",
              &Topology::cores_per_module,
              "cores that enter a module state together")
            .at_least(1)
            .at_most(8),
    };
    return kFields;
}

}  // namespace idlesim
