// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load.hpp"
#include "tests/unit/governor/scripted_cpu.hpp"

namespace idlesim {

std::unique_ptr<Governor> configured(const std::string& text,
                                     ScriptedCpu& cpu,
                                     const std::vector<IdleState>& states) {
    config::Diagnostics diagnostics;
    config::Node node = config::load_text(text, "test.yaml", diagnostics);
    Choice<Governor> choice;
    read_choice(node, Governor::kKindKey, choice, diagnostics);
    diagnostics.throw_if_errors();
    auto governor = choice.make();
    governor->enable(states, cpu);
    return governor;
}

}  // namespace idlesim
