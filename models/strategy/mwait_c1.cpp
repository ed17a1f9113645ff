// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// mwait_idle(): MWAIT at C1 without a hint, interrupts on during the wait
/// (arch/x86/kernel/process.c, 6.3). A store to the monitored flags ends the wait, so that a
/// remote wake-up needs no interrupt.
class MwaitC1 final : public IdleStrategy {
public:
    struct Params {};

    explicit MwaitC1(Params /*params*/) {}

    void emit(ProgramBuilder& b) const override {
        const Label out = b.label();
        b.set_polling().test_need_resched(out);
        b.monitor().test_need_resched(out);
        b.sti().mwait(0x0, false).cli();
        b.bind(out).clear_polling();
    }

    [[nodiscard]] std::string_view state_name() const override { return "C1"; }
};

const Register<IdleStrategy, MwaitC1> kMwaitC1{
    "mwait_c1", "STI; MWAIT at C1: a remote wake-up is a store to the monitored flags"};

}  // namespace
}  // namespace idlesim
