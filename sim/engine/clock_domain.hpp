// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <compare>
#include <cstdint>

namespace idlesim {

/// An exact frequency of numerator / denominator Hz, e.g. {2'100'000'000, 1}, or {400'000'000, 3}
/// for 133.3 MHz. Usable when both are positive, the denominator is at most kMaxDenominator and the
/// value is below kLimit; ClockDomain refuses others with ParameterError.
struct Frequency {
    /// In Hz: periods stay longer than the unit of time.
    static constexpr std::int64_t kLimit = 1'000'000'000'000;
    static constexpr std::int64_t kMaxDenominator = 1'000'000;

    std::int64_t numerator = 1;
    std::int64_t denominator = 1;

    [[nodiscard]] constexpr double hertz() const {
        return static_cast<double>(numerator) / static_cast<double>(denominator);
    }

    /// Equal as written; {2, 2} is not {1, 1}.
    friend constexpr bool operator==(const Frequency&, const Frequency&) = default;
};

/// The core's own clock: runs in C0 only, its ratio may change on every wake.
struct CoreClock;
/// The invariant time-stamp counter: runs in all C-states at crystal x ratio, exactly.
struct TscClock;
/// The crystal (always running timer), the anchor of all others.
struct ArtClock;
/// Caches and interconnect.
struct UncoreClock;

/// A number of cycles of one kind of clock. Cycles of different clocks do not mix, and nothing
/// converts to an integer by accident.
template <class Kind>
class Cycles {
public:
    constexpr Cycles() = default;

    explicit constexpr Cycles(std::int64_t count) : count_{count} {}

    [[nodiscard]] constexpr std::int64_t count() const { return count_; }

    constexpr Cycles& operator+=(Cycles other) {
        count_ += other.count_;
        return *this;
    }

    constexpr Cycles& operator-=(Cycles other) {
        count_ -= other.count_;
        return *this;
    }

    friend constexpr Cycles operator+(Cycles a, Cycles b) { return a += b; }

    friend constexpr Cycles operator-(Cycles a, Cycles b) { return a -= b; }

    friend constexpr Cycles operator*(Cycles a, std::int64_t factor) {
        return Cycles{a.count_ * factor};
    }

    // clang-tidy 14 takes the 0 of a defaulted comparison for a pointer.
    // NOLINTNEXTLINE(modernize-use-nullptr)
    friend constexpr auto operator<=>(const Cycles&, const Cycles&) = default;

private:
    std::int64_t count_ = 0;
};

using CoreCycles = Cycles<CoreClock>;
using TscCycles = Cycles<TscClock>;
using ArtCycles = Cycles<ArtClock>;
using UncoreCycles = Cycles<UncoreClock>;

/// Where a gated clock takes up again.
enum class Restart : std::uint8_t {
    realigned,  ///< with an edge at the moment of the restart
    in_phase,   ///< on the edges that it would have had all along
};

/// Edges of one clock, computed from an anchor in 128 bits: edge k lies at
/// anchor + floor((k - anchor cycle) / frequency), exact to less than a picosecond for as long as
/// the frequency stays. ClockDomain is the typed face of it.
class ClockEdges {
public:
    ClockEdges(Frequency frequency, Time first_edge);

    [[nodiscard]] Frequency frequency() const { return frequency_; }

    [[nodiscard]] bool is_gated() const { return is_gated_; }

    [[nodiscard]] Time edge(std::int64_t cycle) const;
    [[nodiscard]] std::int64_t cycle_at(Time time) const;
    [[nodiscard]] std::int64_t next_cycle(Time time) const;
    [[nodiscard]] Duration duration(std::int64_t cycles) const;
    void retune(Time time, Frequency frequency);
    void gate(Time time);
    void restart(Time time, Restart how);

private:
    [[nodiscard]] std::int64_t periods_before(Duration elapsed) const;

    Frequency frequency_;
    Time anchor_;
    std::int64_t anchor_cycle_ = 0;
    Time gated_from_{};
    bool is_gated_ = false;
};

/// The clock of one domain, and the only converter between its cycles and time. Cycle 0 is the
/// edge at the start. Questions about the time before the latest retune or restart are broken
/// invariants: the past is not kept.
template <class Kind>
class ClockDomain {
public:
    explicit ClockDomain(Frequency frequency, Time first_edge = Time{})
        : edges_{frequency, first_edge} {}

    [[nodiscard]] Frequency frequency() const { return edges_.frequency(); }

    [[nodiscard]] bool is_gated() const { return edges_.is_gated(); }

    /// When the cycle begins. Throws RangeError past kEndOfTime. A gated clock has no edges.
    [[nodiscard]] Time edge(Cycles<Kind> cycle) const { return edges_.edge(cycle.count()); }

    /// The cycle that is running at this time: that of the last edge at or before it. A gated
    /// clock stays at the cycle in which it was gated.
    [[nodiscard]] Cycles<Kind> cycle_at(Time time) const {
        return Cycles<Kind>{edges_.cycle_at(time)};
    }

    /// The first edge at or after this time. Values that cross into this domain arrive there.
    [[nodiscard]] Time next_edge(Time time) const { return edge(next_cycle(time)); }

    [[nodiscard]] Cycles<Kind> next_cycle(Time time) const {
        return Cycles<Kind>{edges_.next_cycle(time)};
    }

    /// Length of so many cycles from an edge at the present frequency, rounded down; throws
    /// RangeError past kLongestRun. For one length only: sums of rounded lengths drift, edges
    /// don't.
    [[nodiscard]] Duration duration(Cycles<Kind> cycles) const {
        return edges_.duration(cycles.count());
    }

    /// The cycle that runs at this time keeps its length; the new frequency counts from the next
    /// edge on. Costs less than 1 ps of phase.
    void retune(Time time, Frequency frequency) { edges_.retune(time, frequency); }

    /// No edge follows until restart(); an edge at this very time still counts.
    void gate(Time time) { edges_.gate(time); }

    /// The cycle count goes on where it stopped.
    void restart(Time time, Restart how = Restart::realigned) { edges_.restart(time, how); }

private:
    ClockEdges edges_;
};

}  // namespace idlesim
