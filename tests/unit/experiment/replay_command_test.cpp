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

const std::string kTrace =
    " '" + std::string{IDLESIM_SOURCE_DIR} + "/tests/data/traces/two_cpus.perf.txt'";

}  // namespace

TEST_CASE("replay decides a trace anew by each governor that is named", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder,
                       "replay --csv --platform intel-skx-server --governor menu@6.12 --governor "
                       "'{governor: fixed, state: C1}' --hz 1000 --latency-limit '200 us'" +
                           kTrace) == 0);
    REQUIRE_THAT(folder.read("out"), ContainsSubstring("menu@6.12,all,"));
    REQUIRE_THAT(folder.read("out"), ContainsSubstring("\"{governor: fixed, state: C1}\",1,C1"));
}

TEST_CASE("replay writes the record and the causes of wakes", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, "replay --out result" + kTrace) == 0);
    REQUIRE_THAT(folder.read("result/wakes.csv"),
                 ContainsSubstring("one device interrupt,27,eth0-rx,1"));
    REQUIRE_THAT(folder.read("result/cpus.csv"), ContainsSubstring("1,2,state2,1,1,889,0,0,0,0,0"));
    REQUIRE(idlesim_in(folder, "replay --out result" + kTrace) == 0);
}

TEST_CASE("replay refuses what makes no sense", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, "replay") == 2);
    REQUIRE(idlesim_in(folder, "replay missing.txt") == 2);
    REQUIRE(idlesim_in(folder, "replay --governor menu@6.12" + kTrace) == 2);
    REQUIRE_THAT(folder.read("err"), ContainsSubstring("--platform NAME or --dump FILE"));
    REQUIRE(idlesim_in(folder, "replay --platform nosuch" + kTrace) == 2);
    REQUIRE(idlesim_in(folder, "replay --platform intel-skx-server --governor fixed" + kTrace) ==
            2);
    REQUIRE(idlesim_in(folder, "replay --platform intel-skx-server --latency-limit 5" + kTrace) ==
            2);
    folder.write("novel.txt", "It was a dark and stormy night.\n");
    REQUIRE(idlesim_in(folder, "replay novel.txt") == 2);
    REQUIRE_THAT(folder.read("err"), ContainsSubstring("novel.txt:1: error: no events; expected"));
}
