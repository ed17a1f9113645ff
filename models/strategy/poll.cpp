// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// poll_idle(): spins on TIF_NEED_RESCHED with PAUSE, interrupts on, for at most `limit`, or for as
/// long as the CPU's poll limit where a driver asks (drivers/cpuidle/poll_state.c, 6.3). Without a
/// limit it is cpu_idle_poll(), the loop of idle=poll (kernel/sched/idle.c).
class Poll final : public IdleStrategy {
public:
    struct Params {
        Duration limit{};
    };

    explicit Poll(Params params) : params_{params} {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        b.sti().set_polling().test_need_resched(out);
        if (request.limited_poll) {
            b.pause_loop_of_cpu();
        } else {
            b.pause_loop(params_.limit);
        }
        b.bind(out).cli().clear_polling();
    }

    [[nodiscard]] std::string_view state_name() const override { return "POLL"; }

private:
    Params params_;
};

const Register<IdleStrategy, Poll> kPoll{
    "poll",
    "spins on the flags with PAUSE, interrupts on",
    {config::field("limit", &Poll::Params::limit, "longest spin; 0 ns for none (idle=poll)")
         .non_negative()}};

}  // namespace
}  // namespace idlesim
