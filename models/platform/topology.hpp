// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/field.hpp"

#include <vector>

namespace idlesim {

/// How far two logical CPUs are apart: what a cache line or an interrupt has to cross.
enum class Distance { same_cpu, same_core, same_llc, cross_llc, cross_package };

constexpr int kDistances = 5;

/// The logical CPUs of a machine and who shares what. CPUs are numbered as Linux does on x86
/// servers: first one thread of every core, package after package, then the second threads.
struct Topology {
    int packages = 1;
    /// Dies, CCXs or whatever shares a last-level cache.
    int llcs_per_package = 1;
    int cores_per_llc = 4;
    int threads_per_core = 2;
    /// Cores that enter a module state together; 1: there are no modules.
    int cores_per_module = 1;
    config::Location location;

    [[nodiscard]] int cores() const { return packages * llcs_per_package * cores_per_llc; }

    [[nodiscard]] int cpus() const { return cores() * threads_per_core; }

    [[nodiscard]] int core_of(int cpu) const { return cpu % cores(); }

    [[nodiscard]] int module_of(int cpu) const { return core_of(cpu) / cores_per_module; }

    [[nodiscard]] int llc_of(int cpu) const { return core_of(cpu) / cores_per_llc; }

    [[nodiscard]] int package_of(int cpu) const { return llc_of(cpu) / llcs_per_package; }

    /// CPUs of a core, rising.
    [[nodiscard]] std::vector<int> threads_of(int core) const;

    [[nodiscard]] Distance distance(int a, int b) const;
};

const config::Fields<Topology>& parameters(const Topology*);

}  // namespace idlesim
