// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_progress.hpp"

#include "tests/catch.hpp"

using namespace idlesim;

TEST_CASE("progress shows the rate of points, and a time left that goes by their weight",
          "[sweep]") {
    REQUIRE(progress_line("s", 0, 4, 0, 1) == "s [..............................] 0/4");
    REQUIRE(progress_line("s", 2, 4, 0.8, 20) ==
            "s [###############...............] 2/4 0.1/s 0:05 left");
    REQUIRE(progress_line("s", 1, 2, 0.001, 10) ==
            "s [###############...............] 1/2 0.1/s 2:46:30 left");
}
