// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/clock_domain.hpp"

#include "sim/engine/check.hpp"
#include "sim/engine/error.hpp"

#include <string>

namespace idlesim {
namespace {

// -Wpedantic objects to __int128 without the marker.
__extension__ using Wide = __int128;

constexpr Wide kPicosecondsPerSecond = 1'000'000'000'000;

// Largest products below: cycles (2^63) x denominator (2^20) x 10^12 (2^40), and picoseconds
// (2^63) x numerator (2^60): both fit 127 bits.
Wide picoseconds(Frequency frequency, std::int64_t cycles) {
    return Wide{cycles} * frequency.denominator * kPicosecondsPerSecond / frequency.numerator;
}

void require_valid(Frequency frequency) {
    if (frequency.numerator <= 0 || frequency.denominator <= 0 ||
        frequency.denominator > Frequency::kMaxDenominator ||
        frequency.numerator / frequency.denominator >= Frequency::kLimit) {
        throw ParameterError{
            "not a usable clock frequency: " + std::to_string(frequency.numerator) + "/" +
            std::to_string(frequency.denominator) + " Hz"};
    }
}

}  // namespace

ClockEdges::ClockEdges(Frequency frequency, Time first_edge)
    : frequency_{frequency}, anchor_{first_edge} {
    require_valid(frequency);
}

Time ClockEdges::edge(std::int64_t cycle) const {
    IDLESIM_CHECK(!is_gated_, "a gated clock has no edges");
    IDLESIM_CHECK(cycle >= anchor_cycle_, "edges before the latest retune or restart are gone");
    const Wide elapsed = picoseconds(frequency_, cycle - anchor_cycle_);
    if (elapsed > (kEndOfTime - anchor_).count()) {
        throw RangeError{"clock edge " + std::to_string(cycle) +
                         " lies past the longest run of 100 days (" + to_text(kLongestRun) + ")"};
    }
    return anchor_ + Duration{static_cast<std::int64_t>(elapsed)};
}

// Number of edges k = 1, 2... with floor(k x period) < elapsed, for elapsed > 0.
std::int64_t ClockEdges::periods_before(Duration elapsed) const {
    // floor(x) < n for whole n means x < n: k < elapsed / period.
    const Wide period = Wide{frequency_.denominator} * kPicosecondsPerSecond;
    return static_cast<std::int64_t>((Wide{elapsed.count()} * frequency_.numerator - 1) / period);
}

std::int64_t ClockEdges::cycle_at(Time time) const {
    const Time until = is_gated_ && time > gated_from_ ? gated_from_ : time;
    if (until < anchor_) {
        // The cycle that was running when the anchor was set ahead, to its end.
        return anchor_cycle_ - 1;
    }
    return anchor_cycle_ + periods_before(until - anchor_ + Duration{1});
}

std::int64_t ClockEdges::next_cycle(Time time) const {
    IDLESIM_CHECK(!is_gated_, "a gated clock has no edges");
    return time <= anchor_ ? anchor_cycle_ : anchor_cycle_ + periods_before(time - anchor_) + 1;
}

Duration ClockEdges::duration(std::int64_t cycles) const {
    IDLESIM_CHECK(cycles >= 0, "a length is not negative");
    const Wide length = picoseconds(frequency_, cycles);
    if (length > kLongestRun.count()) {
        throw RangeError{std::to_string(cycles) +
                         " cycles last longer than the longest run of 100 days"};
    }
    return Duration{static_cast<std::int64_t>(length)};
}

void ClockEdges::retune(Time time, Frequency frequency) {
    require_valid(frequency);
    if (is_gated_) {
        IDLESIM_CHECK(time >= gated_from_, "time does not run backwards");
        anchor_cycle_ = cycle_at(gated_from_);
        anchor_ = gated_from_;
    } else {
        const std::int64_t cycle = next_cycle(time);
        anchor_ = edge(cycle);
        anchor_cycle_ = cycle;
    }
    frequency_ = frequency;
}

void ClockEdges::gate(Time time) {
    IDLESIM_CHECK(!is_gated_, "the clock is gated already");
    gated_from_ = time;
    is_gated_ = true;
}

void ClockEdges::restart(Time time, Restart how) {
    IDLESIM_CHECK(is_gated_, "the clock is running");
    IDLESIM_CHECK(time >= gated_from_, "time does not run backwards");
    const std::int64_t next = cycle_at(gated_from_) + 1;
    is_gated_ = false;
    anchor_ = how == Restart::in_phase ? edge(next_cycle(time)) : time;
    anchor_cycle_ = next;
}

}  // namespace idlesim
