// SPDX-License-Identifier: Apache-2.0
#include "models/platform/platform.hpp"
#include "sim/experiment/cpuidle_diff.hpp"
#include "sim/experiment/cpuidle_import.hpp"
#include "sim/experiment/cpuidle_table.hpp"
#include "sim/experiment/dump_check.hpp"
#include "sim/experiment/dump_reader.hpp"
#include "sim/experiment/platform_file.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <map>
#include <numeric>

#include <fmt/format.h>

using namespace idlesim;
using Catch::Matchers::ContainsSubstring;

namespace {

Dump read(const std::string& name) {
    return read_dump(std::string{IDLESIM_SOURCE_DIR} + "/tests/data/dumps/" + name);
}

Dump read_text(const std::string& text) {
    const ScratchFolder folder;
    folder.write("dump", text);
    return read_dump((folder.path() / "dump").string());
}

/// A state with every file, in the form of grep.
std::string state_text(int cpu, int index, const std::string& name, int latency, int residency) {
    std::string text;
    const auto add = [&](const char* file, const std::string& value) {
        text += fmt::format("cpu{}/cpuidle/state{}/{}:{}\n", cpu, index, file, value);
    };
    add("name", name);
    add("desc", fmt::format("MWAIT 0x{}0", index));
    add("latency", std::to_string(latency));
    add("residency", std::to_string(residency));
    for (const char* file : {"disable", "usage", "time", "above", "below", "rejected"}) {
        add(file, "0");
    }
    return text;
}

std::string warnings(const Dump& dump) {
    config::Diagnostics diagnostics;
    check_dump(dump, diagnostics);
    return diagnostics.render();
}

std::string difference_complaint(const Dump& before, const Dump& after) {
    config::Diagnostics diagnostics;
    try {
        (void)difference(before, after, diagnostics);
    } catch (const config::ConfigError& error) {
        return error.what();
    }
    return "";
}

PlatformSpec imported(const Dump& dump) {
    config::Diagnostics diagnostics;
    const ScratchFolder folder;
    folder.write("machine.yaml", imported_platform(dump, "machine", diagnostics));
    std::map<std::string, std::string> names;
    config::Node root = load_platform(folder.path() / "machine.yaml", diagnostics, names);
    PlatformSpec platform;
    config::read(
        root, parameters(static_cast<const PlatformSpec*>(nullptr)), platform, diagnostics);
    check(platform, diagnostics);
    diagnostics.throw_if_errors();
    return platform;
}

}  // namespace

TEST_CASE("shares of idle time add up to a hundred percent", "[experiment]") {
    for (const std::vector<std::uint64_t>& parts :
         std::vector<std::vector<std::uint64_t>>{{1, 1, 1},
                                                 {1, 2, 3, 4, 5, 6},
                                                 {kLargestDumpValue, 1, kLargestDumpValue - 1},
                                                 {0, 0, 7}}) {
        const std::vector<int> shares = shares_of(parts);
        CHECK(std::accumulate(shares.begin(), shares.end(), 0) == 10000);
    }
    CHECK(shares_of({0, 0}) == std::vector<int>{0, 0});
    CHECK(shares_of({1, 1, 1}) == std::vector<int>{3334, 3333, 3333});
}

TEST_CASE("show names states and says too deep and too shallow in words", "[experiment]") {
    const std::string text = cpuidle_text(read("two_cpus.grep.txt"), CpuidleSpan::since_boot);
    CHECK_THAT(text, ContainsSubstring("C6: 350 of 1500 entries (23.33 %) were too deep"));
    CHECK_THAT(text, ContainsSubstring("C1: 35 of 300 entries (11.67 %) were too shallow"));
    CHECK_THAT(text, ContainsSubstring("driver intel_idle, governor menu, 2 CPUs (0-1)"));
    CHECK_THAT(text, ContainsSubstring("POLL_%  C1_%   C6_%"));
}

TEST_CASE("show does not call an unknown counter zero", "[experiment]") {
    const Dump dump = read("two_cpus.cpupower.txt");
    CHECK_THAT(cpuidle_text(dump, CpuidleSpan::since_boot),
               ContainsSubstring("did not count which entries were too deep"));
    CHECK_THAT(cpuidle_csv(dump),
               ContainsSubstring("all,2,C6,MWAIT 0x20,133,,,0,2,1500,8000000,,,,"));
}

TEST_CASE("show has a row for each state overall and of each CPU", "[experiment]") {
    const std::string csv = cpuidle_csv(read("two_cpus.grep.txt"));
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 3 + 2 * 3);
    CHECK_THAT(csv, ContainsSubstring("\n0,1,C1,MWAIT 0x00,2,2,enabled,0,1,200,9000,20,30,0,"));
}

TEST_CASE("diff counts what happened between two dumps", "[experiment]") {
    config::Diagnostics diagnostics;
    const Dump between =
        difference(read("two_cpus.grep.txt"), read("two_cpus_later.grep.txt"), diagnostics);
    CHECK(diagnostics.warnings() == 0);
    const DumpGroup all = all_of(between);
    CHECK(all.states[2].value(DumpValue::usage) == 160U);
    CHECK(all.states[2].value(DumpValue::time) == 1897200U);
    CHECK(all.states[2].value(DumpValue::above) == 56U);
    CHECK(all.states[1].value(DumpValue::below) == 13U);
    CHECK(between.cpus[1].states[1].value(DumpValue::usage) == 40U);
    CHECK_THAT(cpuidle_text(between, CpuidleSpan::between_dumps),
               ContainsSubstring("C6: 56 of 160 entries (35.00 %) were too deep"));
}

TEST_CASE("diff refuses dumps in the wrong order and of other machines", "[experiment]") {
    CHECK_THAT(difference_complaint(read("two_cpus_later.grep.txt"), read("two_cpus.grep.txt")),
               ContainsSubstring("wrong order"));
    CHECK_THAT(difference_complaint(
                   read("two_cpus.grep.txt"),
                   read_text(state_text(0, 0, "POLL", 0, 0) + state_text(0, 1, "C1E", 2, 4))),
               ContainsSubstring("state 1 of CPU 0 is C1E here and C1 in"));
    CHECK_THAT(difference_complaint(read("two_cpus.grep.txt"), read("no_cpuidle.txt")),
               ContainsSubstring("no cpuidle"));
}

TEST_CASE("diff leaves out a CPU whose counters ran backwards and says so", "[experiment]") {
    Dump after = read("two_cpus_later.grep.txt");
    after.cpus[1].states[2].value(DumpValue::usage) = 3;
    config::Diagnostics diagnostics;
    const Dump between = difference(read("two_cpus.grep.txt"), after, diagnostics);
    REQUIRE(between.cpus.size() == 1);
    CHECK_THAT(diagnostics.render(),
               ContainsSubstring("CPU 1, C6: `usage` ran backwards, from 500 to 3"));
}

TEST_CASE("a table that misleads is warned about", "[experiment]") {
    const std::string odd = state_text(0, 0, "C1", 2, 2) + state_text(0, 1, "C6", 150, 2150) +
                            state_text(0, 2, "C8", 215, 900) + state_text(0, 3, "C9", 200, 900);
    const std::string text = warnings(read_text(odd));
    CHECK_THAT(text, ContainsSubstring(":21:1: warning: target residency of C8, 900 us, is below"));
    CHECK_THAT(text, ContainsSubstring("C8 and C9 declare the same target residency, 900 us"));
    CHECK_THAT(text, ContainsSubstring("exit latency of C9, 200 us, is below"));
    CHECK_THAT(warnings(read("two_cpus.grep.txt")), ContainsSubstring("that is -1, \"not set\""));
    CHECK_THAT(warnings(read("no_cpuidle.txt")), ContainsSubstring("no cpuidle at all: CPUs 0-2"));
    CHECK_THAT(warnings(read("two_cpus.cpupower.txt")),
               ContainsSubstring("no state has: above, below, rejected, residency"));
    CHECK_THAT(warnings(read("two_cpus.bare.txt")), ContainsSubstring("which CPU is which"));
}

TEST_CASE("an ordinary table is not warned about", "[experiment]") {
    CHECK(warnings(read_text(state_text(0, 0, "C1", 2, 2) + state_text(0, 1, "C6", 100, 400)))
              .empty());
}

TEST_CASE("different tables, switches and gaps are warned about", "[experiment]") {
    const std::string small = state_text(0, 0, "C1", 2, 2);
    CHECK_THAT(warnings(read_text(small + state_text(1, 0, "C1", 3, 9))),
               ContainsSubstring("different tables of idle states"));
    CHECK_THAT(warnings(read_text(small + state_text(0, 2, "C8", 3, 9))),
               ContainsSubstring("no state 1 before state 2"));
    CHECK_THAT(warnings(read_text(small + "cpu1/cpuidle/state0/name:C1\n")),
               ContainsSubstring("`usage` is missing in 1 of 2 states on CPU 1"));
    Dump dump = read("two_cpus.grep.txt");
    dump.cpus[1].states[2].value(DumpValue::disable) = 1;
    dump.cpus[0].states[1].default_status = "disabled";
    CHECK_THAT(warnings(dump), ContainsSubstring("C6 is switched off: governors pass over it on"));
    CHECK_THAT(warnings(dump), ContainsSubstring("C1 is off by default and has been switched on"));
}

TEST_CASE("an imported platform has the dump's table and loads", "[experiment]") {
    const PlatformSpec platform = imported(read("two_cpus.grep.txt"));
    REQUIRE(platform.idle_states.size() == 2);
    CHECK(platform.acpi_states.empty());
    const DeclaredState& deep = *platform.idle_states.find("C6");
    CHECK(deep.exit_latency == std::chrono::microseconds{133});
    CHECK(deep.target_residency == std::chrono::microseconds{600});
    CHECK(deep.hint.value == 0x20U);
    CHECK(platform.vendor == "Intel");
}

TEST_CASE("an imported platform knows nothing physical", "[experiment]") {
    const PlatformSpec platform = imported(read("two_cpus.grep.txt"));
    for (const auto& entry : platform.costs) {
        INFO(entry.key);
        CHECK(entry.value.basis == Basis::assumed);
    }
    CHECK_FALSE(platform.power.has_value());
}

TEST_CASE("a table of the firmware is imported as such", "[experiment]") {
    std::string text = state_text(0, 0, "C1", 1, 2) + state_text(0, 1, "C2", 400, 800);
    text.replace(text.find("MWAIT 0x00"), 10, "ACPI FFH MWAIT 0x0");
    text.replace(text.find("MWAIT 0x10"), 10, "ACPI IOPORT 0x814");
    const PlatformSpec platform = imported(read_text(text));
    CHECK(platform.idle_states.empty());
    REQUIRE(platform.acpi_states.size() == 2);
    CHECK(platform.acpi_states.find("C2")->entry == EntryMethod::io_port);
    CHECK(platform.acpi_states.find("C2")->hint.value == 0x814U);
    CHECK(platform.vendor == "AMD");
}

TEST_CASE("import assumes residencies only aloud", "[experiment]") {
    config::Diagnostics diagnostics;
    const std::string text =
        imported_platform(read("two_cpus.cpupower.txt"), "machine", diagnostics);
    CHECK_THAT(text, ContainsSubstring("target residency assumed: twice the latency"));
    CHECK_THAT(diagnostics.render(), ContainsSubstring("taken as twice the exit latency"));
}

TEST_CASE("a state that was off stays off in an imported platform", "[experiment]") {
    Dump dump = read("two_cpus.grep.txt");
    for (DumpCpu& cpu : dump.cpus) {
        cpu.states[1].value(DumpValue::disable) = 1;
    }
    const PlatformSpec platform = imported(dump);
    CHECK(platform.idle_states.find("C1")->has(StateFlag::off));
    CHECK_FALSE(platform.idle_states.find("C6")->has(StateFlag::off));
}
