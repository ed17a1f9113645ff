// SPDX-License-Identifier: Apache-2.0
#include "models/placement/placement.hpp"
#include "models/platform/topology.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// Fills cores one after the other: an idle CPU whose core is busy already, then the idle CPU of
/// the lowest core. What is left sleeps undisturbed, whole cores of it.
class Packing final : public Placement {
public:
    struct Params {};

    explicit Packing(const Params&) {}

    int select(const Wakee& wakee, const RunQueueView& view, RandomStream& /*luck*/) override {
        int best = wakee.previous_cpu;
        int best_rank = view.is_idle(best) ? rank(best, view) : view.topology().cpus() * 2;
        for (const int cpu : *wakee.allowed) {
            if (view.is_idle(cpu) && rank(cpu, view) < best_rank) {
                best_rank = rank(cpu, view);
                best = cpu;
            }
        }
        return best;
    }

private:
    // Lower is better: cores that are half full come first.
    static int rank(int cpu, const RunQueueView& view) {
        const Topology& topology = view.topology();
        const int core = topology.core_of(cpu);
        int running = 0;
        for (int thread = core; thread < topology.cpus(); thread += topology.cores()) {
            running += view.running(thread);
        }
        return running > 0 ? core : topology.cores() + core;
    }
};

const Register<Placement, Packing> kPacking{
    "packing", "fills the threads of one core after the other, so that whole cores sleep"};

}  // namespace
}  // namespace idlesim
