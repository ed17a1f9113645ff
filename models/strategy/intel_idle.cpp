// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// intel_idle(): MWAIT with a hint, interrupts off, an interrupt being a break event all the same
/// (arch/x86/include/asm/mwait.h, 6.3). The interrupt stays pending through the way out of idle and
/// is delivered when that enables interrupts.
class IntelIdle final : public IdleStrategy {
public:
    struct Params {};

    explicit IntelIdle(Params /*params*/) {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        arm_monitor(b, request, out);
        b.mwait(request.hint, true, request.hardware_or("mwait"));
        b.bind(out).clear_polling();
    }
};

const Register<IdleStrategy, IntelIdle> kIntelIdle{
    "intel_idle", "MWAIT with interrupts off: the handler waits for the way out of idle"};

}  // namespace
}  // namespace idlesim
