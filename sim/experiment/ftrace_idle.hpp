// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/ftrace_reader.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace idlesim {

/// What ended an idle period, as far as the trace tells.
enum class WakeKind : std::uint8_t {
    unknown,
    timer,
    tick,
    device,  ///< with the number of the IRQ
    reschedule,
    call_function,
    other_interrupt,
    wake_up,  ///< a task was woken, by what interrupt or store is not in the trace
};

inline constexpr std::size_t kWakeKinds = 8;

struct RecordedCause {
    WakeKind kind = WakeKind::unknown;
    int irq = 0;
};

/// From cpu_idle entry to exit.
struct IdleInterval {
    int cpu = 0;
    std::int64_t begin = 0;  ///< ns
    std::int64_t end = 0;
    int state = 0;
    RecordedCause cause;
    /// The CPU went back to sleep without having left its idle loop since the interval before.
    bool stayed = false;
    /// First timer of this CPU that expired at or after the beginning, the tick left out. Empty:
    /// none in the trace, or none within the next intervals that are kept in memory.
    std::optional<std::int64_t> next_timer;
    /// The last tick of this CPU before the beginning, awake or not: it tells the phase.
    std::optional<std::int64_t> last_tick;
};

/// How entries and exits of a CPU failed to match.
struct IdleGaps {
    std::int64_t exits_without_entry = 0;
    std::int64_t entries_after_entry = 0;
    std::int64_t open_at_end = 0;
    std::int64_t cut_by_loss = 0;
};

/// Puts idle intervals together from the events of a trace, with what woke the CPU.
///
/// The cause is the last interrupt inside the interval (states that wait with interrupts on, HLT
/// and polling handle it before cpu_idle reports the exit); else the first one behind the exit,
/// before the CPU switches tasks or sleeps again (states that wait with interrupts off); else a
/// task of this CPU that was woken in between.
///
/// The trace does not say which timers were armed. What a governor would have been told is taken
/// from the timer that expired next on that CPU: timers that were armed only later count as if they
/// had been known, those that were cancelled as if they had never been. Where the trace has
/// hrtimer_expire_entry or timer_expire_entry, these are the timers and ticks are told apart by
/// their function; an interrupt of the timer in which no hrtimer expires is a tick, too, where the
/// trace has hrtimers at all. Where it has only the timer's interrupt, each one counts as a timer.
///
/// Intervals come out by CPU in order of time, an interval once its cause and its timer are known
/// or `kMostWaiting` later ones of the CPU have ended.
class IdleIntervals {
public:
    static constexpr std::size_t kMostWaiting = 256;

    using Sink = std::function<void(const IdleInterval&)>;

    explicit IdleIntervals(Sink sink) : sink_{std::move(sink)} {}

    void add(const FtraceEvent& event);

    /// The trace is over: what waits comes out.
    void finish();

    /// By CPU; CPUs without idle events have zeroes.
    [[nodiscard]] std::vector<IdleGaps> gaps() const;

    /// By CPU and state: entries whose exit is not in the trace.
    [[nodiscard]] const std::map<std::pair<int, int>, std::int64_t>& unfinished() const {
        return unfinished_;
    }

private:
    struct Cpu {
        std::optional<IdleInterval> open;
        std::deque<IdleInterval> waiting;
        bool settled = true;      ///< the cause of the last waiting one is final
        bool may_refine = false;  ///< the interrupt that is the cause is still running
        bool switched = true;     ///< to a task since the last interval, or nobody knows
        /// The timer's interrupt was the last event: what expires tells whether it was a tick.
        std::optional<std::int64_t> timer_interrupt;
        std::optional<std::int64_t> last_tick;
        IdleGaps gaps;
    };

    Cpu& cpu(int number);
    void drop_open(Cpu& cpu);
    void enter(Cpu& cpu, const FtraceEvent& event);
    void leave(Cpu& cpu, const FtraceEvent& event);
    void settle(Cpu& cpu);
    void interrupt(Cpu& cpu, RecordedCause cause);
    void judge_timer_interrupt(Cpu& cpu);
    void expire(Cpu& cpu, const FtraceEvent& event);
    void set_timer(Cpu& cpu, std::int64_t time);
    void release(Cpu& cpu, bool all);
    [[nodiscard]] static RecordedCause* present_cause(Cpu& cpu);

    Sink sink_;
    std::deque<Cpu> cpus_;
    bool has_expiries_ = false;
    bool has_hrtimers_ = false;
    bool has_switches_ = false;
    std::map<std::pair<int, int>, std::int64_t> unfinished_;
};

}  // namespace idlesim
