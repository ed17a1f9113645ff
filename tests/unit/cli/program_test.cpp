// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/data_files.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include <sys/wait.h>

using namespace idlesim;

namespace {

/// A short run of a shipped experiment.
const std::string kShort =
    "01_zen3_ipi_wake --replications 2 --set workload.wakeups=200 --set 'targets=[]' ";

class Program {
public:
    /// Runs idlesim in the scratch folder, after `before` and below `wrapper`, and returns its exit
    /// status.
    int run(const std::string& arguments,
            const std::string& before = ":",
            const std::string& wrapper = "") {
        const std::string command = "cd '" + folder_.path().string() +
                                    "' && export IDLESIM_DATA='" + IDLESIM_SOURCE_DIR + "' && " +
                                    before + " && " + wrapper + " '" + IDLESIM_BINARY + "' " +
                                    arguments + " >out 2>err </dev/null";
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    [[nodiscard]] std::string out() const { return folder_.read("out"); }

    [[nodiscard]] std::string err() const { return folder_.read("err"); }

    [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

private:
    ScratchFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("without a verb the program says what to try", "[cli]") {
    Program program;
    REQUIRE(program.run("") == 0);
    REQUIRE(contains(program.out(), "idlesim run"));
    REQUIRE(program.run("--version") == 0);
    REQUIRE(contains(program.out(), "idlesim 0."));
    REQUIRE(program.run("run --help") == 0);
    REQUIRE(contains(program.out(), "--replications N"));
}

TEST_CASE("mistyped verbs, options and files are answered with the nearest ones", "[cli]") {
    Program program;
    REQUIRE(program.run("runn x.yaml") == 2);
    REQUIRE(contains(program.err(), "did you mean 'run'?"));
    REQUIRE(program.run("run --seeed 4 x.yaml") == 2);
    REQUIRE(contains(program.err(), "did you mean '--seed'?"));
    REQUIRE(program.run("run 01_zen3_ipi_wak") == 2);
    REQUIRE(contains(program.err(), "did you mean '01_zen3_ipi_wake'?"));
    REQUIRE(program.run("describe mwait_c2") == 2);
    REQUIRE(contains(program.err(), "did you mean 'mwait_c1'?"));
}

TEST_CASE("numbers on the command line are checked", "[cli]") {
    Program program;
    REQUIRE(program.run("run x.yaml --jobs 0") == 2);
    REQUIRE(program.run("run x.yaml --replications many") == 2);
    REQUIRE(program.run("run x.yaml --seed -1") == 2);
    REQUIRE(program.run("run x.yaml --seed") == 2);
}

TEST_CASE("a run prints a table and a sentence, and writes nothing unasked", "[cli]") {
    Program program;
    REQUIRE(program.run("run " + kShort) == 0);
    REQUIRE(contains(program.out(), "wake_latency"));
    REQUIRE(contains(program.out(), "than hlt at the median ["));
    REQUIRE(program.folder().entries() == 2);
    REQUIRE(program.run("run --quiet " + kShort) == 0);
    REQUIRE(program.out().empty());
}

TEST_CASE("a run writes every file of the contract", "[cli]") {
    Program program;
    REQUIRE(program.run("run --quiet --out result " + kShort) == 0);
    for (const char* name : {"info.yml",
                             "effective.yaml",
                             "summary.csv",
                             "comparison.csv",
                             "targets.csv",
                             "findings.csv",
                             "hlt/samples.csv",
                             "hlt/breakdown.csv",
                             "hlt/cpuidle.csv",
                             "mwait/samples.csv"}) {
        INFO(name);
        REQUIRE(std::filesystem::exists(program.folder().path() / "result" / name));
    }
    const auto header = [&](const char* name) {
        const std::string text = program.folder().read(std::string{"result/"} + name);
        return text.substr(0, text.find('\n'));
    };
    REQUIRE(header("summary.csv") == "arm,replication,metric,stat,value,unit,ci_low,ci_high");
    REQUIRE(header("comparison.csv") ==
            "metric,stat,baseline,arm,baseline_value,value,delta,delta_percent,ci_low,ci_high,"
            "unit");
    REQUIRE(header("targets.csv") ==
            "experiment,arm,metric,stat,documented,unit,simulated,ci_low,ci_high,prior_low,"
            "prior_high,error_percent,tolerance,use,verdict,source");
    REQUIRE(header("findings.csv") == "time_us,cpu,kind,program,step,detail");
    REQUIRE(header("hlt/breakdown.csv") == "step,mean_ns,share_percent,p50_ns,p99_ns");
    REQUIRE(header("hlt/cpuidle.csv") ==
            "replication,cpu,state,name,latency_us,residency_us,usage,time_us,above,below,"
            "rejected,too_deep_percent,too_shallow_percent,granted_time_us");
    REQUIRE(header("hlt/samples.csv").starts_with("replication,time_us,cpu,wake_latency_ns,"));
    REQUIRE(contains(program.folder().read("result/info.yml"), "\ntoolname: idlesim\n"));
}

TEST_CASE("the effective configuration gives the same bytes, with any --jobs", "[cli]") {
    Program program;
    REQUIRE(program.run("run --quiet --seed 9 --jobs 1 --out first " + kShort) == 0);
    REQUIRE(program.run("run --quiet --jobs 2 --out second first/effective.yaml") == 0);
    for (const char* name : {"summary.csv",
                             "comparison.csv",
                             "targets.csv",
                             "hlt/samples.csv",
                             "mwait/breakdown.csv"}) {
        INFO(name);
        REQUIRE((program.folder().read(std::string{"first/"} + name) ==
                 program.folder().read(std::string{"second/"} + name)));
    }
    REQUIRE(program.run("run --quiet --jobs 1 --out third second/effective.yaml") == 0);
    REQUIRE((program.folder().read("second/effective.yaml") ==
             program.folder().read("third/effective.yaml")));
}

TEST_CASE("wrong input is said with its place and leaves nothing behind", "[cli]") {
    Program program;
    program.folder().write("bad.yaml",
                           "title: x\nplatform: no-such\nworklaod: {}\narms: {a: {}}\n");
    REQUIRE(program.run("run bad.yaml --out result") == 2);
    REQUIRE(contains(program.err(), "bad.yaml:2:11: error: there is no platform 'no-such'"));
    REQUIRE(contains(program.err(), "bad.yaml:3:1: error: unknown key 'worklaod'"));
    REQUIRE_FALSE(std::filesystem::exists(program.folder().path() / "result"));
    REQUIRE(program.run("run " + kShort + "--set workload.target_cpu=9999 --out result") == 2);
    REQUIRE(program.run("run " + kShort + "--set workload.wakeups=0 --out result") == 2);
    REQUIRE(program.run("run " + kShort + "--set workload.target_cpu=0 --out result") == 2);
    REQUIRE(program.run("run " + kShort + "--set nonsense --out result") == 2);
    REQUIRE_FALSE(std::filesystem::exists(program.folder().path() / "result"));
}

TEST_CASE("an output that cannot be written is found out before the simulation", "[cli]") {
    Program program;
    REQUIRE(program.run("run " + kShort + "--out /proc/nope") == 3);
    program.folder().write("mine/notes.txt", "keep me");
    REQUIRE(program.run("run " + kShort + "--out mine") == 3);
    REQUIRE(program.folder().read("mine/notes.txt") == "keep me");
    REQUIRE(program.run("run --out err " + kShort) == 3);
}

TEST_CASE("a disk that fills up leaves nothing half-written", "[cli]") {
    Program program;
    program.folder().write("result/info.yml", "toolname: idlesim\n");
    program.folder().write("result/summary.csv", "old\n");
    REQUIRE(program.run("run " + kShort + "--replications 20 --out result", "ulimit -f 64") == 3);
    REQUIRE(contains(program.err(), ": File too large"));
    REQUIRE(program.folder().read("result/summary.csv") == "old\n");
    REQUIRE(program.folder().entries() == 3);
}

TEST_CASE("an interrupted run says so and leaves nothing", "[cli]") {
    Program program;
    for (const auto& [signal, status] : {std::pair{"INT", 130}, std::pair{"TERM", 143}}) {
        const std::string limit = std::string{"timeout --preserve-status -s "} + signal + " 1.5";
        REQUIRE(program.run("run 01_zen3_ipi_wake --set workload.wakeups=100000000 --out result",
                            ":",
                            limit) == status);
        REQUIRE(contains(program.err(), "interrupted"));
        REQUIRE(program.folder().entries() == 2);
    }
}

TEST_CASE("a missed target is the answer no", "[cli]") {
    Program program;
    const std::string target =
        "--set 'targets=[{arm: hlt, metric: wake_latency, stat: p50, documented: 1 ns, "
        "tolerance: 1 %, source: none}]'";
    const std::string shorter = "run 01_zen3_ipi_wake --replications 2 --set workload.wakeups=200 ";
    REQUIRE(program.run(shorter + target) == 1);
    REQUIRE(contains(program.out(), "missed"));
    REQUIRE(program.run(shorter + target + " --set 'targets[0].known_miss=it is a joke'") == 0);
    REQUIRE(contains(program.out(), "known miss: 01_zen3_ipi_wake hlt wake_latency p50: it is"));
}

TEST_CASE("shipped files are listed, described and valid", "[cli]") {
    Program program;
    REQUIRE(program.run("list") == 0);
    REQUIRE(contains(program.out(), "01_zen3_ipi_wake"));
    REQUIRE(contains(program.out(), "mwait_c1"));
    REQUIRE(program.run("describe experiment") == 0);
    REQUIRE(contains(program.out(), "replications"));
    for (const char* folder : {"experiments", "configs/platforms", "experiments/calibrations"}) {
        for (const std::filesystem::path& file :
             yaml_files(std::filesystem::path{IDLESIM_SOURCE_DIR} / folder)) {
            const int status = program.run("check '" + file.string() + "'");
            INFO(program.err());
            REQUIRE(status == 0);
        }
    }
}
