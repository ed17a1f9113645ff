// SPDX-License-Identifier: Apache-2.0
#include "sim/output/specjbb_text.hpp"

#include "tests/catch.hpp"

#include <regex>

namespace idlesim {

using namespace std::chrono_literals;

namespace {

LoadCurve curve() {
    LoadCurve curve;
    curve.high_bound = 20000;
    curve.max_rate = 19600;
    curve.critical_rate = 9000;
    curve.agreements = {{10ms, 3000}, {100ms, 19000}};
    curve.steps = {{1, 200, 200, 1ms, 2ms, 20ms, true},
                   {99, 19800, 19000, 40ms, 400ms, 20ms, false}};
    return curve;
}

}  // namespace

TEST_CASE("a step of SPECjbb's log is read by who reads the tool's", "[specjbb_text]") {
    const std::string log = specjbb_log(curve());
    const std::regex passed{
        R"(^\s*(\d+)s: \(\s*(\d+)%\)\s+IR =\s+\d+ [.|?]+ \(rIR:aIR:PR = (\d+):(\d+):(\d+)\) \(tPR = (\d+)\) \[OK\]\s+$)"};
    std::smatch match;
    const std::string first = log.substr(0, log.find('\n') + 1);
    REQUIRE(std::regex_match(first, match, passed));
    CHECK(match.str(2) == "1");
    CHECK(match.str(5) == "200");
    CHECK(match.str(6) == "2967");
}

TEST_CASE("a step that is not sustained processes less than was injected", "[specjbb_text]") {
    CHECK(specjbb_log(curve()).find("(rIR:aIR:PR = 19800:19800:19000) (tPR = 281906) [FAILED]") !=
          std::string::npos);
}

TEST_CASE("the result has max-jOPS beside the settled high bound", "[specjbb_text]") {
    CHECK(specjbb_log(curve()).find("RUN RESULT: hbIR (max attempted) = 20000, hbIR (settled) = "
                                    "20000, max-jOPS = 19600, critical-jOPS = 9000\n") !=
          std::string::npos);
    CHECK(specjbb_raw(curve()) ==
          "jbb2015.result.metric.max-jOPS = 19600\n"
          "jbb2015.result.metric.critical-jOPS = 9000\n"
          "jbb2015.result.SLA-10000-jOPS = 3000\n"
          "jbb2015.result.SLA-100000-jOPS = 19000\n");
}

}  // namespace idlesim
