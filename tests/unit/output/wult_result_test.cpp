// SPDX-License-Identifier: Apache-2.0
#include "sim/output/wult_result.hpp"

#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <array>
#include <regex>

using namespace idlesim;

namespace {

constexpr std::size_t kColumns = 13;

WultPoint point_in(std::uint8_t state) {
    WultPoint point;
    point.wake_latency = Duration{4'179'798};
    point.silent_time = Duration{1'746'303'600'000};
    point.interrupt_latency = Duration{7'900'000};
    point.launch_distance = Duration{1'757'788'000'000};
    point.interrupts_off = state > 0;
    point.requested_state = state;
    point.cc0_percent = 0.334;
    point.cc1_derived_percent = 1.005;
    return point;
}

WultPoints points_of(std::vector<std::string> states) {
    WultPoints points{std::move(states), {"CC1", "CC6", "PC10"}};
    points.append(point_in(1), std::array{0.0, 92.625, 100.0});
    points.append(point_in(0), std::array{0.0, 0.0, 0.0});
    return points;
}

WultInfo info_of(std::string report_id) {
    return {std::move(report_id),
            "0.1.0",
            3,
            "hrt",
            "it's a timer",
            Duration{1000},
            std::chrono::minutes{2},
            "17 Mar 2026",
            "idlesim:\n  seed: 7\n"};
}

/// A result that was written, file by file.
struct Written {
    explicit Written(const WultPoints& points, const WultInfo& info = info_of("a")) {
        const ScratchFolder folder;
        ok = write_wult_result(folder.path(), points, info);
        files = folder.entries();
        datapoints = folder.read("datapoints.csv");
        yaml = folder.read("info.yml");
    }

    bool ok = false;
    std::size_t files = 0;
    std::string datapoints;
    std::string yaml;
};

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream{text};
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

}  // namespace

TEST_CASE("datapoints are exact microseconds and percent of two digits", "[output]") {
    const Written written{points_of({"POLL", "C6"})};
    REQUIRE(written.ok);
    REQUIRE(written.files == 2);
    REQUIRE(written.datapoints ==
            "WakeLatency,SilentTime,IntrLatency,IntrOff,LDist,ReqCState,CC0%,CC1Derived%,"
            "CC1%,CC6%,PC10%,SMICnt,NMICnt\n"
            "4.179798,1746303.6,7.9,1,1757788,C6,0.33,1.00,0.00,92.63,100.00,0,0\n"
            "4.179798,1746303.6,7.9,0,1757788,POLL,0.33,1.00,0.00,0.00,0.00,0,0\n");
}

TEST_CASE("wult knows every column and misses none that its report needs", "[output]") {
    const std::regex known{
        "WakeLatency|SilentTime|IntrLatency|IntrOff|LDist|ReqCState|CC0%|CC1Derived%|"
        "[CMP]C[0-9]+%|SMICnt|NMICnt"};
    const std::string header = split(Written{points_of({"POLL", "C6"})}.datapoints, '\n').front();
    const std::vector<std::string> columns = split(header, ',');
    REQUIRE(columns.size() == kColumns);
    for (const std::string& column : columns) {
        INFO(column);
        CHECK(std::regex_match(column, known));
        CHECK(std::count(columns.begin(), columns.end(), column) == 1);
    }
    for (const char* needed : {"SilentTime", "LDist", "WakeLatency", "IntrLatency"}) {
        CHECK(std::count(columns.begin(), columns.end(), needed) == 1);
    }
}

TEST_CASE("every row has all cells and each is a number but the state", "[output]") {
    const std::regex number{"[0-9]+(\\.[0-9]+)?"};
    const std::vector<std::string> lines =
        split(Written{points_of({"POLL", "C6"})}.datapoints, '\n');
    REQUIRE(lines.size() == 3);
    for (std::size_t row = 1; row < lines.size(); ++row) {
        const std::vector<std::string> cells = split(lines[row], ',');
        REQUIRE(cells.size() == kColumns);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            INFO(cells[i]);
            CHECK((i == 5 || std::regex_match(cells[i], number)));
        }
    }
}

TEST_CASE("a state whose name pandas takes for nothing is called by its index", "[output]") {
    for (const char* name : {"", "NULL", "NA", "nan"}) {
        const Written written{points_of({"POLL", name})};
        REQUIRE_THAT(written.datapoints, Catch::Matchers::ContainsSubstring(",state1,0.33,"));
    }
    const Written written{points_of({"POLL", "C1, E"})};
    REQUIRE_THAT(written.datapoints, Catch::Matchers::ContainsSubstring(",\"C1, E\",0.33,"));
}

TEST_CASE("without datapoints no result is written", "[output]") {
    const Written written{WultPoints{{"POLL"}, {}}};
    REQUIRE_FALSE(written.ok);
    REQUIRE(written.files == 0);
}

TEST_CASE("the description of a wult result has every key, text in quotes", "[output]") {
    REQUIRE(Written{points_of({"POLL", "C6"}), info_of("milan0-c1")}.yaml ==
            "toolname: wult\n"
            "toolver: '0.1.0'\n"
            "format_version: '1.3'\n"
            "reportid: 'milan0-c1'\n"
            "date: '17 Mar 2026'\n"
            "cpu: 3\n"
            "devid: 'hrt'\n"
            "devdescr: 'it''s a timer'\n"
            "resolution: 1\n"
            "duration: '120 s'\n"
            "idlesim:\n  seed: 7\n");
}

TEST_CASE("a report id has only the characters that wult allows", "[output]") {
    CHECK(wult_report_id("Milan0-mwait_c1.s17,a~b:c") == "Milan0-mwait_c1.s17,a~b:c");
    CHECK(wult_report_id("a b/c\"d'e\xc3\xa9\n") == "a-b-c-d-e---");
    CHECK(wult_report_id("") == "idlesim");
    REQUIRE_THAT(Written(points_of({"POLL", "C6"}), info_of("my run")).yaml,
                 Catch::Matchers::ContainsSubstring("reportid: 'my-run'\n"));
}
