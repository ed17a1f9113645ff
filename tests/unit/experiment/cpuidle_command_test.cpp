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
                                arguments + " >out 2>err";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string dump(const std::string& name) {
    return " '" + std::string{IDLESIM_SOURCE_DIR} + "/tests/data/dumps/" + name + "'";
}

}  // namespace

TEST_CASE("cpuidle show takes a dump from standard input", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, "cpuidle show - --csv <" + dump("two_cpus.pepc.txt")) == 0);
    REQUIRE_THAT(folder.read("out"), ContainsSubstring("all,2,C6,MWAIT 0x20,133,600"));
}

TEST_CASE("cpuidle show of a machine without cpuidle is an answer, not an error", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, "cpuidle show" + dump("no_cpuidle.txt")) == 0);
    REQUIRE_THAT(folder.read("out"), ContainsSubstring("no cpuidle; 3 CPUs (0-2)"));
    REQUIRE(idlesim_in(folder, "cpuidle import" + dump("no_cpuidle.txt")) == 2);
    REQUIRE_THAT(folder.read("err"), ContainsSubstring("no table of idle states to take"));
}

TEST_CASE("check accepts what cpuidle import wrote", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, "cpuidle import --out mine.yaml" + dump("two_cpus.bare.txt")) == 0);
    REQUIRE(idlesim_in(folder, "check mine.yaml") == 0);
    REQUIRE(idlesim_in(folder, "cpuidle import --out mine.yaml" + dump("two_cpus.grep.txt")) == 0);
    folder.write("own.yaml", "name: precious\n");
    REQUIRE(idlesim_in(folder, "cpuidle import --out own.yaml" + dump("two_cpus.grep.txt")) == 3);
    REQUIRE(folder.read("own.yaml") == "name: precious\n");
}

TEST_CASE("cpuidle refuses what it cannot use", "[cli]") {
    const ScratchFolder folder;
    folder.write("novel.txt", "It was a dark and stormy night.\n");
    REQUIRE(idlesim_in(folder, "cpuidle show novel.txt") == 2);
    REQUIRE_THAT(folder.read("err"), ContainsSubstring("novel.txt:1:1: error: expected a dump"));
    REQUIRE(idlesim_in(folder, "cpuidle show missing.txt") == 2);
    REQUIRE(idlesim_in(folder, "cpuidle") == 2);
    REQUIRE(idlesim_in(folder, "cpuidle diff" + dump("two_cpus.grep.txt")) == 2);
    REQUIRE(idlesim_in(folder, "cpuidle shw novel.txt") == 2);
    REQUIRE_THAT(folder.read("err"), ContainsSubstring("did you mean 'show'?"));
}
