// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// Spins for a while, in the hope that the wake-up comes soon, then sleeps in MWAIT with interrupts
/// off. A waker stores in both.
class SpinThenMwait final : public IdleStrategy {
public:
    struct Params {
        Duration spin = 2us;
    };

    explicit SpinThenMwait(Params params) : params_{params} {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        b.set_polling().test_need_resched(out);
        b.sti().pause_loop(params_.spin).cli();
        b.test_need_resched(out);
        b.monitor().test_need_resched(out);
        b.mwait(request.hint, true, request.hardware_or("mwait"));
        b.bind(out).clear_polling();
    }

private:
    Params params_;
};

const Register<IdleStrategy, SpinThenMwait> kSpinThenMwait{
    "spin_then_mwait",
    "spins for a while, then MWAIT with interrupts off",
    {config::field("spin", &SpinThenMwait::Params::spin, "longest spin").positive()}};

}  // namespace
}  // namespace idlesim
