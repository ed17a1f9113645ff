// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/quantile.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace idlesim;

TEST_CASE("quantiles are those of numpy", "[analysis]") {
    // numpy.quantile([1, 2, 4, 8, 16], q)
    const std::vector<double> values{1, 2, 4, 8, 16};
    REQUIRE(quantile_of_sorted(values, 0.0) == 1.0);
    REQUIRE(quantile_of_sorted(values, 0.1) == 1.4);
    REQUIRE(quantile_of_sorted(values, 0.5) == 4.0);
    REQUIRE(quantile_of_sorted(values, 0.9) == Approx(12.8));
    REQUIRE(quantile_of_sorted(values, 0.999) == Approx(15.968));
    REQUIRE(quantile_of_sorted(values, 1.0) == 16.0);
}

TEST_CASE("the quantile of nothing is not a number", "[analysis]") {
    REQUIRE(std::isnan(quantile_of_sorted(std::span<const std::int64_t>{}, 0.5)));
}

TEST_CASE("sorting agrees with the standard library for every range of values", "[analysis]") {
    std::uint64_t state = 1234567;
    for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{20000}}) {
        for (const unsigned shift : {0U, 1U, 20U, 40U, 63U}) {
            std::vector<std::int64_t> values;
            for (std::size_t i = 0; i < size; ++i) {
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                values.push_back(static_cast<std::int64_t>(state) >> shift);
            }
            values.push_back(std::numeric_limits<std::int64_t>::min() >> shift);
            values.push_back(std::numeric_limits<std::int64_t>::max() >> shift);
            std::vector<std::int64_t> expected = values;
            std::sort(expected.begin(), expected.end());
            sort_ascending(values);
            REQUIRE(values == expected);
        }
    }
}
