// SPDX-License-Identifier: Apache-2.0
#include "models/placement/placement.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// Every task stays where it began, as after sched_setaffinity() to one CPU each: neither a wake-up
/// nor the load balancer moves it.
class Pinned final : public Placement {
public:
    struct Params {};

    explicit Pinned(const Params&) {}

    int select(const Wakee& wakee, const RunQueueView& /*view*/, RandomStream& /*luck*/) override {
        return wakee.previous_cpu;
    }

    [[nodiscard]] bool lets_balance() const override { return false; }
};

const Register<Placement, Pinned> kPinned{"pinned", "every task stays on the CPU it began on"};

}  // namespace
}  // namespace idlesim
