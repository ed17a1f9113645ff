// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// default_idle(): STI; HLT back to back, so that the STI shadow lets no interrupt between them
/// (arch/x86/kernel/process.c and arch/x86/include/asm/irqflags.h, 6.3). Returns with IF=0 as
/// since 6.3. TIF_POLLING_NRFLAG stays clear: only an interrupt ends the wait.
class Hlt final : public IdleStrategy {
public:
    struct Params {};

    explicit Hlt(Params /*params*/) {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        if (request.clears_buffers) {
            b.work("verw");
        }
        b.sti().hlt(request.hardware_or("hlt")).cli();
    }

    // An NMI between STI and HLT ends the shadow: the pending interrupt runs before HLT, which
    // then sleeps on (known on the kernel list since 2010).
    [[nodiscard]] bool loses_wakeup_after_nmi() const override { return true; }
};

const Register<IdleStrategy, Hlt> kHlt{"hlt", "STI; HLT: a remote wake-up needs an interrupt"};

}  // namespace
}  // namespace idlesim
