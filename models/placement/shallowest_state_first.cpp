// SPDX-License-Identifier: Apache-2.0
#include "models/placement/placement.hpp"
#include "sim/registry/registry.hpp"

#include <limits>

namespace idlesim {
namespace {

/// The idle CPU whose state is the quickest to leave, by the table; the previous CPU wins ties
/// (sched_balance_find_dst_group_cpu() prefers the shallowest state in the same way, on the slow
/// path: kernel/sched/fair.c, 6.10).
class ShallowestStateFirst final : public Placement {
public:
    struct Params {};

    explicit ShallowestStateFirst(const Params&) {}

    int select(const Wakee& wakee, const RunQueueView& view, RandomStream& /*luck*/) override {
        int best = wakee.previous_cpu;
        Duration quickest = view.is_idle(best) ? view.idle_exit_latency(best) : Duration::max();
        for (const int cpu : *wakee.allowed) {
            if (view.is_idle(cpu) && view.idle_exit_latency(cpu) < quickest) {
                quickest = view.idle_exit_latency(cpu);
                best = cpu;
            }
        }
        return best;
    }
};

const Register<Placement, ShallowestStateFirst> kShallowestStateFirst{
    "shallowest_state_first", "the idle CPU in the state with the least exit latency"};

}  // namespace
}  // namespace idlesim
