// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/strategy/idle_strategy.hpp"

#include <optional>
#include <string>

namespace idlesim {

/// A way in which an idle entry sleeps through what should wake it.
struct LostWakeup {
    std::string event;  ///< "device interrupt"
    /// The operations of the entry in the order of their execution, separated by "; ", and where
    /// among them the event comes, behind ">>>". Ends with what the CPU is left in.
    std::string interleaving;
};

/// Lets a CPU of a plain machine, on which every operation takes the same time, go idle by the
/// strategy, and sends what wakes it at every boundary between two operations and inside of each:
/// a device interrupt whose handler wakes a task, a task woken by the other CPU (by store or IPI,
/// as the flags tell the waker), a cross call that wakes a task. So also behind the first sleeps,
/// when an interrupt or a store that wakes nobody has ended them. Returns the first wake-up that is
/// lost.
///
/// NMIs are left out: the one between STI and HLT that loses a wake-up is the hardware's.
std::optional<LostWakeup> find_lost_wakeup(const IdleStrategy& strategy);

}  // namespace idlesim
