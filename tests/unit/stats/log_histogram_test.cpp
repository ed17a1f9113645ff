// SPDX-License-Identifier: Apache-2.0
#include "sim/stats/log_histogram.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using idlesim::LogHistogram;

namespace {

std::vector<std::int64_t> spread_values() {
    std::vector<std::int64_t> values;
    std::uint64_t state = 88172645463325252ULL;
    for (int i = 0; i < 20000; ++i) {
        state ^= state << 13U;
        state ^= state >> 7U;
        state ^= state << 17U;
        values.push_back(static_cast<std::int64_t>(state >> (10 + state % 50)));
    }
    return values;
}

}  // namespace

TEST_CASE("bins are contiguous and grow with the value", "[stats]") {
    std::size_t last = 0;
    for (std::uint64_t value = 0; value < 100000; ++value) {
        const std::size_t bin = LogHistogram::bin_of(value);
        REQUIRE((bin == last || bin == last + 1));
        last = bin;
    }
    REQUIRE(LogHistogram::bin_of(127) == 127);
}

TEST_CASE("a quantile is within the documented error of the exact one", "[stats]") {
    std::vector<std::int64_t> values = spread_values();
    LogHistogram histogram;
    for (const std::int64_t value : values) {
        histogram.record(value);
    }
    std::sort(values.begin(), values.end());
    for (const double q : {0.0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0}) {
        const auto exact = static_cast<double>(
            values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))]);
        const auto next = static_cast<double>(values[std::min(
            static_cast<std::size_t>(q * static_cast<double>(values.size() - 1)) + 1,
            values.size() - 1)]);
        REQUIRE(histogram.quantile(q) >= exact * (1 - LogHistogram::kRelativeError));
        REQUIRE(histogram.quantile(q) <= next * (1 + LogHistogram::kRelativeError));
    }
}

TEST_CASE("a constant is reported exactly, whatever its size", "[stats]") {
    LogHistogram histogram;
    for (int i = 0; i < 100; ++i) {
        histogram.record(123'456'789);
    }
    REQUIRE(histogram.quantile(0.5) == 123'456'789.0);
    REQUIRE(histogram.sum() == 12'345'678'900);
}

TEST_CASE("histograms add, and a snapshot subtracts what came before it", "[stats]") {
    LogHistogram before;
    before.record(10);
    LogHistogram later = before;
    later.record(1000);
    later.record(1000);
    const LogHistogram window = later.since(before);
    REQUIRE(window.count() == 2);
    REQUIRE(window.sum() == 2000);
    LogHistogram all = before;
    all.add(window);
    REQUIRE(all.sum() == later.sum());
}

TEST_CASE("an empty histogram answers zero", "[stats]") {
    REQUIRE(LogHistogram{}.quantile(0.5) == 0.0);
    REQUIRE(LogHistogram{}.count() == 0);
}
