// SPDX-License-Identifier: Apache-2.0
#include "models/platform/declared_state.hpp"

#include <algorithm>

namespace idlesim {

bool DeclaredState::has(StateFlag flag) const {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

const config::Fields<DeclaredLatency>& parameters(const DeclaredLatency*) {
    using config::field;
    static const config::Fields<DeclaredLatency> kFields{
        field("exit_latency", &DeclaredLatency::exit_latency, "declared exit latency")
            .required()
            .non_negative(),
        field("target_residency", &DeclaredLatency::target_residency, "declared target residency")
            .required()
            .non_negative(),
    };
    return kFields;
}

const config::Fields<DeclaredState>& parameters(const DeclaredState*) {
    using config::field;
    static const config::Fields<DeclaredState> kFields{
        field("description", &DeclaredState::description, "the sysfs file `desc`"),
        field("hint", &DeclaredState::hint, "EAX of MWAIT, or the port of an I/O read"),
        field("entry", &DeclaredState::entry, "how the driver asks for the state"),
        field("exit_latency", &DeclaredState::exit_latency, "what the governor believes")
            .required()
            .non_negative(),
        field("target_residency", &DeclaredState::target_residency, "what the governor believes")
            .required()
            .non_negative(),
        field("without_package_c6",
              &DeclaredState::without_package_c6,
              "declared instead where the firmware forbids package C6"),
        field("flags", &DeclaredState::flags, "flags of the driver's table"),
        field("hardware", &DeclaredState::hardware, "the hardware state that it asks for")
            .required(),
        field("source", &DeclaredState::source, "where the numbers come from").required(),
    };
    return kFields;
}

}  // namespace idlesim
