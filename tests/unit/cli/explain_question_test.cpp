// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/command_line.hpp"
#include "sim/cli/explain.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <cstdlib>
#include <string>

#include <sys/wait.h>

using namespace idlesim;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Exit status of `idlesim run` with these arguments; its output is in out and err.
int run_in(const ScratchFolder& folder, const std::string& arguments) {
    const std::string command = "cd '" + folder.path().string() + "' && '" + IDLESIM_BINARY +
                                "' run " + arguments + " >out 2>err";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a question names a CPU and a time, in either order", "[cli]") {
    CHECK(parse_question("cpu=3,at=12.5ms").cpu == 3);
    CHECK(parse_question("cpu=3,at=12.5ms").at == Time{} + 12500us);
    CHECK(parse_question("at=7 us,cpu=0").at == Time{} + 7us);
    for (const char* wrong : {"",
                              "cpu=3",
                              "at=1ms",
                              "cpu=x,at=1ms",
                              "cpu=1,at=5",
                              "cpu=1,at=-1ms",
                              "cpu=1,at=1ms,cpu=2",
                              "cpu=1,at=1ms,",
                              "cpu=99999999999,at=1ms"}) {
        INFO(wrong);
        CHECK_THROWS_AS(parse_question(wrong), UsageError);
    }
}

TEST_CASE("run --explain tells the story of each arm's interval", "[cli]") {
    const ScratchFolder folder;
    const std::string experiment =
        " '" + std::string{IDLESIM_SOURCE_DIR} + "/experiments/20_shallow_trap.yaml'";
    REQUIRE(run_in(folder, "--explain cpu=0,at=1255ms" + experiment) == 0);
    const std::string out = folder.read("out");
    CHECK_THAT(out, ContainsSubstring("teo_6_12: CPU 0, idle from"));
    CHECK_THAT(out, ContainsSubstring("too shallow (below): it lasted"));
    CHECK_THAT(out, ContainsSubstring("teo_7_0: CPU 0, idle from"));
    CHECK(run_in(folder, "--explain cpu=1,at=1s" + experiment) == 2);
    CHECK_THAT(folder.read("err"), ContainsSubstring("CPU 1 takes no part"));
    CHECK(run_in(folder, "--explain cpu=0 --quiet" + experiment) == 2);
    CHECK_THAT(folder.read("err"), ContainsSubstring("expected cpu=N,at=TIME"));
    CHECK(run_in(folder, "--explain cpu=0,at=1s --out x" + experiment) == 2);
}
