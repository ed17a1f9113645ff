// SPDX-License-Identifier: Apache-2.0
#include "sim/output/perf_text.hpp"

#include "tests/catch.hpp"

namespace idlesim {

using namespace std::chrono_literals;

TEST_CASE("the summary of sched pipe has the lines that perf prints", "[perf_text]") {
    CHECK(sched_pipe_summary(1'000'000, Duration{5'513'289us} + Duration{999}) ==
          "# Running 'sched/pipe' benchmark:\n"
          "# Executed 1000000 pipe operations between two processes\n"
          "\n"
          "     Total time: 5.513 [sec]\n"
          "\n"
          "       5.513289 usecs/op\n"
          "         181379 ops/sec\n");
}

TEST_CASE("a run of less than a microsecond has no rate", "[perf_text]") {
    CHECK(sched_pipe_summary(1, 5ns).find("              0 ops/sec") != std::string::npos);
}

}  // namespace idlesim
