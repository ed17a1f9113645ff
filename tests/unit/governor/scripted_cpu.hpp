// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/governor/explanation.hpp"
#include "models/governor/governor.hpp"
#include "sim/registry/registry.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {

/// A CPU whose situation the test sets, with the order of calls of the kernel's idle loop.
class ScriptedCpu final : public GovernorEnvironment {
public:
    [[nodiscard]] Nanoseconds tick() const override { return 4'000'000; }

    [[nodiscard]] Nanoseconds now() const override { return clock; }

    [[nodiscard]] Nanoseconds latency_limit() const override { return limit; }

    [[nodiscard]] StateMask disabled_states() const override { return disabled; }

    [[nodiscard]] bool tick_stopped() const override { return stopped; }

    [[nodiscard]] Nanoseconds last_residency() const override { return residency; }

    [[nodiscard]] std::int64_t io_waiters() const override { return waiters; }

    [[nodiscard]] std::int64_t utilisation() const override { return busy; }

    [[nodiscard]] SleepLength query_sleep_length() override {
        queried = true;
        return sleep;
    }

    [[nodiscard]] bool take_tick_wakeup() override { return std::exchange(ticked, false); }

    [[nodiscard]] bool poll_limit_hit() const override { return hit; }

    void clear_poll_limit_hit() override { hit = false; }

    [[nodiscard]] Nanoseconds poll_limit() const override { return longest_poll; }

    void set_poll_limit(Nanoseconds value) override { longest_poll = value; }

    [[nodiscard]] std::optional<Duration> true_idle_duration() const override { return truth; }

    [[nodiscard]] std::optional<double> idle_energy(int state) const override {
        return energies.empty() ? std::nullopt
                                : std::optional{energies[static_cast<std::size_t>(state)]};
    }

    /// One idle period: asks the governor, stays `idle` in its state, tells it.
    IdleDecision idle_for(Governor& governor, Nanoseconds idle) {
        queried = false;
        const IdleDecision decision = governor.select(*this, nullptr);
        clock += idle;
        residency = idle;
        governor.reflect(decision.state, *this);
        return decision;
    }

    IdleDecision ask(Governor& governor) {
        queried = false;
        return governor.select(*this, nullptr);
    }

    static constexpr Nanoseconds kNoLimit = 2'000'000'000'000;

    Nanoseconds clock = 0;
    Nanoseconds limit = kNoLimit;
    StateMask disabled = 0;
    bool stopped = false;
    Nanoseconds residency = 0;
    std::int64_t waiters = 0;
    std::int64_t busy = 0;
    SleepLength sleep{3'000'000, 3'000'000};
    bool queried = false;
    bool ticked = false;
    bool hit = false;
    Nanoseconds longest_poll = 0;
    std::optional<Duration> truth;
    std::vector<double> energies;
};

/// POLL, C1 (2/2 us), C1E (10/20 us), C6 (133/600 us), as an Intel server of 2017 declares them.
inline std::vector<IdleState> server_table() {
    using namespace std::chrono_literals;
    return {{"POLL", 0us, 0us, true}, {"C1", 2us, 2us}, {"C1E", 10us, 20us}, {"C6", 133us, 600us}};
}

/// The governor with its default parameters, enabled.
inline std::unique_ptr<Governor> started(std::string_view kind,
                                         ScriptedCpu& cpu,
                                         const std::vector<IdleState>& states = server_table()) {
    auto governor = Registry<Governor>::choice(kind).make();
    governor->enable(states, cpu);
    return governor;
}

/// The same with the parameters of a YAML map.
std::unique_ptr<Governor> configured(const std::string& text,
                                     ScriptedCpu& cpu,
                                     const std::vector<IdleState>& states = server_table());

}  // namespace idlesim
