// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
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

const std::string kSweep =
    "sweep 00_zen3_c1_exit --quiet --replications 2 --set workload.wakeups=20 ";

/// Header and the row of the id.
std::string row_of(const std::string& table, const std::string& id) {
    const std::size_t begin = table.find('\n' + id) + 1;
    return table.substr(0, table.find('\n') + 1) +
           table.substr(begin, table.find('\n', begin) + 1 - begin);
}

/// The last id of points.csv.
std::string some_id(const std::string& table) {
    constexpr std::size_t kDigits = 16;
    return table.substr(table.rfind('\n', table.size() - 2) + 1, kDigits);
}

}  // namespace

TEST_CASE("any point of a sweep is run again alone from its id", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, kSweep + "--out a") == 0);
    const std::string table = folder.read("a/points.csv");
    const std::string id = some_id(table);
    REQUIRE(idlesim_in(folder, kSweep + "--point " + id) == 0);
    REQUIRE(folder.read("out") == row_of(table, id));
    REQUIRE(idlesim_in(folder, kSweep + "--point 0123456789abcdef") == 2);
    REQUIRE_THAT(folder.read("err"), ContainsSubstring("no point '0123456789abcdef'"));
}

TEST_CASE("a point's own result is what running its effective.yaml gives", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, kSweep + "--out a --point-directories") == 0);
    const std::string id = some_id(folder.read("a/points.csv"));
    const std::string one = "a/points/" + id;
    REQUIRE(folder.entries("a/points") == 105);
    REQUIRE_THAT(folder.read(one + "/effective.yaml"),
                 ContainsSubstring("name: \"00_zen3_c1_exit-" + id + "\"") &&
                     ContainsSubstring("# 01_zen3_ipi_wake.yaml:") &&
                     ContainsSubstring("# 00_zen3_c1_exit.yaml:"));
    REQUIRE(idlesim_in(folder, kSweep + "--point " + id + " --out b") == 0);
    REQUIRE(idlesim_in(folder, "run --quiet " + one + "/effective.yaml --out c") == 0);
    for (const char* name :
         {"/summary.csv", "/comparison.csv", "/hlt/samples.csv", "/mwait/breakdown.csv"}) {
        INFO(name);
        REQUIRE((folder.read(one + name) == folder.read(std::string{"b"} + name)));
        REQUIRE((folder.read(one + name) == folder.read(std::string{"c"} + name)));
    }
}

TEST_CASE("a point whose directory is missing is not finished", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(idlesim_in(folder, kSweep + "--out a") == 0);
    const std::string table = folder.read("a/points.csv");
    REQUIRE(idlesim_in(folder, kSweep + "--out a --resume --point-directories") == 0);
    REQUIRE(folder.entries("a/points") == 105);
    REQUIRE(folder.read("a/points.csv") == table);
    std::filesystem::remove_all(folder.path() / "a/points" / some_id(table));
    folder.write("a/points/.left.over/x", "");
    REQUIRE(idlesim_in(folder, kSweep + "--out a --resume --point-directories") == 0);
    REQUIRE(folder.entries("a/points") == 105);
    REQUIRE(folder.read("a/points.csv") == table);
}

TEST_CASE("a sweep of a recorded trace replays it at every point", "[cli]") {
    const ScratchFolder folder;
    folder.write("recorded.yaml",
                 "title: t\nexperiment: 20_shallow_trap\naxes:\n  kernel.hz: [100, 1000]\n"
                 "metrics: [{ metric: too_shallow_percent, stats: [mean] }]\nreplications: 1\n");
    REQUIRE(idlesim_in(folder, "sweep recorded.yaml --quiet --out a") == 0);
    const std::string table = folder.read("a/points.csv");
    REQUIRE(std::count(table.begin(), table.end(), '\n') == 3);
    REQUIRE_THAT(table, ContainsSubstring("too_shallow"));
}
