// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/check.hpp"
#include "sim/engine/time.hpp"

#include <array>
#include <cstddef>

namespace idlesim {

// -Wpedantic objects to the plain spelling.
__extension__ using WideInt = __int128;

/// An integer level that holds until it is set again (run-queue length, milliwatts), integrated
/// over time without rounding: level x picoseconds in 128 bits.
class HeldLevel {
public:
    struct Snapshot {
        WideInt integral = 0;  ///< level x ps since the start
        Duration length{};     ///< time since the start

        /// The window between two snapshots.
        [[nodiscard]] Snapshot operator-(const Snapshot& earlier) const {
            return {integral - earlier.integral, length - earlier.length};
        }

        /// Time-weighted mean level; 0 for an empty window.
        [[nodiscard]] double mean() const {
            return length == Duration::zero()
                       ? 0.0
                       : static_cast<double>(integral) / static_cast<double>(length.count());
        }
    };

    explicit HeldLevel(std::int64_t level = 0, Time since = Time{})
        : level_{level}, since_{since}, at_{since} {}

    void set(Time now, std::int64_t level) {
        close(now);
        level_ = level;
    }

    [[nodiscard]] std::int64_t level() const { return level_; }

    /// Closes the level at `now` first, so that no time is missing from the window.
    [[nodiscard]] Snapshot snapshot(Time now) {
        close(now);
        return {integral_, at_ - since_};
    }

private:
    void close(Time now) {
        IDLESIM_CHECK(now >= at_, "a level was closed in the past");
        integral_ += static_cast<WideInt>(level_) * (now - at_).count();
        at_ = now;
    }

    std::int64_t level_;
    Time since_;
    Time at_;
    WideInt integral_ = 0;
};

/// Which of `States` states something is in, and for how long in total: residencies of a snapshot
/// add up exactly to the time that has passed.
template <std::size_t States>
class HeldState {
public:
    using Snapshot = std::array<Duration, States>;

    explicit HeldState(std::size_t state = 0, Time since = Time{}) : state_{state}, at_{since} {}

    void set(Time now, std::size_t state) {
        close(now);
        state_ = state;
    }

    [[nodiscard]] std::size_t state() const { return state_; }

    /// Closes the state at `now` first.
    [[nodiscard]] const Snapshot& snapshot(Time now) {
        close(now);
        return residency_;
    }

private:
    void close(Time now) {
        IDLESIM_CHECK(now >= at_, "a state was closed in the past");
        residency_[state_] += now - at_;
        at_ = now;
    }

    std::size_t state_;
    Time at_;
    Snapshot residency_{};
};

}  // namespace idlesim
