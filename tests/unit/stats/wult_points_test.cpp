// SPDX-License-Identifier: Apache-2.0
#include "sim/stats/wult_points.hpp"

#include "tests/catch.hpp"

#include <array>

using namespace idlesim;

namespace {

WultPoint good_point() {
    WultPoint point;
    point.wake_latency = Duration{1};
    point.silent_time = Duration{1};
    point.interrupt_latency = Duration{1};
    return point;
}

}  // namespace

TEST_CASE("a point is dropped as soon as one of its times is not positive", "[stats]") {
    REQUIRE(wult_keeps(good_point()));
    for (const auto member :
         {&WultPoint::wake_latency, &WultPoint::silent_time, &WultPoint::interrupt_latency}) {
        WultPoint point = good_point();
        point.*member = Duration{0};
        CHECK_FALSE(wult_keeps(point));
        point.*member = Duration{-5};
        CHECK_FALSE(wult_keeps(point));
    }
}

TEST_CASE("counters of wult are core, module and package states with a number", "[stats]") {
    for (const char* name : {"CC1", "CC6", "MC6", "PC2", "PC10"}) {
        CHECK(is_wult_counter(name));
    }
    for (const char* name : {"", "C6", "CC", "CC0", "CC6%", "CC1Derived", "pc2", "PC1E"}) {
        CHECK_FALSE(is_wult_counter(name));
    }
}

TEST_CASE("points come back as they went in, percentages in hundredths", "[stats]") {
    WultPoints points{{"POLL", "C1"}, {"CC1"}};
    WultPoint point = good_point();
    point.launch_distance = Duration{77};
    point.interrupts_off = true;
    point.requested_state = 1;
    point.cc0_percent = 33.333;
    point.cc1_derived_percent = 66.666;
    points.append(point, std::array{100.0 + 1e-9});
    REQUIRE(points.count() == 1);
    CHECK(points.wake_latency()[0] == Duration{1});
    CHECK(points.silent_time()[0] == Duration{1});
    CHECK(points.interrupt_latency()[0] == Duration{1});
    CHECK(points.launch_distance()[0] == Duration{77});
    CHECK(points.interrupts_off(0));
    CHECK(points.requested_state(0) == 1);
    CHECK(points.cc0()[0] == 3333);
    CHECK(points.cc1_derived()[0] == 6667);
    CHECK(points.residency(0)[0] == 10000);
}
