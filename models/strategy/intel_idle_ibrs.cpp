// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// intel_idle_ibrs(): clears IBRS for the sibling's sake, waits with interrupts off, and restores
/// it before anything else (drivers/idle/intel_idle.c, 6.7; aa1567a7e644 and its series; up to 6.6
/// the MSR alone was written, and the kernel's per-CPU copy went stale: aaa3e6678978,
/// 1fe96fb4d0f2). Without SMT there is no sibling and nothing to clear. WRMSR comes before MONITOR,
/// which some MSR writes would trigger.
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
            write_spec_ctrl(b, request, 0);
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
            write_spec_ctrl(b, request, request.spec_ctrl);
        }
        b.clear_polling();
    }

private:
    static void write_spec_ctrl(ProgramBuilder& b,
                                const EntryRequest& request,
                                std::uint64_t value) {
        if (request.updates_spec_ctrl_copy) {
            b.update_spec_ctrl(value);
        } else {
            b.wrmsr_spec_ctrl(value);
        }
    }

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
