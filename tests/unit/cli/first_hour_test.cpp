// SPDX-License-Identifier: Apache-2.0
// What somebody meets who has just built the program.
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/wait.h>

using namespace idlesim;

namespace {

/// Runs idlesim in the folder and returns its exit status; "out" and "err" hold what it said.
int run(const ScratchFolder& folder, const std::string& arguments) {
    const std::string command = "cd '" + folder.path().string() + "' && IDLESIM_DATA='" +
                                IDLESIM_SOURCE_DIR + "' '" + IDLESIM_BINARY + "' " + arguments +
                                " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool says(const ScratchFolder& folder, const char* file, const std::string& text) {
    return folder.read(file).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("init writes an experiment that runs, and never over another file", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "init mine.yaml") == 0);
    CHECK(says(folder, "mine.yaml", "# yaml-language-server: $schema="));
    CHECK(run(folder, "check mine.yaml") == 0);
    CHECK(run(folder, "run mine.yaml --replications 1 --set workload.wakeups=50") == 0);
    CHECK(says(folder, "out", "mwait wakes"));
    CHECK(run(folder, "init mine.yaml") == 2);
    CHECK(says(folder, "err", "mine.yaml exists"));
}

TEST_CASE("init takes a platform and knows one of its other cores", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "init --platform kvm-guest-skx") == 0);
    CHECK(says(folder, "experiment.yaml", "platform: kvm-guest-skx"));
    CHECK(says(folder, "experiment.yaml", "target_cpu: 1\n"));
    CHECK(run(folder, "init other.yaml --platform intel-icx") == 2);
    CHECK(says(folder, "err", "did you mean 'intel-icx-server'?"));
}

// Each file is called as its platform is, and must not be taken for it.
TEST_CASE("what init writes runs on every shipped machine", "[cli]") {
    const ScratchFolder folder;
    const std::filesystem::path platforms = std::string{IDLESIM_SOURCE_DIR} + "/configs/platforms";
    for (const auto& entry : std::filesystem::directory_iterator{platforms}) {
        const std::string name = entry.path().stem().string();
        INFO(name);
        REQUIRE(run(folder, "init " + name + ".yaml --platform " + name) == 0);
        CHECK(run(folder, "check " + name + ".yaml") == 0);
    }
}

TEST_CASE("a strategy is described by its program, with costs where a platform is named", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "describe intel_idle_irq") == 0);
    CHECK(says(folder, "out", "mwait(hint 0x0, ecx 0)"));
    CHECK_FALSE(says(folder, "out", " ns, "));
    REQUIRE(run(folder, "describe intel_idle C6 --platform intel-icx-server") == 0);
    CHECK(says(folder, "out", "mwait(hint 0x20, ecx 1)  [cc6_entry]"));
    CHECK(says(folder, "out", "12000 ns, assumed"));
}

TEST_CASE("HLT of a guest is described with all that its host does", "[cli][vm]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "describe hlt --platform kvm-guest-skx") == 0);
    for (const char* operation : {"vm_exit",
                                  "halt_poll  exit [halt_poll_turn]",
                                  "[vcpu_block]",
                                  "mwait(hint 0x20, ecx 1)",
                                  "[vcpu_unblock]",
                                  "vm_entry"}) {
        INFO(operation);
        CHECK(says(folder, "out", operation));
    }
}

TEST_CASE("an STI counts from the operation behind the next one", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "describe hlt --platform amd-zen3-server") == 0);
    const std::string text = folder.read("out");
    CHECK(text.find("shadow", text.find("hlt  [")) < text.find('\n', text.find("hlt  [")));
}

TEST_CASE("a state or platform that does not exist is answered with the nearest", "[cli]") {
    const ScratchFolder folder;
    CHECK(run(folder, "describe intel_idle C7 --platform intel-icx-server") == 2);
    CHECK(says(folder, "err", "did you mean 'C1'?"));
    CHECK(run(folder, "describe intel_idle C6") == 2);
    CHECK(says(folder, "err", "--platform"));
    CHECK(run(folder, "describe menu@6.12 --platform intel-icx-server") == 2);
    CHECK(says(folder, "err", "no idle strategy"));
}

TEST_CASE("a metric is described with its unit", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "describe wake_latency") == 0);
    CHECK(says(folder, "out", "(ns)"));
}

TEST_CASE("a section of the list has only names and their help", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "list platforms") == 0);
    CHECK(folder.read("out").starts_with("amd-"));
    CHECK(run(folder, "list platform") == 2);
    CHECK(says(folder, "err", "did you mean 'platforms'?"));
}

TEST_CASE("schema prints one kind of file, or writes all of them", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "schema experiment") == 0);
    CHECK(says(folder, "out", "http://json-schema.org/draft-07/schema#"));
    REQUIRE(run(folder, "schema --out schemas") == 0);
    CHECK(says(folder, "schemas/platform.json", "Platform of idlesim"));
    CHECK(run(folder, "schema experimant") == 2);
    CHECK(says(folder, "err", "did you mean 'experiment'?"));
}

TEST_CASE("a traced run of several replications writes the same breakdown", "[cli]") {
    const ScratchFolder folder;
    const std::string shorter =
        "run 01_zen3_ipi_wake --replications 2 --set workload.wakeups=200 --set 'targets=[]' ";
    REQUIRE(run(folder, shorter + "--out plain") == 0);
    REQUIRE(run(folder, shorter + "--trace --out traced") == 0);
    for (const char* file : {"/hlt/breakdown.csv", "/mwait/samples.csv"}) {
        CHECK(folder.read(std::string{"plain"} + file) ==
              folder.read(std::string{"traced"} + file));
    }
}

TEST_CASE("a report is one page that needs nothing else", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder,
                "run 01_zen3_ipi_wake --replications 2 --set workload.wakeups=200 "
                "--set 'title=a < b' --out result --quiet") <= 1);
    REQUIRE(run(folder, "report result --out page.html") == 0);
    const std::string page = folder.read("page.html");
    CHECK(page.find("a &lt; b") != std::string::npos);
    CHECK(page.find("ipi_delivery") != std::string::npos);
    CHECK(page.find("wake_latency p50, mwait against hlt") != std::string::npos);
    CHECK(page.find("known_miss") != std::string::npos);
    for (const char* other : {"<script", "src=", "href=", "url("}) {
        INFO(other);
        CHECK(page.find(other) == std::string::npos);
    }
}

TEST_CASE("a report says which file it cannot read, and writes nothing", "[cli]") {
    const ScratchFolder folder;
    CHECK(run(folder, "report nowhere --out page.html") == 2);
    CHECK(says(folder, "err", "nowhere: error: no result of idlesim"));
    REQUIRE(run(folder,
                "run 01_zen3_ipi_wake --replications 1 --set workload.wakeups=50 "
                "--set 'targets=[]' --out result --quiet") == 0);
    const auto summary = folder.path() / "result/summary.csv";
    std::ofstream{summary} << "arm,value\nhlt,1\n";
    CHECK(run(folder, "report result --out page.html") == 2);
    CHECK(says(folder, "err", "summary.csv: error: lacks the column replication"));
    std::ofstream{summary} << "arm,\"value\n";
    CHECK(run(folder, "report result --out page.html") == 2);
    CHECK(says(folder, "err", "is empty or damaged"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "page.html"));
}

TEST_CASE("help is found in every way in which people ask for it", "[cli]") {
    const ScratchFolder folder;
    for (const char* words : {"", "--help", "-h", "help"}) {
        INFO(words);
        REQUIRE(run(folder, words) == 0);
        CHECK(says(folder, "out", "idlesim init mine.yaml"));
    }
    REQUIRE(run(folder, "help replay") == 0);
    CHECK(says(folder, "out", "idlesim replay TRACE"));
    CHECK(run(folder, "hlep") == 2);
    CHECK(says(folder, "err", "did you mean 'help'?"));
    CHECK(run(folder, "describe teo") == 2);
    CHECK(says(folder, "err", "known names: teo@6.12, teo@6.3"));
}
