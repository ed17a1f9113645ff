// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <cstdlib>
#include <string>

#include <sys/wait.h>

using namespace idlesim;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Exit status of idlesim with these arguments in the folder; its output is in out and err there.
int idlesim_in(const ScratchFolder& folder, const std::string& arguments) {
    const std::string command = "cd '" + folder.path().string() + "' && '" + IDLESIM_BINARY + "' " +
                                arguments + " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const std::string kRecording =
    std::string{IDLESIM_SOURCE_DIR} + "/tests/data/governors/menu-7.1_jsl_hz250_boundary.csv";

}  // namespace

TEST_CASE("governor verify counts equal decisions", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, "governor verify '" + kRecording + "'") == 0);
    REQUIRE_THAT(folder.read("out"), ContainsSubstring("all 250 decisions of menu@7.1 are equal"));
}

TEST_CASE("governor verify says no for another version's decisions", "[cli]") {
    const ScratchFolder folder;
    const std::string other = "sed 's/^# version: 7.1/# version: 6.3/' '" + kRecording + "' > '" +
                              (folder.path() / "other.csv").string() + "'";
    REQUIRE(std::system(other.c_str()) == 0);
    REQUIRE(idlesim_in(folder, "governor verify other.csv") == 1);
    REQUIRE_THAT(folder.read("out"), ContainsSubstring("menu@6.3 decides otherwise in step"));
}

TEST_CASE("governor verify refuses what it cannot read", "[cli]") {
    const ScratchFolder folder;
    folder.write("bad.csv", "hello\n");
    REQUIRE(idlesim_in(folder, "governor verify bad.csv") == 2);
    REQUIRE_THAT(folder.read("err"), ContainsSubstring("bad.csv:1:1: error: expected '# format"));
    REQUIRE(idlesim_in(folder, "governor verify missing.csv") == 2);
    REQUIRE(idlesim_in(folder, "governor verify") == 2);
    REQUIRE(idlesim_in(folder, "governor verfy bad.csv") == 2);
    REQUIRE_THAT(folder.read("err"), ContainsSubstring("did you mean 'verify'?"));
}
