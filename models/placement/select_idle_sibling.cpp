// SPDX-License-Identifier: Apache-2.0
#include "models/idle_cpu_search.hpp"
#include "models/placement/placement.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// Linux's rule (wake_affine_idle() and select_idle_sibling(), kernel/sched/fair.c, 6.3): the
/// target is the previous CPU, or the waker's where that is idle and the previous is not; then the
/// target if it is idle, an idle previous CPU that shares its cache, an idle core, any idle CPU of
/// the cache, and the target whatever it does. So an idle previous CPU is taken before an idle core
/// is looked for, and tasks that have come to share a core go on sharing it.
/// Left out: per-CPU kthreads, recent_used_cpu, the limit on how many CPUs are scanned.
class SelectIdleSibling final : public Placement {
public:
    struct Params {};

    explicit SelectIdleSibling(const Params&) {}

    int select(const Wakee& wakee, const RunQueueView& view, RandomStream& /*luck*/) override {
        const IdleCpuSearch search{wakee, view};
        const int previous = wakee.previous_cpu;
        const int target = target_of(wakee, view, search);
        if (view.is_idle(target)) {
            return target;
        }
        if (search.share_cache(previous, target) && view.is_idle(previous)) {
            return previous;
        }
        if (const auto core = search.idle_core(target)) {
            return *core;
        }
        return search.idle_cpu(target).value_or(target);
    }

private:
    static int target_of(const Wakee& wakee,
                         const RunQueueView& view,
                         const IdleCpuSearch& search) {
        const bool moves = view.is_idle(wakee.waker_cpu) && search.may_use(wakee.waker_cpu) &&
                           search.share_cache(wakee.waker_cpu, wakee.previous_cpu) &&
                           !view.is_idle(wakee.previous_cpu);
        return moves ? wakee.waker_cpu : wakee.previous_cpu;
    }
};

const Register<Placement, SelectIdleSibling> kSelectIdleSibling{
    "select_idle_sibling",
    "as Linux: idle target, idle previous CPU, then idle core, then any idle CPU of the cache"};

}  // namespace
}  // namespace idlesim
