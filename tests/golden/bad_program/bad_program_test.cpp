// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/config/load.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden_files.hpp"

#include <filesystem>
#include <string>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path{IDLESIM_SOURCE_DIR} / "tests" / "golden" / "bad_program";

/// What a user would see of a file that holds the map below `idle:`.
std::string diagnose(const fs::path& yaml) {
    config::Diagnostics diagnostics;
    config::Node root =
        config::load_text(test::content(yaml), yaml.filename().string(), diagnostics);
    Choice<IdleStrategy> choice;
    CHECK_FALSE(config::Converter<Choice<IdleStrategy>>::read(root, choice, diagnostics));
    return diagnostics.render();
}

}  // namespace

TEST_CASE("bad idle programs are diagnosed exactly as expected") {
    CHECK(test::check_folder(kFolder, ".yaml", diagnose) >= 2);
}

}  // namespace idlesim
