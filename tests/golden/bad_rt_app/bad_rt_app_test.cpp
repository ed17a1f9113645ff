// SPDX-License-Identifier: Apache-2.0
#include "models/rt_app/profile.hpp"
#include "sim/config/json_tree.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden_files.hpp"

#include <filesystem>
#include <string>

namespace idlesim::rt_app {
namespace {

namespace fs = std::filesystem;
using test::content;

const fs::path kFolder = fs::path{IDLESIM_SOURCE_DIR} / "tests" / "golden" / "bad_rt_app";

/// What a user would see for NAME.json.
std::string diagnose(const fs::path& json) {
    config::Diagnostics diagnostics;
    const std::string name = json.filename().string();
    const std::string text = content(json);
    diagnostics.add_source(name, text);
    const config::Node root = config::parse_json(text, name, diagnostics);
    CHECK_FALSE(read_profile(root, diagnostics).has_value());
    CHECK(diagnostics.has_errors());
    return diagnostics.render();
}

TEST_CASE("bad rt-app profiles are diagnosed exactly as expected") {
    CHECK(test::check_folder(kFolder, ".json", diagnose) >= 12);
}

}  // namespace
}  // namespace idlesim::rt_app
