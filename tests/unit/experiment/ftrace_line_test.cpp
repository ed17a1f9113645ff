// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/ftrace_line.hpp"

#include "tests/catch.hpp"

using namespace idlesim;

TEST_CASE("a line of ftrace text is read in each of its forms", "[experiment]") {
    const std::string_view line = GENERATE(
        as<std::string_view>{},
        "          <idle>-0       [002] d..2.   153.042137: cpu_idle: state=1 cpu_id=2",
        "          <idle>-0     (-----) [002] d..2   153.042137: cpu_idle: state=1 cpu_id=2",
        "          <idle>-0     [002]   153.042137: cpu_idle:             state=1 cpu_id=2",
        "          <idle>-0     [002]   153.042137000: cpu_idle:             state=1 cpu_id=2",
        "swapper     0 [002]   153.042137: power:cpu_idle: state=1 cpu_id=2",
        "swapper     0 [002]   153.042137:          1       power:cpu_idle: state=1 cpu_id=2",
        "a [7] name-9 [002] d..2.   153.042137: cpu_idle: state=1 cpu_id=2",
        "\t <idle>-0 [2]\t153.042137: cpu_idle: state=1 cpu_id=2");
    INFO(line);
    const std::optional<FtraceLine> parts = parse_ftrace_line(line);
    REQUIRE(parts);
    CHECK(parts->cpu == 2);
    CHECK(parts->time == 153'042'137'000);
    CHECK_FALSE(parts->counter_clock);
    CHECK(parts->event == "cpu_idle");
    CHECK(ftrace_number(parts->fields, "state") == 1);
    CHECK(ftrace_number(parts->fields, "cpu_id") == 2);
}

TEST_CASE("nanoseconds of a stamp are kept", "[experiment]") {
    CHECK(parse_ftrace_line("x-1 [0] 162534.215764207: a: b")->time == 162534'215'764'207);
}

TEST_CASE("a stamp without a point is a counter", "[experiment]") {
    const auto parts = parse_ftrace_line("<idle>-0 [002] d..2. 153042137000: cpu_idle: state=0");
    REQUIRE(parts);
    CHECK(parts->counter_clock);
    CHECK(parts->time == 153'042'137'000);
}

TEST_CASE("what is no event is not taken for one", "[experiment]") {
    for (const std::string_view line : {"",
                                        "cpus=6",
                                        "# tracer: nop",
                                        "CPU:2 [LOST 51 EVENTS]",
                                        "x-1 [002",
                                        "x-1 [002]",
                                        "x-1 [002] 1.5",
                                        "x-1 [002] 1.5:",
                                        "x-1 [002] 1.5: event",
                                        "x-1 [002] 1.0000000001: e: f",
                                        "x-1 [002] 1.x: e: f",
                                        "x-1 [123456] 1.5: e: f",
                                        "x-1 [002] 99999999999999999999: e: f",
                                        "x-1 [002] 99999999999.5: e: f"}) {
        INFO(line);
        CHECK_FALSE(parse_ftrace_line(line));
    }
}

TEST_CASE("fields are found by their whole name", "[experiment]") {
    CHECK(ftrace_number("prev_state=7 state=3", "state") == 3);
    CHECK(ftrace_number("state=0x10", "state") == 16);
    CHECK(ftrace_number("state=-1", "state") == -1);
    CHECK_FALSE(ftrace_number("state=", "state"));
    CHECK_FALSE(ftrace_number("state=1x", "state"));
    CHECK_FALSE(ftrace_number("nostate=1", "state"));
    CHECK(ftrace_word("irq=9 name=acpi", "name") == "acpi");
}
