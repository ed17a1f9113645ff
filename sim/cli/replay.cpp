// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verbs.hpp"

namespace idlesim {

Verb replay_verb() {
    return {"replay", "TRACE", "Re-decides.", {}, [](const Arguments&) { return kSuccess; }};
}

}  // namespace idlesim
