// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/idle_table.hpp"
#include "sim/registry/registry.hpp"

#include <chrono>
#include <optional>

namespace idlesim {
namespace {

/// Knows when the CPU will be woken, as no kernel can: the yardstick for the others.
///
/// Of the enabled states within the latency limit it takes the one that spends least energy in this
/// idle period, by the physical model where the environment has one; among equals the one with the
/// least exit latency. Nothing then spends less energy without being told to break the limit, so
/// that nobody has both less energy and less added latency. Without a physical model the declared
/// target residency decides, which by its definition says from when on a state pays: the deepest
/// state that pays, of two with the same residency the deeper one. If no state fits it takes the
/// enabled one with the least exit latency.
///
/// The tick is stopped when it would end the idle period before its time.
class Oracle final : public Governor {
public:
    struct Params {};

    explicit Oracle(Params /*params*/) {}

    [[nodiscard]] bool needs_foresight() const override { return true; }

    void enable(const std::vector<IdleState>& states,
                GovernorEnvironment& /*environment*/) override {
        table_ = IdleTable{states};
    }

    [[nodiscard]] IdleDecision select(GovernorEnvironment& environment,
                                      Explanation* explanation) override;

    void reflect(int /*state*/, GovernorEnvironment& /*environment*/) override {}

private:
    [[nodiscard]] int least_latency(StateMask disabled) const;
    [[nodiscard]] int choose(const GovernorEnvironment& environment, Nanoseconds idle) const;
    [[nodiscard]] bool beats(const GovernorEnvironment& environment,
                             int state,
                             int best,
                             Nanoseconds idle) const;

    IdleTable table_;
};

int Oracle::least_latency(StateMask disabled) const {
    int best = -1;
    for (int i = 0; i < table_.size(); ++i) {
        if (!has_state(disabled, i) && (best < 0 || table_.latency(i) < table_.latency(best))) {
            best = i;
        }
    }
    return best < 0 ? 0 : best;
}

bool Oracle::beats(const GovernorEnvironment& environment,
                   int state,
                   int best,
                   Nanoseconds idle) const {
    const std::optional<double> energy = environment.idle_energy(state);
    const std::optional<double> best_energy = environment.idle_energy(best);
    if (energy && best_energy) {
        return *energy < *best_energy ||
               (!(*best_energy < *energy) && table_.latency(state) < table_.latency(best));
    }
    if (table_.residency(state) > idle) {
        return false;
    }
    return table_.residency(best) > idle || table_.residency(state) > table_.residency(best) ||
           (table_.residency(state) == table_.residency(best) && state > best);
}

int Oracle::choose(const GovernorEnvironment& environment, Nanoseconds idle) const {
    const StateMask disabled = environment.disabled_states();
    const Nanoseconds limit = environment.latency_limit();
    int best = least_latency(disabled);
    if (table_.latency(best) > limit) {
        return best;
    }
    for (int i = 0; i < table_.size(); ++i) {
        if (i != best && !has_state(disabled, i) && table_.latency(i) <= limit &&
            beats(environment, i, best, idle)) {
            best = i;
        }
    }
    return best;
}

IdleDecision Oracle::select(GovernorEnvironment& environment, Explanation* explanation) {
    const Why why{explanation};
    const std::optional<Duration> truth = environment.true_idle_duration();
    const Nanoseconds idle =
        truth ? std::chrono::floor<std::chrono::nanoseconds>(*truth).count() : kEndlessSleep;
    const SleepLength sleep = environment.query_sleep_length();
    why.say("the CPU will be left alone for {}", TimeText{idle});
    const int state = choose(environment, idle);
    explain_states(why,
                   table_,
                   {state,
                    environment.disabled_states(),
                    environment.latency_limit(),
                    idle,
                    "it would spend more energy"});
    return {state, !table_.polls(state) && idle > sleep.event};
}

const Register<Governor, Oracle> kOracle{
    "oracle", "knows when the CPU will be woken: least energy, then least latency"};

}  // namespace
}  // namespace idlesim
