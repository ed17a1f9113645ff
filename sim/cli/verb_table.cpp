// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verbs.hpp"

namespace idlesim {

std::vector<Verb> all_verbs() {
    return {run_verb(),
            validate_verb(),
            sweep_verb(),
            merge_verb(),
            compare_verb(),
            calibrate_verb(),
            governor_verb(),
            cpuidle_verb(),
            replay_verb(),
            report_verb(),
            list_verb(),
            describe_verb(),
            check_verb(),
            init_verb(),
            schema_verb(),
            completion_verb(),
            manual_verb()};
}

}  // namespace idlesim
