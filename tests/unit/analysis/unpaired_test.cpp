// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/unpaired.hpp"

#include "sim/analysis/paired.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <vector>

using namespace idlesim;

TEST_CASE("unpaired replications have Welch's interval of the ratio", "[analysis]") {
    const std::vector<double> baseline{10, 12, 14};
    const std::vector<double> other{20, 24, 28};
    const Delta delta = unpaired_delta(12, 24, baseline, other);
    REQUIRE(delta.delta == 12.0);
    REQUIRE(delta.delta_percent == 100.0);
    // Both means have a relative standard error of 9.62 %, times the ratio of 2 and t(4) = 2.776.
    REQUIRE(std::fabs(delta.percent_interval.half_width() - 75.566) < 0.001);
}

TEST_CASE("what unpaired replications share does not cancel", "[analysis]") {
    const std::vector<double> baseline{100, 200, 300, 400};
    const std::vector<double> other{99, 198, 297, 396};
    REQUIRE(unpaired_delta(250, 247.5, baseline, other).percent_interval.half_width() >
            50 + paired_delta(250, 247.5, baseline, other).percent_interval.half_width());
}

TEST_CASE("unpaired deltas that cannot have an interval have none", "[analysis]") {
    const std::vector<double> one{10};
    const std::vector<double> two{10, 12};
    REQUIRE_FALSE(unpaired_delta(10, 11, one, two).percent_interval.known());
    REQUIRE_FALSE(unpaired_delta(11, 10, two, one).percent_interval.known());
    const Delta nothing = unpaired_delta(0, 11, std::vector<double>{0, 0}, two);
    REQUIRE(nothing.delta == 11.0);
    REQUIRE(std::isnan(nothing.delta_percent));
    const std::vector<double> constant{10, 10};
    REQUIRE(unpaired_delta(10, 10, constant, constant).percent_interval.half_width() == 0.0);
}
