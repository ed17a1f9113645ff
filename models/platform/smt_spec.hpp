// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/cost.hpp"

namespace idlesim {

/// How the hardware threads of a core share it.
struct SmtSpec {
    /// Throughput of a core with two busy threads, one alone = 1.
    Factor throughput;
    /// Speed of a thread beside one that spins with PAUSE, alone = 1: the slots that the spinning
    /// one takes, and the partitions that it does not free.
    Factor beside_polling;
    /// Stall of the other thread when one goes to sleep: partitions are drained and joined.
    Amount join_stall;
    /// Stall of the other thread when one wakes: they are divided again.
    Amount divide_stall;
    /// What an indirect branch costs on top while any thread of the core has legacy IBRS set. Parts
    /// with enhanced IBRS leave it set for good and pay nothing for it.
    Amount ibrs_branch;
    /// The same while one has STIBP set and none IBRS.
    Amount stibp_branch;
    config::Location location;
};

const config::Fields<SmtSpec>& parameters(const SmtSpec*);

}  // namespace idlesim
