// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/attribution.hpp"
#include "models/machine.hpp"

#include <cstddef>
#include <deque>
#include <vector>

namespace idlesim {

/// Paths to follow events with, where more may be under way than a CPU can carry.
class PathPool {
public:
    /// As many as may meet on one CPU.
    static constexpr std::size_t kMostOnOneCpu = 8;

    PathPool(Machine& machine, std::size_t paths);

    /// nullptr: all are in use, the event is not followed.
    Attribution* take();

    /// The event is over, or nobody will finish it; whoever carries the path is rid of it.
    void give_back(Attribution& path);

private:
    bool detach(Attribution& path);

    Machine& machine_;
    std::deque<Attribution> paths_;
    std::vector<Attribution*> free_;
    std::vector<Attribution*> under_way_;  // given back while no CPU had them
};

}  // namespace idlesim
