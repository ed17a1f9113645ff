// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/idle_table.hpp"

#include <algorithm>
#include <chrono>

namespace idlesim {
namespace {

Nanoseconds whole_nanoseconds(const IdleState& state, Duration value) {
    const auto nanoseconds = std::chrono::floor<std::chrono::nanoseconds>(value);
    if (nanoseconds != value || value < Duration::zero()) {
        throw GovernorError{
            fmt::format("idle state '{}': latency and residency are whole nanoseconds, not {}",
                        state.name,
                        to_text(value))};
    }
    return nanoseconds.count();
}

}  // namespace

IdleTable::IdleTable(const std::vector<IdleState>& states)
    : size_{static_cast<int>(states.size())} {
    if (states.empty() || states.size() > std::size_t{kMaxIdleStates}) {
        throw GovernorError{
            fmt::format("a table has 1 to {} idle states, not {}", kMaxIdleStates, states.size())};
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        latency_[i] = whole_nanoseconds(states[i], states[i].exit_latency);
        residency_[i] = whole_nanoseconds(states[i], states[i].target_residency);
        polls_[i] = states[i].polling;
        names_[i] = states[i].name;
    }
}

StateMask IdleTable::polling_states() const {
    StateMask mask = 0;
    for (int i = 0; i < size_; ++i) {
        mask |= polls(i) ? StateMask{1} << static_cast<unsigned>(i) : 0;
    }
    return mask;
}

int IdleTable::shallower(int state, Nanoseconds duration, StateMask skip) const {
    int best = state;
    for (int i = state - 1; i >= 0; --i) {
        if (has_state(skip, i)) {
            continue;
        }
        best = i;
        if (residency(i) <= duration) {
            break;
        }
    }
    return best;
}

int IdleTable::deepest_within(Nanoseconds duration) const {
    for (int i = last(); i > 0; --i) {
        if (residency(i) <= duration) {
            return i;
        }
    }
    return 0;
}

Nanoseconds default_poll_limit(const IdleTable& table, StateMask disabled, Nanoseconds tick) {
    constexpr Nanoseconds kShortest = 10'000;
    const Nanoseconds longest = tick / 16;
    for (int i = 1; i < table.size(); ++i) {
        if (!has_state(disabled, i) && table.residency(i) >= kShortest) {
            return std::min(longest, table.residency(i));
        }
    }
    return longest;
}

void explain_states(const Why& why, const IdleTable& table, const StateVerdicts& verdicts) {
    if (!why) {
        return;
    }
    for (int i = 0; i < table.size(); ++i) {
        const std::string& name = table.name(i);
        if (i == verdicts.chosen) {
            why.say("{}: chosen{}",
                    name,
                    has_state(verdicts.disabled, i)     ? ", although it is disabled"
                    : table.latency(i) > verdicts.limit ? ", although it exceeds the latency limit"
                                                        : "");
        } else if (has_state(verdicts.disabled, i)) {
            why.say("{}: not chosen, it is disabled", name);
        } else if (table.latency(i) > verdicts.limit) {
            why.say("{}: not chosen, exit latency {} exceeds the latency limit {}",
                    name,
                    TimeText{table.latency(i)},
                    TimeText{verdicts.limit});
        } else if (table.residency(i) > verdicts.expected) {
            why.say("{}: not chosen, target residency {} exceeds the expected {}",
                    name,
                    TimeText{table.residency(i)},
                    TimeText{verdicts.expected});
        } else if (i < verdicts.chosen) {
            why.say("{}: not chosen, {}", name, verdicts.shallower);
        } else {
            why.say("{}: not chosen, {}", name, verdicts.deeper);
        }
    }
}

std::string to_text(TimeText time) {
    // Without a timer the kernel counts to the end of its clock, from where it stands.
    if (time.value > kEndlessSleep / 2) {
        return "endless";
    }
    const auto magnitude = time.value < 0 ? 0 - static_cast<std::uint64_t>(time.value)
                                          : static_cast<std::uint64_t>(time.value);
    if (magnitude < 1'000) {
        return fmt::format("{} ns", time.value);
    }
    // Three decimals are exact up to a millisecond; beyond it nobody reads the nanoseconds.
    const auto value = static_cast<double>(time.value);
    if (magnitude < 1'000'000) {
        return fmt::format("{:.6g} us", value / 1e3);
    }
    if (magnitude < 1'000'000'000) {
        return fmt::format("{:.6g} ms", value / 1e6);
    }
    return fmt::format("{:.6g} s", value / 1e9);
}

}  // namespace idlesim
