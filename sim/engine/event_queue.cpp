// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/event_queue.hpp"

namespace idlesim {

EventQueue::EventQueue() {
    grow();
}

EventQueue::Slot EventQueue::add() {
    if (free_.empty()) {
        grow();
    }
    const Slot slot = free_.back();
    free_.pop_back();
    return slot;
}

void EventQueue::remove(Slot slot) {
    disarm(slot);
    free_.push_back(slot);
}

bool EventQueue::is_before(Slot a, Slot b) const {
    return times_[a] != times_[b] ? times_[a] < times_[b] : orders_[a] < orders_[b];
}

void EventQueue::replay_with_ties(Slot node, Slot winner, Slot sibling) {
    for (;; node >>= 1U) {
        winner = is_before(sibling, winner) ? sibling : winner;
        winners_[node] = winner;
        if (node == 1) {
            return;
        }
        sibling = winners_[node ^ 1U];
    }
}

void EventQueue::grow() {
    const Slot old_capacity = capacity_;
    capacity_ = capacity_ == 0 ? 2 : 2 * capacity_;
    times_.resize(capacity_);
    orders_.resize(capacity_, 0);
    winners_.assign(capacity_, 0);
    for (Slot slot = capacity_; slot > old_capacity; --slot) {
        times_[slot - 1] = never(slot - 1);
        free_.push_back(slot - 1);
    }
    for (Slot node = capacity_ - 1; node > 0; --node) {
        const Slot child = 2 * node;
        const bool above_leaves = child >= capacity_;
        const Slot left = above_leaves ? child - capacity_ : winners_[child];
        const Slot right = above_leaves ? left + 1 : winners_[child + 1U];
        winners_[node] = is_before(right, left) ? right : left;
    }
}

}  // namespace idlesim
