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

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        arm_monitor(b, request, out);
        b.sti().mwait(0x0, false, request.hardware_or("mwait")).cli();
        b.bind(out).clear_polling();
    }
};

const Register<IdleStrategy, MwaitC1> kMwaitC1{
    "mwait_c1", "STI; MWAIT at C1: a remote wake-up is a store to the monitored flags"};

}  // namespace
}  // namespace idlesim
