// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/idle_table.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <chrono>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// Guest polling: polls before it halts, for longer the closer the last halt came to a wake within
/// the limit (drivers/cpuidle/governors/haltpoll.c, 6.3). Knows two states and ignores the disable
/// flags.
class Haltpoll final : public Governor {
public:
    struct Params {
        Duration poll = 200us;
        std::int64_t shrink = 2;
        std::int64_t grow = 2;
        Duration grow_start = 50us;
        bool allow_shrink = true;
    };

    explicit Haltpoll(const Params& params)
        : params_{params},
          longest_{std::chrono::floor<std::chrono::nanoseconds>(params.poll).count()},
          grow_start_{std::chrono::floor<std::chrono::nanoseconds>(params.grow_start).count()} {}

    void enable(const std::vector<IdleState>& states, GovernorEnvironment& environment) override {
        table_ = IdleTable{states};
        if (table_.size() < 2) {
            throw GovernorError{"governor haltpoll needs two states: one to poll, one to halt"};
        }
        last_ = 0;
        environment.set_poll_limit(0);
    }

    [[nodiscard]] IdleDecision select(GovernorEnvironment& environment,
                                      Explanation* explanation) override {
        const Why why{explanation};
        const auto choose = [&](int state, std::string_view reason) {
            why.say("{}: {}", table_.name(state), reason);
            // Neither the flags nor a limit above 0 count.
            explain_states(why, table_, {state, 0, kEndlessSleep, kEndlessSleep, reason, reason});
            return IdleDecision{state, state != 0};
        };
        const auto poll = [&](std::string_view reason) { return choose(0, reason); };
        const auto halt = [&](std::string_view reason) { return choose(1, reason); };
        why.say("poll limit {}", TimeText{environment.poll_limit()});
        if (environment.latency_limit() == 0) {
            return poll("the latency limit is 0");
        }
        if (environment.poll_limit() == 0) {
            return halt("polling is off");
        }
        if (last_ == 0 && environment.poll_limit_hit()) {
            return halt("polling has just ended at its limit");
        }
        return poll("a wake is expected within the poll limit");
    }

    void reflect(int state, GovernorEnvironment& environment) override {
        last_ = state;
        if (state == 0) {
            return;
        }
        const Nanoseconds halted = environment.last_residency();
        const Nanoseconds limit = environment.poll_limit();
        if (halted > limit && halted <= longest_) {
            environment.set_poll_limit(
                std::min(std::max(cut(cut(limit) * params_.grow), grow_start_), longest_));
        } else if (halted > longest_ && params_.allow_shrink) {
            environment.set_poll_limit(params_.shrink == 0 ? 0 : cut(limit) / params_.shrink);
        }
    }

private:
    /// The kernel computes a new limit in unsigned 32 bits.
    static Nanoseconds cut(Nanoseconds value) { return static_cast<std::uint32_t>(value); }

    Params params_;
    Nanoseconds longest_;
    Nanoseconds grow_start_;
    IdleTable table_;
    int last_ = 0;
};

const Register<Governor, Haltpoll> kHaltpoll{
    "haltpoll@6.3",
    "haltpoll of Linux 6.3: guests poll before they halt, for a limit that adapts",
    {config::field("guest_halt_poll", &Haltpoll::Params::poll, "longest poll; guest_halt_poll_ns")
         .non_negative()
         .at_most(4s),
     config::field("guest_halt_poll_shrink",
                   &Haltpoll::Params::shrink,
                   "divisor of the limit after a longer halt; 0 sets it to 0")
         .non_negative()
         .at_most(1'000'000),
     config::field(
         "guest_halt_poll_grow", &Haltpoll::Params::grow, "factor of the limit after a short halt")
         .non_negative()
         .at_most(1'000'000),
     config::field(
         "guest_halt_poll_grow_start", &Haltpoll::Params::grow_start, "least limit after growth")
         .non_negative()
         .at_most(4s),
     config::field("guest_halt_poll_allow_shrink",
                   &Haltpoll::Params::allow_shrink,
                   "whether a longer halt shrinks the limit")}};

}  // namespace
}  // namespace idlesim
