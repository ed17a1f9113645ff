// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/experiment/ftrace_line.hpp"
#include "sim/experiment/line_reader.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace idlesim {

enum class FtraceKind : std::uint8_t {
    idle_enter,        ///< value: state
    idle_exit,         ///<
    timer_interrupt,   ///< the local timer's interrupt; who had armed it is not said
    timer_expiry,      ///< a timer that is not the tick; value: 1 for an hrtimer
    tick_expiry,       ///< the tick
    device_interrupt,  ///< value: number of the IRQ
    reschedule,
    call_function,
    other_interrupt,
    wake,            ///< a task of this CPU is woken
    switch_to_task,  ///< the CPU leaves its idle loop, or goes on working
    switch_to_idle,
    lost,  ///< events of this CPU are missing before this one
};

/// An event of a trace that matters for idle periods.
struct FtraceEvent {
    std::int64_t time = 0;
    int cpu = 0;
    FtraceKind kind = FtraceKind::idle_enter;
    int value = 0;
};

/// What a trace was like, for a reader who wonders about the results.
struct FtraceSummary {
    std::int64_t lines = 0;
    std::int64_t events = 0;       ///< lines that are events, of whatever kind
    std::int64_t idle_events = 0;  ///< cpu_idle
    std::int64_t lost_marks = 0;   ///< places where the recorder says that events are missing
    std::int64_t out_of_order = 0;
    std::int64_t too_late = 0;  ///< so far out of order that they had to be left out
    std::int64_t unreadable = 0;
    int first_unreadable_line = 0;
    std::int64_t bad_idle_events = 0;  ///< cpu_idle without a state or a CPU
    int first_bad_idle_line = 0;
    bool counter_clock = false;
    int cut_line = 0;  ///< line that the file ends in; 0: it ends behind one
    std::int64_t first_time = 0;
    std::int64_t last_time = 0;
};

/// Reads ftrace text of any length in fixed memory and gives the events that matter, in the order
/// of their times: lines that stand a little out of order, as where buffers of CPUs were put
/// together, are sorted within a window. Throws config::ConfigError for what is no such text.
class FtraceReader {
public:
    /// How many events a line may be late.
    static constexpr std::size_t kWindow = 1024;

    explicit FtraceReader(const std::string& path) : lines_{path} {}

    /// False at the end of the trace.
    [[nodiscard]] bool next(FtraceEvent& event);

    /// Complete once next() has returned false.
    [[nodiscard]] const FtraceSummary& summary() const { return summary_; }

    /// Names of the device interrupts by their number.
    [[nodiscard]] const std::map<int, std::string>& irq_names() const { return irq_names_; }

    /// Throws config::ConfigError for a trace as a whole.
    [[noreturn]] void fail(std::string_view what) const { lines_.fail(what); }

private:
    [[nodiscard]] bool read_line();
    void read_event(const FtraceLine& line);
    void read_idle(const FtraceLine& line);
    void read_switch(const FtraceLine& line);
    void read_interrupt(const FtraceLine& line);
    void read_timer(const FtraceLine& line);
    void read_other(std::string_view line);
    void read_lost(std::string_view line);
    void add(const FtraceLine& line, FtraceKind kind, int value = 0);
    void insert(const FtraceEvent& event);
    [[nodiscard]] std::int64_t& emitted(int cpu);

    LineReader lines_;
    FtraceSummary summary_;
    std::map<int, std::string> irq_names_;
    std::deque<FtraceEvent> window_;
    std::vector<std::int64_t> emitted_;  ///< by CPU, the time that was given last
    int cpus_ = 0;                       ///< the highest CPU that was seen, and one
    bool ended_ = false;
};

}  // namespace idlesim
