// SPDX-License-Identifier: Apache-2.0
#include "sim/stats/held.hpp"

#include "sim/stats/counter.hpp"
#include "tests/catch.hpp"

using namespace idlesim;
using namespace std::chrono_literals;

TEST_CASE("a level is integrated exactly and closed before every snapshot", "[stats]") {
    HeldLevel level{2};
    level.set(Time{3us}, 5);
    const HeldLevel::Snapshot warm_up = level.snapshot(Time{4us});
    level.set(Time{6us}, 0);
    const HeldLevel::Snapshot end = level.snapshot(Time{14us});
    REQUIRE(warm_up.mean() == 11.0 / 4);
    REQUIRE((end - warm_up).mean() == 1.0);
    REQUIRE((end - warm_up).length == 10us);
    REQUIRE((end - end).mean() == 0.0);
}

TEST_CASE("a level of a long run does not overflow", "[stats]") {
    HeldLevel level{1'000'000'000};
    REQUIRE(level.snapshot(Time{kLongestRun}).mean() == 1e9);
}

TEST_CASE("residencies add up to the time that has passed", "[stats]") {
    HeldState<3> state{1};
    state.set(Time{Duration{7}}, 2);
    state.set(Time{Duration{7}}, 0);
    state.set(Time{Duration{1000}}, 2);
    const auto& residency = state.snapshot(Time{Duration{1234}});
    REQUIRE(residency[0] == Duration{993});
    REQUIRE(residency[1] == Duration{7});
    REQUIRE(residency[2] == Duration{234});
}

TEST_CASE("a counter's window is the difference of two snapshots", "[stats]") {
    Counter counter;
    counter.add();
    const Counter::Snapshot warm_up = counter.snapshot();
    counter.add(4);
    REQUIRE(counter.snapshot() - warm_up == 4);
}
