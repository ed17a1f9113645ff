// SPDX-License-Identifier: Apache-2.0
#include "models/idle_cpu_search.hpp"
#include "models/placement/placement.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// The previous CPU while it is idle, any idle CPU of its cache in the order of numbers otherwise:
/// cache warmth before everything, blind to cores.
class PreviousCpu final : public Placement {
public:
    struct Params {};

    explicit PreviousCpu(const Params&) {}

    int select(const Wakee& wakee, const RunQueueView& view, RandomStream& /*luck*/) override {
        if (view.is_idle(wakee.previous_cpu)) {
            return wakee.previous_cpu;
        }
        const IdleCpuSearch search{wakee, view};
        return search.idle_cpu(wakee.previous_cpu).value_or(wakee.previous_cpu);
    }
};

const Register<Placement, PreviousCpu> kPreviousCpu{
    "previous_cpu", "the previous CPU if it is idle, else any idle one of its cache"};

}  // namespace
}  // namespace idlesim
