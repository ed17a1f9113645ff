// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load.hpp"
#include "sim/config/override.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden_files.hpp"
#include "tests/unit/config/demo_table.hpp"

#include <filesystem>
#include <string>

namespace idlesim::config {
namespace {

namespace fs = std::filesystem;
using test::content;
using test::lines;

const fs::path kFolder = fs::path{IDLESIM_SOURCE_DIR} / "tests" / "golden" / "bad_config";

/// What a user would see for NAME.yaml, with each line of NAME.set as a --set.
std::string diagnose(const fs::path& yaml) {
    Diagnostics diagnostics;
    Node root = load_text(content(yaml), yaml.filename().string(), diagnostics);
    int index = 0;
    for (const std::string& assignment : lines(content(fs::path{yaml}.replace_extension("set")))) {
        apply_set(root, assignment, ++index, diagnostics);
    }
    demo::Demo demo;
    const bool good = read(root, parameters(&demo), demo, diagnostics);
    CHECK_FALSE((good && root.is_invalid()));
    CHECK(diagnostics.has_errors());
    return diagnostics.render();
}

TEST_CASE("bad configurations are diagnosed exactly as expected") {
    CHECK(test::check_folder(kFolder, ".yaml", diagnose) >= 25);
}

}  // namespace
}  // namespace idlesim::config
