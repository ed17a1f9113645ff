// SPDX-License-Identifier: Apache-2.0
#include "models/placement/placement.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// Any idle CPU with the same probability, any at all where none is idle: what placement is worth
/// is the difference to this.
class Random final : public Placement {
public:
    struct Params {};

    explicit Random(const Params&) {}

    int select(const Wakee& wakee, const RunQueueView& view, RandomStream& luck) override {
        std::vector<int> idle;
        for (const int cpu : *wakee.allowed) {
            if (view.is_idle(cpu)) {
                idle.push_back(cpu);
            }
        }
        const std::vector<int>& choice = idle.empty() ? *wakee.allowed : idle;
        const double drawn = luck.uniform() * static_cast<double>(choice.size());
        return choice[static_cast<std::size_t>(drawn)];
    }
};

const Register<Placement, Random> kRandom{"random", "any idle CPU with the same probability"};

}  // namespace
}  // namespace idlesim
