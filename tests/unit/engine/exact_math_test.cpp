// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/exact_math.hpp"

#include "sim/engine/random.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>

namespace idlesim {

TEST_CASE("exp and log agree with the library's to a few units in the last place") {
    RandomStream random{1, "exact math"};
    double worst_exp = 0.0;
    double worst_log = 0.0;
    for (int i = 0; i < 200'000; ++i) {
        const double x = (random.uniform() - 0.5) * 1'000.0;
        worst_exp = std::max(worst_exp, std::abs(exact_math::exp(x) / std::exp(x) - 1.0));
        const double y = std::exp((random.uniform() - 0.5) * 100.0);
        const double difference = std::abs(exact_math::log(y) - std::log(y));
        worst_log = std::max(worst_log, difference / std::max(0.1, std::abs(std::log(y))));
    }
    CHECK(worst_exp < 1e-15);
    CHECK(worst_log < 1e-15);
}

TEST_CASE("exp and log at their corners") {
    CHECK(exact_math::exp(0.0) == 1.0);
    CHECK(exact_math::exp(-701.0) == 0.0);
    CHECK(exact_math::exp(1e9) == exact_math::exp(700.0));
    CHECK(exact_math::log(1.0) == 0.0);
    CHECK(exact_math::log(0x1p-53) == -53 * exact_math::kLn2);
    STATIC_REQUIRE(exact_math::exp(1.0) == 0x1.5bf0a8b145769p+1);
    CHECK(exact_math::constant_sqrt(2.0) == Approx(std::sqrt(2.0)).epsilon(1e-15));
    CHECK(exact_math::constant_sqrt(0.0625) == Approx(0.25).epsilon(1e-15));
}

}  // namespace idlesim
