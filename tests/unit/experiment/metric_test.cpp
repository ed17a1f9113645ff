// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/metric.hpp"

#include "tests/catch.hpp"

#include <cmath>

using namespace idlesim;

namespace {

const Stat& stat(const char* name) {
    return *find_stat(name);
}

}  // namespace

TEST_CASE("times answer in nanoseconds", "[experiment]") {
    const SortedValues values = SortedValues::times({4000, 1000, 2000, 3001});
    REQUIRE(values.value(stat("count")) == 4.0);
    REQUIRE(values.value(stat("min")) == 1.0);
    REQUIRE(values.value(stat("p50")) == 2.5005);
    REQUIRE(values.value(stat("max")) == 4.0);
    REQUIRE(values.value(stat("mean")) == 2.50025);
    REQUIRE(values.value(stat("std")) == Approx(1.2911236));
}

TEST_CASE("statistics of nothing are not numbers", "[experiment]") {
    const SortedValues values = SortedValues::numbers({});
    REQUIRE(values.value(stat("count")) == 0.0);
    REQUIRE(std::isnan(values.value(stat("p50"))));
    REQUIRE(std::isnan(values.value(stat("mean"))));
}

TEST_CASE("over all replications samples are pooled, extremes averaged", "[experiment]") {
    Metric metric{"context_switch_rate", "1/s"};
    metric.add_replication(SortedValues::numbers({1, 2, 3}));
    metric.add_replication(SortedValues::numbers({5, 6, 7}));
    metric.pool();
    REQUIRE(metric.all(stat("p50")).value == 4.0);
    REQUIRE(metric.all(stat("mean")).value == 4.0);
    REQUIRE(metric.all(stat("min")).value == 3.0);
    REQUIRE(metric.all(stat("max")).value == 5.0);
    REQUIRE(metric.all(stat("p99.99")).value == Approx((2.9998 + 6.9998) / 2));
    REQUIRE(metric.all(stat("count")).value == 6.0);
    REQUIRE_FALSE(metric.all(stat("count")).interval.known());
    // t(1) * std({2, 6}) / sqrt(2)
    REQUIRE(metric.all(stat("p50")).interval.half_width() == Approx(25.4124).epsilon(1e-4));
}

TEST_CASE("a single replication speaks for all, with its own interval", "[experiment]") {
    Metric metric{"wake_latency", "ns"};
    std::vector<std::int64_t> values;
    for (int i = 0; i < 1000; ++i) {
        values.push_back(1000 * i);
    }
    metric.add_replication(SortedValues::times(values));
    metric.pool();
    const StatValue median = metric.all(stat("p50"));
    REQUIRE(median.value == 499.5);
    REQUIRE(median.interval.low > 460);
    REQUIRE(median.interval.low < 475);
    REQUIRE(median.interval.high > 525);
    REQUIRE(median.interval.high < 540);
    REQUIRE(metric.all(stat("max")).value == 999.0);
}

TEST_CASE("every stat of the contract is known by its name", "[experiment]") {
    for (const char* name : {"count",
                             "min",
                             "p25",
                             "p50",
                             "p75",
                             "p90",
                             "p95",
                             "p99",
                             "p99.5",
                             "p99.9",
                             "p99.95",
                             "p99.99",
                             "max",
                             "mean",
                             "std"}) {
        REQUIRE(find_stat(name) != nullptr);
    }
    REQUIRE(find_stat("p42") == nullptr);
    REQUIRE(all_stats().size() == 15);
}
