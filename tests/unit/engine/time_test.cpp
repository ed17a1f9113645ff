// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/time.hpp"

#include "tests/catch.hpp"

#include <type_traits>

namespace idlesim {

using namespace std::chrono_literals;

TEST_CASE("durations convert from literals without loss, and only so") {
    STATIC_REQUIRE(Duration{5us}.count() == 5'000'000);
    STATIC_REQUIRE(!std::is_convertible_v<decltype(1.5us), Duration>);
    STATIC_REQUIRE(kLongestRun.count() == 8'640'000'000'000'000'000);
}

TEST_CASE("durations are written as exact decimals in a readable unit") {
    CHECK(to_text(Duration{0}) == "0 ps");
    CHECK(to_text(Duration{999}) == "999 ps");
    CHECK(to_text(1us) == "1 us");
    CHECK(to_text(Duration{1'500'001}) == "1.500001 us");
    CHECK(to_text(Duration{-1'020}) == "-1.02 ns");
    CHECK(to_text(25ms) == "25 ms");
    CHECK(to_text(kLongestRun) == "8640000 s");
    CHECK(to_text(Duration::min()) == "-9223372.036854775808 s");
}

}  // namespace idlesim
