// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace idlesim {

/// When something other than the tick woke each CPU from idle, in a run that was made before to
/// learn it: what an oracle knows and no kernel can.
struct WakeLog {
    std::map<int, std::vector<Time>> wakes;  ///< by CPU, in order of time
};

/// Reads a WakeLog of another run of the same scenario and seed along with the present one.
///
/// Wake-ups that come from outside (timers at absolute times, devices) fall at the same instants in
/// both runs, and whenever one does, the reader is in step again. Where a wake-up answers another
/// one (two tasks in turn), times drift; then the distance from the last wake-up counts.
class Foresight {
public:
    /// `log` must outlive it.
    Foresight(const WakeLog& log, int cpu);

    /// The CPU has been woken, not by the tick.
    void woken(Time at);

    /// When it will be woken next; nullopt: never again, as far as is known.
    [[nodiscard]] std::optional<Time> next(Time now) const;

private:
    const std::vector<Time>* wakes_;
    std::size_t next_ = 0;
    Duration drift_{};  ///< of this run against the other at the last wake-up
};

}  // namespace idlesim
