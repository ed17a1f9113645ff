// SPDX-License-Identifier: Apache-2.0
#include "models/placement/placement.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// Every task stays where it began (sched_setaffinity() to one CPU each): its previous CPU is the
/// one that it was made for. previous_cpu gives the same as long as nothing moves a task; this one
/// says that nothing does.
class Pinned final : public Placement {
public:
    struct Params {};

    explicit Pinned(const Params&) {}

    int select(const Wakee& wakee, const RunQueueView& /*view*/, RandomStream& /*luck*/) override {
        return wakee.previous_cpu;
    }
};

const Register<Placement, Pinned> kPinned{"pinned", "every task stays on the CPU it began on"};

}  // namespace
}  // namespace idlesim
