// SPDX-License-Identifier: Apache-2.0
#include "sim/output/csv.hpp"

#include "sim/output/number.hpp"
#include "sim/output/sample_csv.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <array>
#include <limits>

using namespace idlesim;

TEST_CASE("cells are quoted only where they must be", "[output]") {
    CsvTable table{{"name", "value"}};
    table.cell("plain text").cell(std::int64_t{-5}).end_row();
    table.cell("a, b").cell(0.5).end_row();
    table.cell("say \"no\"").cell(std::numeric_limits<double>::quiet_NaN()).end_row();
    REQUIRE(table.text() == "name,value\nplain text,-5\n\"a, b\",0.5\n\"say \"\"no\"\"\",\n");
    REQUIRE(table.rows() == 3);
}

TEST_CASE("samples are written with exact steps that add up", "[output]") {
    const ScratchFolder folder;
    SampleTable table{"wake_latency", {"ipi_send", "unused", "exit"}, 0};
    const std::array<StepPart, 2> first{{{0, Duration{250'000}}, {2, Duration{1'750'125}}}};
    const std::array<StepPart, 1> second{{{2, Duration{3}}}};
    table.record(Time{Duration{5'000'001}}, 2, first[0].duration + first[1].duration, first);
    table.record(Time{Duration{7'000'000}}, 4, second[0].duration, second);
    SampleCsv csv{folder.path() / "samples.csv", {&table}};
    csv.add(1, table);
    csv.add(2, table);
    csv.commit();
    REQUIRE(folder.read("samples.csv") ==
            "replication,time_us,cpu,wake_latency_ns,ipi_send_ns,exit_ns\n"
            "1,5.000001,2,2000.125,250,1750.125\n1,7,4,0.003,0,0.003\n"
            "2,5.000001,2,2000.125,250,1750.125\n2,7,4,0.003,0,0.003\n");
}

TEST_CASE("many rows pass through the buffers unharmed", "[output]") {
    const ScratchFolder folder;
    SampleTable table{"m", {"s"}, 0};
    for (int i = 0; i < 50000; ++i) {
        const std::array<StepPart, 1> parts{{{0, Duration{i}}}};
        table.record(Time{}, 0, Duration{i}, parts);
    }
    SampleCsv csv{folder.path() / "samples.csv", {&table}};
    csv.add(1, table);
    csv.commit();
    std::string expected = "replication,time_us,cpu,m_ns,s_ns\n";
    for (int i = 0; i < 50000; ++i) {
        const std::string number = format_ns(Duration{i});
        expected += "1,0,0," + number + "," + number + "\n";
    }
    REQUIRE((folder.read("samples.csv") == expected));
}
