// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/fuzz/config_target.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace idlesim::config {
namespace {

namespace fs = std::filesystem;

int replay(const fs::path& folder) {
    int inputs = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder}) {
        std::ifstream file{entry.path(), std::ios::binary};
        const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
        INFO(entry.path().string());
        fuzz_config(bytes);
        ++inputs;
    }
    return inputs;
}

TEST_CASE("every input that the fuzzer ever kept is survived") {
    CHECK(replay(fs::path{IDLESIM_SOURCE_DIR} / "tests/fuzz/corpus/config") >= 10);
}

TEST_CASE("so is every golden bad configuration") {
    CHECK(replay(fs::path{IDLESIM_SOURCE_DIR} / "tests/golden/bad_config") >= 25);
}

}  // namespace
}  // namespace idlesim::config
