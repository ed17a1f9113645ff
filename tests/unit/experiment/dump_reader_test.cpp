// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/dump_reader.hpp"

#include "sim/config/diagnostics.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

using namespace idlesim;
using Catch::Matchers::ContainsSubstring;

namespace {

Dump read(const std::string& form) {
    return read_dump(std::string{IDLESIM_SOURCE_DIR} + "/tests/data/dumps/" + form);
}

Dump read_text(const std::string& text) {
    const ScratchFolder folder;
    folder.write("dump", text);
    return read_dump((folder.path() / "dump").string());
}

std::string complaint(const std::string& text) {
    try {
        (void)read_text(text);
    } catch (const config::ConfigError& error) {
        return error.what();
    }
    return "";
}

constexpr const char* kC1 = "1\n2\nenabled\nMWAIT 0x00\n0\n2\nC1\n0\n0\n2\n539904\n4987\n";

}  // namespace

TEST_CASE("a dump says the same in every form", "[experiment]") {
    const std::string form = GENERATE("two_cpus.grep.txt",
                                      "two_cpus.bare.txt",
                                      "two_cpus.pepc.txt",
                                      "two_cpus.stats_collect.txt",
                                      "two_cpus.cpupower.txt");
    INFO(form);
    const Dump dump = read(form);
    REQUIRE(dump.cpus.size() == 2);
    const DumpGroup all = all_of(dump);
    REQUIRE(all.states.size() == 3);
    const DumpState& deep = all.states.back();
    CHECK(deep.name == "C6");
    CHECK(deep.desc == "MWAIT 0x20");
    CHECK(deep.value(DumpValue::latency) == 133U);
    CHECK(deep.value(DumpValue::usage) == 1500U);
    CHECK(deep.value(DumpValue::time) == 8000000U);
    CHECK(dump.cpus[1].states[1].value(DumpValue::usage) == 100U);
    const bool is_cpupower = dump.format == DumpFormat::cpupower;
    CHECK(deep.value(DumpValue::above).value_or(0) == (is_cpupower ? 0U : 350U));
    CHECK(deep.value(DumpValue::above).has_value() != is_cpupower);
    CHECK(deep.value(DumpValue::residency).has_value() != is_cpupower);
}

TEST_CASE("each form is told from the others", "[experiment]") {
    CHECK(read("two_cpus.grep.txt").format == DumpFormat::grep);
    CHECK(read("two_cpus_later.grep.txt").format == DumpFormat::grep);
    CHECK(read("two_cpus.bare.txt").format == DumpFormat::bare);
    CHECK(read("two_cpus.pepc.txt").format == DumpFormat::pepc);
    CHECK(read("two_cpus.stats_collect.txt").format == DumpFormat::stats_collect);
    CHECK(read("two_cpus.cpupower.txt").format == DumpFormat::cpupower);
    CHECK(read_text("==> cpu4/cpuidle/state0/usage <==\n7\n\n").format == DumpFormat::headed);
}

TEST_CASE("driver and governor are read where the dump names them", "[experiment]") {
    CHECK(read("two_cpus.grep.txt").driver == "intel_idle");
    CHECK(read("two_cpus.grep.txt").governor == "menu");
    CHECK(read("two_cpus.cpupower.txt").governor == "menu");
    CHECK(read("two_cpus.bare.txt").driver.empty());
}

TEST_CASE("values without paths belong to CPUs without numbers", "[experiment]") {
    CHECK_FALSE(read("two_cpus.bare.txt").numbered);
    CHECK(read("two_cpus.bare.txt").cpu_name(1) == "#1");
    CHECK(read("two_cpus.grep.txt").cpu_name(1) == "1");
}

TEST_CASE("what older kernels show in a stateN folder is told by its length", "[experiment]") {
    // 3.10: desc disable latency name power time usage.
    const Dump old = read_text("ARM WFI\n0\n1\nWFI\n0\n500\n20\nARM off\n0\n30\noff\n0\n900\n3\n");
    REQUIRE(old.cpus.size() == 1);
    REQUIRE(old.cpus[0].states.size() == 2);
    CHECK(old.cpus[0].states[1].value(DumpValue::latency) == 30U);
    CHECK(old.cpus[0].states[1].value(DumpValue::time) == 900U);
    CHECK_FALSE(old.cpus[0].states[1].value(DumpValue::above).has_value());
    CHECK_FALSE(old.cpus[0].states[1].value(DumpValue::residency).has_value());
}

TEST_CASE("time in suspend-to-idle is not time in the state", "[experiment]") {
    const Dump dump =
        read_text("cpu0/cpuidle/state1/time:5\ncpu0/cpuidle/state1/s2idle/time:1000\n");
    CHECK(dump.cpus[0].states[0].value(DumpValue::time) == 5U);
}

TEST_CASE("a state that cpupower calls disabled is off", "[experiment]") {
    const Dump dump = read_text(
        "CPUidle driver: intel_idle\nanalyzing CPU 3:\nNumber of idle states: 1\n"
        "C3 (DISABLED) :\nFlags/Description: MWAIT 0x10\nLatency: 33\nUsage: 0\nDuration: 0\n");
    REQUIRE(dump.cpus.size() == 1);
    CHECK(dump.cpus[0].number == 3);
    CHECK(dump.cpus[0].states[0].name == "C3");
    CHECK(dump.cpus[0].states[0].is_off());
}

TEST_CASE("a machine without cpuidle is not a damaged dump", "[experiment]") {
    const Dump dump = read("no_cpuidle.txt");
    CHECK(dump.cpus.empty());
    CHECK(dump.cpus_without_cpuidle == std::vector<int>{0, 1, 2});
    CHECK(read_text("Could not determine cpuidle driver\n").cpus.empty());
}

TEST_CASE("a folder is read like the live tree", "[experiment]") {
    const ScratchFolder folder;
    folder.write("cpu/cpuidle/current_driver", "acpi_idle\n");
    folder.write("cpu/cpu5/cpuidle/state0/name", "C1\n");
    folder.write("cpu/cpu5/cpuidle/state0/usage", "12\n");
    folder.write("cpu/cpu5/cpuidle/state0/s2idle/usage", "99\n");
    folder.write("cpu/cpu6/online", "0\n");
    folder.write("cpufreq/boost", "1\n");
    const Dump dump = read_dump((folder.path() / "cpu").string());
    REQUIRE(dump.cpus.size() == 1);
    CHECK(dump.driver == "acpi_idle");
    CHECK(dump.cpus[0].number == 5);
    CHECK(dump.cpus[0].states[0].value(DumpValue::usage) == 12U);
    CHECK(dump.cpus_without_cpuidle == std::vector<int>{6});
}

TEST_CASE("core types make classes of CPUs", "[experiment]") {
    const Dump dump = read_text(
        "/sys/devices/system/cpu/cpu0/cpuidle/state0/name:C1\n"
        "/sys/devices/system/cpu/cpu1/cpuidle/state0/name:C1\n"
        "/sys/devices/cpu_core/cpus:0\n/sys/devices/cpu_atom/cpus:1\n");
    REQUIRE(classes_of(dump).size() == 2);
    CHECK(classes_of(dump)[1].label == "1 (cpu_atom)");
}

TEST_CASE("lists of CPUs read like the kernel's", "[experiment]") {
    CHECK(cpu_list({0, 1, 2, 3, 128, 130, 131}) == "0-3,128,130-131");
    CHECK(cpu_list({}).empty());
}

TEST_CASE("unusable dumps are refused with the place and what was expected", "[experiment]") {
    CHECK_THAT(complaint(""), ContainsSubstring("the file is empty; expected"));
    CHECK_THAT(complaint("\n\n"), ContainsSubstring("the file is empty"));
    CHECK_THAT(complaint("hello: world\n"), ContainsSubstring(":1:1: error: expected a dump"));
    CHECK_THAT(complaint("cpu0/cpuidle/state0/usage:many\n"),
               ContainsSubstring(":1:27: error: `usage`: expected a whole number"));
    CHECK_THAT(complaint("cpu0/cpuidle/state0/usage:99999999999999999999\n"),
               ContainsSubstring("up to 2^53"));
    CHECK_THAT(complaint("cpu0/cpuidle/state0/usage:1\ncpu0/cpuidle/state0/usage:2\n"),
               ContainsSubstring(":2:27: error: `usage` is 2 here and 1 before"));
    CHECK_THAT(complaint("cpu0/cpuidle/state12/usage:1\n"), ContainsSubstring("at most 10 states"));
    CHECK_THAT(complaint("cpu0/cpuidle/state0/default_status:on\n"),
               ContainsSubstring("expected enabled or disabled"));
    CHECK_THAT(complaint("rw|cpu0/cpuidle/state0/us"), ContainsSubstring("cut off"));
    CHECK_THAT(complaint("cpu0/cpuidle/state0/usage:\n1\n\ncpu0/cpuidle/state1/usage:\n"),
               ContainsSubstring(":4:1: error: the value of this file is missing"));
    CHECK_THAT(complaint(std::string{kC1} + "5\n6\n"), ContainsSubstring("after 2 of the 12"));
    CHECK_THAT(complaint(std::string{kC1} + "5\nC6\n"),
               ContainsSubstring(":14:1: error: expected `below`"));
    CHECK_THAT(complaint("CPUidle driver: x\nanalyzing CPU 0:\nNumber of idle states: 2\n"),
               ContainsSubstring("should have 2 idle states, 0 are there"));
    CHECK_THAT(complaint("CPUidle driver: x\nLatency: 7\n"),
               ContainsSubstring(":2:1: error: no name"));
}
