// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/random.hpp"

#include "sim/engine/error.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace idlesim {

TEST_CASE("a stream depends on seed, name and replication, and on nothing else") {
    const auto first = [](std::uint64_t seed, const char* name, std::uint64_t replication) {
        return RandomStream{seed, name, replication}.bits();
    };
    CHECK(first(1, "cpu0.hlt_exit", 0) == first(1, "cpu0.hlt_exit", 0));
    CHECK(first(1, "cpu0.hlt_exit", 0) != first(2, "cpu0.hlt_exit", 0));
    CHECK(first(1, "cpu0.hlt_exit", 0) != first(1, "cpu1.hlt_exit", 0));
    CHECK(first(1, "cpu0.hlt_exit", 0) != first(1, "cpu0.hlt_exit", 1));
    CHECK(first(1, "cpu0.hlt_exit", 2) != first(2, "cpu0.hlt_exit", 1));
}

TEST_CASE("the first bits of a stream are the same for ever") {
    RandomStream random{42, "pinned"};
    CHECK(random.bits() == 0xe759464d37bc6b56ULL);
    CHECK(random.bits() == 0xc4c4f5ecaab152a0ULL);
    CHECK(random.bits() == 0xe959ba444ee05295ULL);
}

TEST_CASE("uniform numbers fill [0, 1) evenly") {
    RandomStream random{3, "uniform"};
    std::array<int, 16> counts{};
    constexpr int kDraws = 160'000;
    for (int i = 0; i < kDraws; ++i) {
        const double u = random.uniform();
        REQUIRE((u >= 0.0 && u < 1.0));
        ++counts.at(static_cast<std::size_t>(u * 16.0));
    }
    for (const int count : counts) {
        CHECK(std::abs(count - kDraws / 16) < 500);  // 5 standard deviations
    }
}

TEST_CASE("chance follows its probability, 0 and 1 included") {
    RandomStream random{4, "chance"};
    const auto hits = [&random](double probability) {
        const std::uint64_t threshold = probability_threshold(probability);
        int count = 0;
        for (int i = 0; i < 100'000; ++i) {
            count += random.chance(threshold) ? 1 : 0;
        }
        return count;
    };
    CHECK(hits(0.0) == 0);
    CHECK(hits(1.0) == 100'000);
    CHECK(std::abs(hits(0.3) - 30'000) < 750);
    CHECK(std::abs(hits(0.001) - 100) < 50);
    CHECK_THROWS_AS(probability_threshold(-0.1), ParameterError);
    CHECK_THROWS_AS(probability_threshold(1.1), ParameterError);
    CHECK_THROWS_AS(probability_threshold(std::numeric_limits<double>::quiet_NaN()),
                    ParameterError);
}

TEST_CASE("below stays below and reaches every value") {
    RandomStream random{5, "below"};
    std::array<int, 7> counts{};
    for (int i = 0; i < 70'000; ++i) {
        ++counts.at(random.below(7));
    }
    for (const int count : counts) {
        CHECK(std::abs(count - 10'000) < 500);
    }
    CHECK(random.below(1) == 0);
}

}  // namespace idlesim
