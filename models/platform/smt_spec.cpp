// SPDX-License-Identifier: Apache-2.0
#include "models/platform/smt_spec.hpp"

namespace idlesim {

const config::Fields<SmtSpec>& parameters(const SmtSpec*) {
    using config::field;
    static const config::Fields<SmtSpec> kFields{
        field("throughput",
              &SmtSpec::throughput,
              "throughput of a core with two busy threads, as a multiple of one alone")
            .required(),
        field("beside_polling",
              &SmtSpec::beside_polling,
              "speed of a thread beside one that spins with PAUSE, alone = 1")
            .required(),
        field("join_stall",
              &SmtSpec::join_stall,
              "stall of the other thread when one goes to sleep and frees its partitions"),
        field("divide_stall",
              &SmtSpec::divide_stall,
              "stall of the other thread when one wakes and takes its partitions back"),
        field(
            "ibrs_branch",
            &SmtSpec::ibrs_branch,
            "what an indirect branch costs on top while a thread of the core has legacy IBRS set"),
        field("stibp_branch",
              &SmtSpec::stibp_branch,
              "what an indirect branch costs on top while a thread of the core has STIBP set"),
    };
    return kFields;
}

}  // namespace idlesim
