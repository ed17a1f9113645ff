// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/governor/governor.hpp"
#include "sim/experiment/ftrace_idle.hpp"
#include "sim/registry/registry.hpp"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace idlesim {

/// What idling in a state takes, of one core alone: power of the package and of what is always on
/// is the same whatever its state.
struct StateEnergy {
    double watts = 0;   ///< while it lasts
    double joules = 0;  ///< of each entry: transitions, and the way there and back awake

    [[nodiscard]] double of(double seconds, double entries) const {
        return watts * seconds + joules * entries;
    }
};

/// With what a trace is decided anew.
struct ReplaySettings {
    std::vector<IdleState> table;  ///< empty: nothing is decided, the record alone is counted
    /// [state]; empty: nothing is known about it
    std::vector<StateEnergy> energy;
    std::vector<Choice<Governor>> governors;
    Nanoseconds tick = 4'000'000;
    Nanoseconds latency_limit = 2'000'000'000'000;  ///< the kernel's default
};

/// What came of one state.
struct ReplayCount {
    std::int64_t entries = 0;
    Nanoseconds time = 0;
    std::int64_t too_deep = 0;
    std::int64_t too_shallow = 0;
    Nanoseconds too_deep_time = 0;
    Nanoseconds too_shallow_time = 0;
    std::int64_t wakes = 0;  ///< entries that a wake-up ended, not the tick or the poll limit
};

/// What came of one governor, or of the recorded decisions.
struct ReplayColumn {
    std::string governor;
    std::vector<ReplayCount> states;
};

/// The record of one CPU and state.
struct ReplayCpuState {
    std::int64_t closed = 0;
    Nanoseconds time = 0;
    std::int64_t unfinished = 0;
};

struct ReplayResult {
    FtraceSummary trace;
    std::vector<IdleState> table;
    std::vector<StateEnergy> energy;    ///< [state of the table], or empty
    std::vector<ReplayColumn> columns;  ///< the record first
    std::map<std::pair<int, int>, ReplayCpuState> cpu_states;
    std::vector<IdleGaps> gaps;  ///< by CPU
    std::array<std::int64_t, kWakeKinds> causes{};
    std::map<int, std::int64_t> irqs;  ///< wakes by device interrupt
    std::map<int, std::string> irq_names;
    std::int64_t periods = 0;       ///< idle periods that were decided anew
    std::int64_t known_timers = 0;  ///< of them, those whose next timer is in the trace
    std::int64_t beyond_table = 0;  ///< recorded intervals in states that the table lacks
};

/// Reads a trace in one pass and fixed memory, rebuilds its idle intervals, and lets each governor
/// decide them anew.
///
/// An interval is given to a governor as it was recorded, whatever state it chooses: waking is
/// taken to take no longer and no less. What depends on the decision is played: while the tick runs
/// it interrupts the idle period, in step with the last tick of that CPU that the trace has (else
/// at multiples of its length), and the governor is asked again for the rest; so it is when polling
/// reaches its limit. Intervals that ended by the recorded decision itself, at its tick or, in a
/// polling state, for no traced reason, and behind which the CPU slept on in the same idle loop,
/// are put together again for that. The tick runs again after each period that ended outside the
/// idle loop, and does not stop where the next timer is less than a tick away
/// (kernel/time/tick-sched.c, 6.3). Whether an entry was too deep or too shallow is the kernel's
/// own rule (drivers/cpuidle/cpuidle.c, 6.3).
///
/// Throws config::ConfigError for a trace that cannot be used, GovernorError for a governor that
/// cannot use the table.
[[nodiscard]] ReplayResult replay(const std::string& path, const ReplaySettings& settings);

/// The governors that can work with the table, `fixed` left out since it needs to be told a state.
[[nodiscard]] std::vector<Choice<Governor>> applicable_governors(
    const std::vector<IdleState>& table);

}  // namespace idlesim
