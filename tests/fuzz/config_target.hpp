// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "sim/config/override.hpp"
#include "sim/engine/check.hpp"
#include "tests/unit/config/demo_table.hpp"

#include <string>
#include <string_view>

namespace idlesim::config {

inline std::string flow_of(demo::Demo& demo) {
    return write_flow(fields_to_node(parameters(&demo).infos(), &demo));
}

/// Any bytes: loads them, reads the demo table, applies the first line as a --set. A text that is
/// accepted must read back, as it is written, as the same values.
inline void fuzz_config(std::string_view bytes) {
    Diagnostics diagnostics;
    Node root = load_text(bytes, "input.yaml", diagnostics);
    const bool loaded = !diagnostics.has_errors();
    demo::Demo demo;
    const bool good = read(root, parameters(&demo), demo, diagnostics);
    IDLESIM_CHECK(good || diagnostics.has_errors(), "read() says why it fails");

    if (loaded) {
        Diagnostics again;
        const Node copy = load_text(write_effective(root), "effective.yaml", again);
        IDLESIM_CHECK(!again.has_errors(), "an effective configuration can be loaded");
        IDLESIM_CHECK(write_flow(copy) == write_flow(root), "and says the same");
    }
    if (loaded && good) {
        Diagnostics again;
        demo::Demo second;
        Node copy = load_text(write_effective(root), "effective.yaml", again);
        const bool reread = read(copy, parameters(&second), second, again);
        IDLESIM_CHECK(reread, "an effective configuration can be read");
        IDLESIM_CHECK(flow_of(second) == flow_of(demo), "and has the same values");
    }
    if (root.is_map()) {
        apply_set(root, bytes.substr(0, bytes.find('\n')), 1, diagnostics);
    }
    const std::string rendered = diagnostics.render();
    IDLESIM_CHECK(rendered.empty() != (diagnostics.errors() + diagnostics.warnings() > 0),
                  "what is wrong is said");
}

}  // namespace idlesim::config
