// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// intel_idle_ibrs(): clears IBRS for the sibling's sake, waits with interrupts off, and restores
/// it before anything else (drivers/idle/intel_idle.c, 6.7; aa1567a7e644 and its series). Without
/// SMT there is no sibling and nothing to clear. WRMSR comes before MONITOR, which some MSR writes
/// would trigger.
class IntelIdleIbrs final : public IdleStrategy {
public:
    struct Params {
        /// What the commit warns of: a handler would run unprotected.
        bool interrupts_on = false;
    };

    explicit IntelIdleIbrs(Params params) : params_{params} {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        if (request.smt_active) {
            b.wrmsr_spec_ctrl(0);
        }
        arm_monitor(b, request, out);
        if (params_.interrupts_on) {
            b.sti();
        }
        b.mwait(request.hint, !params_.interrupts_on, request.hardware_or("mwait"));
        b.bind(out);
        if (params_.interrupts_on) {
            b.cli();
        }
        if (request.smt_active) {
            b.wrmsr_spec_ctrl(1);
        }
        b.clear_polling();
    }

private:
    Params params_;
};

const Register<IdleStrategy, IntelIdleIbrs> kIntelIdleIbrs{
    "intel_idle_ibrs",
    "MWAIT with interrupts off and IBRS cleared: the sibling runs at full speed",
    {config::field(
        "interrupts_on",
        &IntelIdleIbrs::Params::interrupts_on,
        "wait with interrupts on, which no kernel does: handlers then run without IBRS")}};

}  // namespace
}  // namespace idlesim
