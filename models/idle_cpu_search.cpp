// SPDX-License-Identifier: Apache-2.0
#include "models/idle_cpu_search.hpp"

#include "models/platform/topology.hpp"

#include <algorithm>

namespace idlesim {

bool IdleCpuSearch::may_use(int cpu) const {
    return std::binary_search(wakee_.allowed->begin(), wakee_.allowed->end(), cpu);
}

bool IdleCpuSearch::share_cache(int a, int b) const {
    return view_.topology().llc_of(a) == view_.topology().llc_of(b);
}

template <class Test>
std::optional<int> IdleCpuSearch::first_in_cache(int start, Test test) const {
    const std::vector<int>& allowed = *wakee_.allowed;
    const auto from = std::lower_bound(allowed.begin(), allowed.end(), start);
    const auto passes = [&](int cpu) { return share_cache(cpu, start) && test(cpu); };
    if (const auto found = std::find_if(from, allowed.end(), passes); found != allowed.end()) {
        return *found;
    }
    const auto found = std::find_if(allowed.begin(), from, passes);
    return found == from ? std::nullopt : std::optional{*found};
}

std::optional<int> IdleCpuSearch::idle_core(int start) const {
    const Topology& topology = view_.topology();
    return first_in_cache(start, [&](int cpu) {
        for (int thread = topology.core_of(cpu); thread < topology.cpus();
             thread += topology.cores()) {
            if (view_.running(thread) > 0) {
                return false;
            }
        }
        return view_.is_idle(cpu);
    });
}

std::optional<int> IdleCpuSearch::idle_cpu(int start) const {
    return first_in_cache(start, [&](int cpu) { return view_.is_idle(cpu); });
}

}  // namespace idlesim
