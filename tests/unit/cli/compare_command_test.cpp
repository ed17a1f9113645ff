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
    const std::string command = "cd '" + folder.path().string() + "' && export IDLESIM_DATA='" +
                                IDLESIM_SOURCE_DIR + "' && '" + IDLESIM_BINARY + "' " + arguments +
                                " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const std::string kRun =
    "run 01_zen3_ipi_wake --quiet --replications 3 --set workload.wakeups=200 --set 'targets=[]' ";
const std::string kSweep =
    "sweep 00_zen3_c1_exit --quiet --replications 2 --set workload.wakeups=20 ";

}  // namespace

TEST_CASE("compare finds that a cost of HLT changes hlt alone", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, kRun + "--out a") == 0);
    REQUIRE(idlesim_in(folder, kRun + "--out b --set platform.costs.hlt_exit.value='1 us'") == 0);
    REQUIRE(idlesim_in(folder, kRun + "--out c --seed 2") == 0);
    REQUIRE(idlesim_in(folder, "compare a b") == 0);
    const std::string text = folder.read("out");
    REQUIRE_THAT(text, ContainsSubstring("paired: the seeds match"));
    REQUIRE_THAT(text, ContainsSubstring("platform.costs.hlt_exit.value: 449.2 ns -> 1 us"));
    REQUIRE_THAT(text, ContainsSubstring("higher"));
    REQUIRE_THAT(text, ContainsSubstring("same"));
    REQUIRE_THAT(text, !ContainsSubstring("lower"));
    REQUIRE(idlesim_in(folder, "compare a c b --csv --out d") == 0);
    REQUIRE(folder.read("d/compare.csv") == folder.read("out"));
    REQUIRE_THAT(folder.read("out"), ContainsSubstring(",unpaired,3\n"));
    REQUIRE_THAT(folder.read("out"), ContainsSubstring(",paired,3\n"));
}

TEST_CASE("compare takes sweeps by their directories or tables", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, kSweep + "--out a") == 0);
    REQUIRE(idlesim_in(folder, kSweep + "--out b --zstd --seed 5") == 0);
    REQUIRE(idlesim_in(folder, "compare a/points.csv b/points.csv.zst") == 0);
    REQUIRE_THAT(folder.read("out"), ContainsSubstring("not paired: the seeds differ (1 and 5)"));
    REQUIRE_THAT(folder.read("out"), ContainsSubstring("mwait.wake_latency.p50     105"));
}

TEST_CASE("compare refuses what makes no sense and harms nothing", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, kRun + "--out a") == 0);
    REQUIRE(idlesim_in(folder, "compare a") == 2);
    REQUIRE(idlesim_in(folder, "compare a nowhere") == 2);
    REQUIRE(idlesim_in(folder, "compare a a --out a") == 2);
    REQUIRE_THAT(folder.read("err"), ContainsSubstring("a is one of the results"));
    REQUIRE(idlesim_in(folder, "compare a a") == 0);
}
