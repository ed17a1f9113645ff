// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>

using namespace idlesim;

namespace {

int run(const ScratchFolder& folder, const std::string& arguments) {
    const std::string command = "cd '" + folder.path().string() + "' && IDLESIM_DATA='" +
                                IDLESIM_SOURCE_DIR + "' '" + IDLESIM_BINARY + "' " + arguments +
                                " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream{line};
    for (std::string field; std::getline(stream, field, ',');) {
        fields.push_back(field);
    }
    return fields;
}

/// The first position of a line that holds `part`, from `from` on; npos where there is none.
std::size_t find_line(const std::vector<std::string>& lines,
                      const std::string& part,
                      std::size_t from = 0) {
    for (std::size_t i = from; i < lines.size(); ++i) {
        if (lines[i].find(part) != std::string::npos) {
            return i;
        }
    }
    return std::string::npos;
}

}  // namespace

TEST_CASE("a wult run is a raw result of wult, its columns in wult's units", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder,
                "run 04_icx_wult_c1 --quiet --replications 2 --set workload.datapoints=50 "
                "--set 'targets=[]' --out result") == 0);
    const auto rows = lines_of(folder.read("result/irqs_off/datapoints.csv"));
    REQUIRE(rows.size() == 101);
    REQUIRE(rows.front() ==
            "WakeLatency,SilentTime,IntrLatency,IntrOff,LDist,ReqCState,CC0%,CC1Derived%,CC6%,"
            "PC6%,SMICnt,NMICnt");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto fields = fields_of(rows[i]);
        REQUIRE(fields.size() == 12);
        const double wake = std::stod(fields[0]);
        const double interrupt = std::stod(fields[2]);
        REQUIRE(wake > 0);
        REQUIRE(interrupt > wake);  // interrupts off: the handler comes behind the way out
        REQUIRE(interrupt < 100);   // microseconds
        REQUIRE(fields[3] == "1");
        REQUIRE(fields[5] == "C1");
        const double residency = std::stod(fields[6]) + std::stod(fields[7]) + std::stod(fields[8]);
        REQUIRE(residency > 99.9);
        REQUIRE(residency < 100.1);
    }
    const auto on = lines_of(folder.read("result/irqs_on/datapoints.csv"));
    for (std::size_t i = 1; i < on.size(); ++i) {
        const auto fields = fields_of(on[i]);
        REQUIRE(fields[3] == "0");
        REQUIRE(std::stod(fields[2]) < std::stod(fields[0]));
    }
    const std::string info = folder.read("result/irqs_off/info.yml");
    REQUIRE(info.find("toolname: wult\n") != std::string::npos);
    REQUIRE(info.find("format_version: '1.3'\n") != std::string::npos);
    REQUIRE(info.find("devid: 'hrt'\n") != std::string::npos);
}

TEST_CASE("a cyclictest run writes cyclictest's outputs", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder,
                "run 03_icx_cyclictest --quiet --replications 1 --set workload.loops=100 "
                "--set 'targets=[]' --out result") == 0);
    REQUIRE(folder.read("result/irqs_on/cyclictest.txt").starts_with("T: 0 ("));
    REQUIRE(folder.read("result/irqs_on/cyclictest_histogram.txt").find("# Total: 000000100") !=
            std::string::npos);
    REQUIRE(folder.read("result/irqs_on/cyclictest.json").find("\"cycles\": 100") !=
            std::string::npos);
}

TEST_CASE("a trace shows the handler before the exit where interrupts are on, else behind it",
          "[cli]") {
    const ScratchFolder folder;
    const std::string shorter =
        "run 03_icx_cyclictest --quiet --replications 1 --set workload.loops=5 "
        "--set 'targets=[]' --set 'interrupts=[]' ";
    REQUIRE(run(folder, shorter + "--trace --out result") == 0);
    const auto expiry_and_exit = [&](const std::string& arm) {
        const auto lines = lines_of(folder.read("result/" + arm + "/trace.txt"));
        const std::size_t entry = find_line(lines, "cpu_idle: state=1");
        const std::size_t handler = find_line(lines, "hrtimer_expire_entry", entry);
        const std::size_t exit = find_line(lines, "cpu_idle: state=4294967295", entry);
        REQUIRE(handler != std::string::npos);
        REQUIRE(exit != std::string::npos);
        return std::pair{handler, exit};
    };
    const auto [handler_on, exit_on] = expiry_and_exit("irqs_on");
    REQUIRE(handler_on < exit_on);
    const auto [handler_off, exit_off] = expiry_and_exit("irqs_off");
    REQUIRE(exit_off < handler_off);
    REQUIRE(std::filesystem::exists(folder.path() / "result/irqs_on/idlestat.txt"));
}

TEST_CASE("a traced run measures what it measures without", "[cli]") {
    const ScratchFolder folder;
    const std::string shorter =
        "run 04_icx_wult_c1 --quiet --replications 1 "
        "--set workload.datapoints=200 --set 'targets=[]' ";
    REQUIRE(run(folder, shorter + "--out plain") == 0);
    REQUIRE(run(folder, shorter + "--trace --out traced") == 0);
    for (const char* name : {"summary.csv", "irqs_on/samples.csv", "irqs_off/cpuidle.csv"}) {
        INFO(name);
        REQUIRE((folder.read(std::string{"plain/"} + name) ==
                 folder.read(std::string{"traced/"} + name)));
    }
}

TEST_CASE("a trace needs a place to be written to", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "run 03_icx_cyclictest --trace") == 2);
    REQUIRE(folder.read("err").find("--out DIR") != std::string::npos);
}

TEST_CASE("a platform that extends another keeps what it does not say", "[cli]") {
    const ScratchFolder folder;
    folder.write("mine.yaml",
                 "extends: intel-icx-server\nname: mine\ncore_clock: 1 GHz\n"
                 "costs: { cc1_exit: { value: 5 us, range: [1 us, 9 us] } }\n");
    REQUIRE(run(folder, "check mine.yaml") == 0);
    REQUIRE(folder.read("out").find("144 CPUs") != std::string::npos);
    folder.write("circle.yaml", "extends: circle.yaml\n");
    REQUIRE(run(folder, "check circle.yaml") == 2);
    REQUIRE(folder.read("err").find("circle") != std::string::npos);
    folder.write("typo.yaml", "extends: intel-icx-servr\nname: x\n");
    REQUIRE(run(folder, "check typo.yaml") == 2);
    REQUIRE(folder.read("err").find("did you mean 'intel-icx-server'") != std::string::npos);
}

TEST_CASE("a driver that would not load says why, at the kernel section", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "run 03_icx_cyclictest --set kernel.idle=halt") == 2);
    REQUIRE(folder.read("err").find("intel_idle does not load with an idle= parameter") !=
            std::string::npos);
    REQUIRE(run(folder, "run 03_icx_cyclictest --set kernel.disabled_states=[C7]") == 2);
    REQUIRE(folder.read("err").find("no state 'C7'; the driver registers POLL, C1, C1E, C6") !=
            std::string::npos);
}

TEST_CASE("describe says how much of a platform is known", "[cli]") {
    const ScratchFolder folder;
    REQUIRE(run(folder, "describe intel-icx-server") == 0);
    const std::string out = folder.read("out");
    REQUIRE(out.find("declares C6: exit latency 170 us") != std::string::npos);
    REQUIRE(out.find(" assumed\n") != std::string::npos);
    REQUIRE(out.find("costs.cc1_exit.value: 60 ns to 250 ns") != std::string::npos);
}
