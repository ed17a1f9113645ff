// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstdint>
#include <vector>

namespace idlesim {

/// A tournament (winner) tree over slots, one slot per registered event: the leaves are the times
/// of the slots, every inner node names the earlier of its two children, the root is the event to
/// dispatch. Arming, re-arming and cancelling replay one path from leaf to root; nothing moves
/// and nothing is allocated. A path visits siblings that are known in advance, so that a processor
/// loads them in parallel, where a heap has to wait for each comparison to find the next address.
///
/// Order is (time, order); the simulation packs phase and insertion number into `order`.
class EventQueue {
public:
    using Slot = std::uint32_t;

    EventQueue();

    /// A free slot, which is not armed.
    Slot add();

    void remove(Slot slot);

    void arm(Slot slot, Time time, std::uint64_t order) {
        orders_[slot] = order;
        replay(slot, ticks(time));
    }

    void disarm(Slot slot) { replay(slot, never(slot)); }

    [[nodiscard]] bool is_armed(Slot slot) const { return times_[slot] <= kLast; }

    /// Only for an armed slot.
    [[nodiscard]] Time time(Slot slot) const { return Time{Duration{times_[slot]}}; }

    /// The earliest slot; its time is past kEndOfTime when nothing is armed.
    [[nodiscard]] Slot first() const { return winners_[1]; }

    [[nodiscard]] Time first_time() const { return time(first()); }

    /// Earliest time over all slots but this one; past kEndOfTime when none is armed.
    [[nodiscard]] Time first_time_without(Slot slot) const {
        std::int64_t earliest = times_[slot ^ 1U];
        for (Slot node = (capacity_ + slot) >> 1U; node > 1; node >>= 1U) {
            const std::int64_t sibling = times_[winners_[node ^ 1U]];
            earliest = sibling < earliest ? sibling : earliest;
        }
        return Time{Duration{earliest}};
    }

private:
    static constexpr std::int64_t kLast = kLongestRun.count();

    static constexpr std::int64_t ticks(Time time) { return time.time_since_epoch().count(); }

    /// Slots that are not armed differ in time, so that they never cost a comparison of orders.
    static constexpr std::int64_t never(Slot slot) { return kLast + 1 + slot; }

    [[nodiscard]] bool is_before(Slot a, Slot b) const;

    void replay(Slot slot, std::int64_t time) {
        times_[slot] = time;
        Slot winner = slot;
        Slot sibling = slot ^ 1U;
        for (Slot node = (capacity_ + slot) >> 1U;; node >>= 1U) {
            const std::int64_t sibling_time = times_[sibling];
            if (sibling_time == time) [[unlikely]] {
                // Out of line, so that compilers make conditional moves of what follows: which
                // side wins cannot be predicted.
                replay_with_ties(node, winner, sibling);
                return;
            }
            winner = sibling_time < time ? sibling : winner;
            time = sibling_time < time ? sibling_time : time;
            winners_[node] = winner;
            if (node == 1) {
                return;
            }
            sibling = winners_[node ^ 1U];
        }
    }

    void replay_with_ties(Slot node, Slot winner, Slot sibling);
    void grow();

    Slot capacity_ = 0;                  // a power of two, at least 2
    std::vector<std::int64_t> times_;    // [slot]
    std::vector<std::uint64_t> orders_;  // [slot]
    std::vector<Slot> winners_;          // [node]; children of node i are 2i and 2i + 1
    std::vector<Slot> free_;
};

}  // namespace idlesim
