// SPDX-License-Identifier: Apache-2.0
#include "sim/output/cyclictest_text.hpp"

#include "tests/catch.hpp"

using namespace idlesim;

namespace {

const std::vector<std::int64_t> kFirst{1'999'999, 2'000'000, 9'400'000, 2'000'001};
const std::vector<std::int64_t> kSecond{1'000'000};

CyclictestRun run_of_two() {
    CyclictestRun run;
    run.threads = {{25807, 0, 0, std::chrono::microseconds{1000}, kFirst},
                   {25808, 95, 1, std::chrono::microseconds{1500}, kSecond}};
    run.command = "cyclictest -q -t2";
    run.tool_version = "2.40";
    run.machine = {"idlesim", "6.3.0", "a \"quoted\"\tversion", "x86_64", false};
    run.start = std::chrono::seconds{1};
    run.end = std::chrono::days{59} + std::chrono::seconds{3661};
    return run;
}

}  // namespace

TEST_CASE("the summary has a line per thread in whole microseconds", "[output]") {
    REQUIRE(cyclictest_summary(run_of_two()) ==
            "T: 0 (25807) P: 0 I:1000 C:      4 Min:      1 Act:    2 Avg:    3 Max:       9\n"
            "T: 1 (25808) P:95 I:1500 C:      1 Min:      1 Act:    1 Avg:    1 Max:       1\n");
}

TEST_CASE("in nanoseconds the summary has wider columns", "[output]") {
    CyclictestRun run = run_of_two();
    run.nanoseconds = true;
    run.threads.pop_back();
    REQUIRE(cyclictest_summary(run) ==
            "T: 0 (25807) P: 0 I:1000 C:      4 Min:   1999 Act:    2000 Avg:    3849 Max:    "
            "9400\n");
}

TEST_CASE("the histogram counts bins and lists cycles beyond them", "[output]") {
    CyclictestRun run = run_of_two();
    run.histogram = 3;
    run.latency_limit = Duration{0};
    REQUIRE(cyclictest_histogram(run) ==
            "# /dev/cpu_dma_latency set to 0us\n"
            "# Histogram\n"
            "000000 000000\t000000\n"
            "000001 000001\t000001\n"
            "000002 000002\t000000\n"
            "# Total: 000000003 000000001\n"
            "# Min Latencies: 00001 00001\n"
            "# Avg Latencies: 00003 00001\n"
            "# Max Latencies: 00009 00001\n"
            "# Histogram Overflows: 00001 00000\n"
            "# Histogram Overflow at cycle number:\n"
            "# Thread 0: 00002\n"
            "# Thread 1:\n"
            "\n");
}

TEST_CASE("no more overflows are listed than there are bins", "[output]") {
    CyclictestRun run = run_of_two();
    run.histogram = 1;
    const std::string text = cyclictest_histogram(run);
    REQUIRE(text.starts_with("# Histogram\n000000 000000\t000000\n# Total: 000000000 000000000\n"));
    REQUIRE_THAT(text, Catch::Matchers::ContainsSubstring("# Thread 0: 00000 # 00003 others\n"));
}

TEST_CASE("the JSON document has cyclictest's keys, colons included", "[output]") {
    CyclictestRun run = run_of_two();
    run.histogram = 3;
    REQUIRE(cyclictest_json(run) == R"({
  "file_version": 1,
  "cmdline:": "cyclictest -q -t2",
  "rt_test_version:": "2.40",
  "start_time": "Thu, 01 Jan 1970 00:00:01 +0000",
  "end_time": "Sun, 01 Mar 1970 01:01:01 +0000",
  "return_code": 0,
  "sysinfo": {
    "sysname": "Linux",
    "nodename": "idlesim",
    "release": "6.3.0",
    "version": "a \"quoted\"\u0009version",
    "machine": "x86_64",
    "realtime": 0
  },
  "num_threads": 2,
  "resolution_in_ns": 0,
  "thread": {
    "0": {
      "histogram": {
        "1": 1,
        "2": 2
      },
      "cycles": 4,
      "min": 1,
      "max": 9,
      "avg": 3.50,
      "cpu": 0,
      "node": -1
    },
    "1": {
      "histogram": {
        "1": 1
      },
      "cycles": 1,
      "min": 1,
      "max": 1,
      "avg": 1.00,
      "cpu": 1,
      "node": -1
    }
  }
}
)");
}

TEST_CASE("a thread that never woke up has zeros and no histogram", "[output]") {
    CyclictestRun run;
    run.threads.push_back({});
    REQUIRE_THAT(cyclictest_json(run),
                 Catch::Matchers::ContainsSubstring("\"histogram\": {      },\n      \"cycles\": 0,"
                                                    "\n      \"min\": 0,\n      \"max\": 0,\n"
                                                    "      \"avg\": 0.00,"));
    REQUIRE(cyclictest_summary(run).starts_with("T: 0 (    0) P: 0 I:0 C:      0 Min:      0"));
}
