// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/interval.hpp"

#include "sim/analysis/paired.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <vector>

using namespace idlesim;

TEST_CASE("Student's t is that of the tables", "[analysis]") {
    REQUIRE(student_t(1) == Approx(12.7062).epsilon(1e-5));
    REQUIRE(student_t(9) == Approx(2.26216).epsilon(1e-5));
    REQUIRE(student_t(1000) == Approx(1.96234).epsilon(1e-5));
}

TEST_CASE("mean and standard deviation", "[analysis]") {
    const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};
    REQUIRE(mean(values) == 5.0);
    REQUIRE(standard_deviation(values) == Approx(std::sqrt(32.0 / 7)));
    REQUIRE(std::isnan(standard_deviation(std::vector<double>{1})));
    REQUIRE(std::isnan(mean({})));
}

TEST_CASE("order statistics enclose a quantile with binomial probability", "[analysis]") {
    // n = 100, median: the ranks 40 and 61 (from 1) of the textbooks.
    const RankInterval median = quantile_ranks(100, 0.5);
    REQUIRE(median.low == 39);
    REQUIRE(median.high == 60);
    // p99.9 of 10,000 rests on ten values: about 4 to 17 of them lie above.
    const RankInterval tail = quantile_ranks(10000, 0.999);
    REQUIRE(tail.low >= 9981);
    REQUIRE(tail.low <= 9984);
    REQUIRE(tail.high >= 9995);
    REQUIRE(tail.high <= 9997);
    const RankInterval beyond = quantile_ranks(10, 0.9999);
    REQUIRE(beyond.high == 9);
}

TEST_CASE("batch means are wider than independence where neighbours agree", "[analysis]") {
    std::vector<std::int64_t> slow;
    for (int i = 0; i < 2000; ++i) {
        slow.push_back((i / 50) % 2 == 0 ? 100 : 200);
    }
    const Interval interval = batch_means_interval(slow, 40);
    REQUIRE(interval.low < 150);
    REQUIRE(interval.high > 150);
    REQUIRE(interval.half_width() > 10);
    REQUIRE_FALSE(batch_means_interval(std::vector<std::int64_t>{1, 2, 3}).known());
}

TEST_CASE("what paired replications share cancels", "[analysis]") {
    const std::vector<double> baseline{100, 200, 300, 400};
    const std::vector<double> arm{99, 198, 297, 396};
    const Delta delta = paired_delta(250, 247.5, baseline, arm);
    REQUIRE(delta.delta == -2.5);
    REQUIRE(delta.delta_percent == -1.0);
    REQUIRE(delta.percent_interval.half_width() < 1e-12);
}

TEST_CASE("a delta against nothing has no percent", "[analysis]") {
    const Delta delta = paired_delta(0, 5, std::vector<double>{0, 0}, std::vector<double>{5, 5});
    REQUIRE(delta.delta == 5.0);
    REQUIRE(std::isnan(delta.delta_percent));
    REQUIRE_FALSE(delta.percent_interval.known());
}

TEST_CASE("one replication has no interval", "[analysis]") {
    const Delta delta = paired_delta(10, 20, std::vector<double>{10}, std::vector<double>{20});
    REQUIRE(delta.delta_percent == 100.0);
    REQUIRE_FALSE(delta.percent_interval.known());
}
