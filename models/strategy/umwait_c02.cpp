// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// UMWAIT C0.2 as proposed for Sapphire Rapids in 2023 (intel_idle umwait patches, never merged): a
/// light wait with interrupts on that a store to the flags ends. Like POLL it enables interrupts
/// first and looks at the flags after every return.
class UmwaitC02 final : public IdleStrategy {
public:
    struct Params {};

    explicit UmwaitC02(Params /*params*/) {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        const Label again = b.label();
        b.sti().set_polling();
        b.bind(again).test_need_resched(out);
        b.monitor().test_need_resched(out);
        b.mwait(request.hint, false, request.hardware_or("umwait"));
        b.jump(again);
        b.bind(out).cli().clear_polling();
    }

    [[nodiscard]] std::string_view state_name() const override { return "C0.2"; }
};

const Register<IdleStrategy, UmwaitC02> kUmwaitC02{
    "umwait_c02", "UMWAIT C0.2 with interrupts on, the proposed state between POLL and C1"};

}  // namespace
}  // namespace idlesim
