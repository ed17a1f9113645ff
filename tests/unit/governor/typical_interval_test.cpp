// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/typical_interval.hpp"

#include "tests/catch.hpp"

using namespace idlesim;

TEST_CASE("equal idle times are a pattern for every version", "[governor]") {
    const IntervalRing ring{100, 101, 99, 100, 102, 98, 100, 100};
    REQUIRE(typical_interval_below(ring, 1000) == 100);
    REQUIRE(typical_interval_one_sided(ring) == 100);
    REQUIRE(typical_interval_two_sided(ring, FewSamples::none) == 100);
}

TEST_CASE("up to two long outliers are dropped", "[governor]") {
    const IntervalRing ring{100, 9000, 99, 100, 102, 98, 5000, 101};
    REQUIRE(typical_interval_below(ring, 10000) == 100);
    REQUIRE(typical_interval_one_sided(ring) == 100);
    REQUIRE(typical_interval_two_sided(ring, FewSamples::none) == 100);
    const IntervalRing three{100, 9000, 99, 100, 102, 98, 5000, 5001};
    REQUIRE(typical_interval_one_sided(three) == kNoInterval);
}

TEST_CASE("short outliers are dropped since 6.15 only", "[governor]") {
    const IntervalRing ring{1000, 1001, 999, 1000, 1002, 2, 1000, 1000};
    REQUIRE(typical_interval_one_sided(ring) == kNoInterval);
    REQUIRE(typical_interval_two_sided(ring, FewSamples::none) == 1000);
}

TEST_CASE("the largest of few samples answers for a missing pattern in 6.17 only", "[governor]") {
    const IntervalRing ring{10, 20, 300, 400, 900, 1000, 5000, 6000};
    REQUIRE(typical_interval_two_sided(ring, FewSamples::none) == kNoInterval);
    REQUIRE(typical_interval_two_sided(ring, FewSamples::largest) == 1000);
}

TEST_CASE("samples beyond the timer are no pattern in 6.3", "[governor]") {
    const IntervalRing ring{100, 100, 100, 100, 100, 100, 100, 100};
    REQUIRE(typical_interval_below(ring, 100) == kNoInterval);
    REQUIRE(typical_interval_below(ring, 101) == 100);
}

TEST_CASE("marks of entries that did not happen are no samples", "[governor]") {
    IntervalRing ring{100, 100, 100, 100, 100, 100, 100, kNoInterval};
    REQUIRE(typical_interval_one_sided(ring) == 100);
    REQUIRE(typical_interval_two_sided(ring, FewSamples::none) == 100);
    ring.fill(kNoInterval);
    REQUIRE(typical_interval_one_sided(ring) == kNoInterval);
    REQUIRE(typical_interval_two_sided(ring, FewSamples::none) == kNoInterval);
    ring.fill(0);
    REQUIRE(typical_interval_one_sided(ring) == kNoInterval);
    REQUIRE(typical_interval_two_sided(ring, FewSamples::none) == kNoInterval);
}
