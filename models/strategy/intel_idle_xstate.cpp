// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// intel_idle_xstate(): puts large register state (AMX) into INIT first, without which the core
/// would not reach C6 (drivers/idle/intel_idle.c, 6.15).
class IntelIdleXstate final : public IdleStrategy {
public:
    struct Params {};

    explicit IntelIdleXstate(Params /*params*/) {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        b.work("xstate_init");
        arm_monitor(b, request, out);
        b.mwait(request.hint, true, request.hardware_or("mwait"));
        b.bind(out).clear_polling();
    }
};

const Register<IdleStrategy, IntelIdleXstate> kIntelIdleXstate{
    "intel_idle_xstate", "MWAIT with interrupts off, large register state in INIT before"};

}  // namespace
}  // namespace idlesim
