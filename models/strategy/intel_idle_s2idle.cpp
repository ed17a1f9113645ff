// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// intel_idle_s2idle(): the entry of suspend-to-idle, MWAIT with interrupts off and the tick frozen
/// (drivers/idle/intel_idle.c, 6.15). Its statistics stand apart in sysfs.
class IntelIdleS2idle final : public IdleStrategy {
public:
    struct Params {
        bool init_xstate = false;
    };

    explicit IntelIdleS2idle(Params params) : params_{params} {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        if (params_.init_xstate) {
            b.work("xstate_init");
        }
        arm_monitor(b, request, out);
        b.mwait(request.hint, true, request.hardware_or("mwait"));
        b.bind(out).clear_polling();
    }

private:
    Params params_;
};

const Register<IdleStrategy, IntelIdleS2idle> kIntelIdleS2idle{
    "intel_idle_s2idle",
    "the entry of suspend-to-idle",
    {config::field("init_xstate",
                   &IntelIdleS2idle::Params::init_xstate,
                   "put large register state into INIT before")}};

}  // namespace
}  // namespace idlesim
