// SPDX-License-Identifier: Apache-2.0
#include "models/idle_cpu_search.hpp"
#include "models/placement/placement.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// A core whose threads are all idle before anything else, the previous CPU's first: no two tasks
/// share a core while one is free.
class IdleCoreFirst final : public Placement {
public:
    struct Params {};

    explicit IdleCoreFirst(const Params&) {}

    int select(const Wakee& wakee, const RunQueueView& view, RandomStream& /*luck*/) override {
        const IdleCpuSearch search{wakee, view};
        if (const auto core = search.idle_core(wakee.previous_cpu)) {
            return *core;
        }
        if (view.is_idle(wakee.previous_cpu)) {
            return wakee.previous_cpu;
        }
        return search.idle_cpu(wakee.previous_cpu).value_or(wakee.previous_cpu);
    }
};

const Register<Placement, IdleCoreFirst> kIdleCoreFirst{
    "idle_core_first", "an idle core, then the previous CPU, then any idle one of the cache"};

}  // namespace
}  // namespace idlesim
