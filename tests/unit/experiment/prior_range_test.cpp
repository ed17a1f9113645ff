// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/prior_range.hpp"

#include "tests/catch.hpp"

namespace idlesim {

TEST_CASE(
    "a difference is as uncertain as its short runs differ from the one with costs as they are",
    "[prior]") {
    const Interval range = PriorRange{9.0, {9.5, 12.5}}.around(8.75, true);
    CHECK(range.low == Approx(8.75));
    CHECK(range.high == Approx(12.25));
}

TEST_CASE("what grows with the length of a run is scaled", "[prior]") {
    const Interval range = PriorRange{10.0, {5.0, 20.0}}.around(100.0, false);
    CHECK(range.low == Approx(50.0));
    CHECK(range.high == Approx(200.0));
}

TEST_CASE("where there is nothing to scale, the draws move by as much as the value", "[prior]") {
    const Interval range = PriorRange{0.0, {0.0, 3.0}}.around(1.0, false);
    CHECK(range.low == Approx(1.0));
    CHECK(range.high == Approx(4.0));
}

TEST_CASE("no draws, no range; draws without their start stay where they are", "[prior]") {
    CHECK_FALSE(PriorRange{}.around(1.0, true).known());
    PriorRange alone;
    alone.draws = {2.0, 3.0};
    CHECK(alone.around(1.0, true).low == 2.0);
    CHECK(alone.around(1.0, true).high == 3.0);
}

}  // namespace idlesim
