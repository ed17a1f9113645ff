// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/distribution.hpp"

#include "sim/engine/error.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace idlesim {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kDraws = 400'000;

struct Draws {
    explicit Draws(const Distribution& distribution) {
        RandomStream random{7, "distribution test"};
        values.reserve(kDraws);
        for (std::size_t i = 0; i < kDraws; ++i) {
            values.push_back(static_cast<double>(distribution.sample(random).count()));
        }
        std::sort(values.begin(), values.end());
        for (const double value : values) {
            mean += value / static_cast<double>(kDraws);
        }
        for (const double value : values) {
            variance += (value - mean) * (value - mean) / static_cast<double>(kDraws);
        }
    }

    // Share of values at or below x; its standard deviation is below 0.0008.
    [[nodiscard]] double cdf(double x) const {
        const auto above = std::upper_bound(values.begin(), values.end(), x);
        return static_cast<double>(above - values.begin()) / static_cast<double>(kDraws);
    }

    std::vector<double> values;
    double mean = 0.0;
    double variance = 0.0;
};

constexpr double kCdfMargin = 0.004;

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

std::vector<std::int64_t> first_draws(const Distribution& distribution) {
    RandomStream random{42, "pinned"};
    std::vector<std::int64_t> draws(4);
    for (std::int64_t& draw : draws) {
        draw = distribution.sample(random).count();
    }
    return draws;
}

// Hash of enough draws to pass through edges and tails.
std::uint64_t fingerprint(const Distribution& distribution) {
    RandomStream random{42, "pinned"};
    std::uint64_t hash = 0;
    for (int i = 0; i < 100'000; ++i) {
        hash = hash * 0x9e3779b97f4a7c15ULL +
               static_cast<std::uint64_t>(distribution.sample(random).count());
    }
    return hash;
}

Distribution two_peaks() {
    return Distribution::mixture(
        {{3.0, Distribution::constant(1us)}, {1.0, Distribution::exponential(8us)}});
}

}  // namespace

TEST_CASE("a constant is constant") {
    CHECK(Distribution::constant(3us).mean() == 3us);
    CHECK(first_draws(Distribution::constant(3us)).back() == 3'000'000);
}

TEST_CASE("uniform includes both ends and nothing else") {
    const auto narrow = Distribution::uniform(Duration{5}, Duration{8});
    const Draws draws{narrow};
    CHECK(draws.values.front() == 5.0);
    CHECK(draws.values.back() == 8.0);
    CHECK(draws.mean == Approx(6.5).margin(0.01));
    CHECK(draws.variance == Approx(1.25).margin(0.01));
    CHECK(Distribution::uniform(1us, 2us).mean() == Duration{1'500'000});
    CHECK(Distribution::uniform(Duration{7}, Duration{7}).mean() == Duration{7});
    CHECK(Distribution::uniform(Duration{0}, kLongestRun).mean() == kLongestRun / 2);
}

TEST_CASE("exponential has its mean, variance and quantiles") {
    const auto distribution = Distribution::exponential(2us);
    const Draws draws{distribution};
    CHECK(distribution.mean() == 2us);
    CHECK(draws.mean == Approx(2e6).epsilon(0.008));
    CHECK(draws.variance == Approx(4e12).epsilon(0.025));
    for (const double x : {0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 7.5, 9.0}) {
        CHECK(draws.cdf(x * 2e6) == Approx(1.0 - std::exp(-x)).margin(kCdfMargin));
    }
    // Beyond the ziggurat's tail, at 7.697 means.
    const double tail = 1.0 - draws.cdf(7.8 * 2e6);
    CHECK(tail * kDraws == Approx(std::exp(-7.8) * kDraws).margin(60.0));
}

TEST_CASE("log-normal has its mean, median and quantiles") {
    const auto distribution = Distribution::log_normal(3us, 0.5);
    const Draws draws{distribution};
    CHECK(static_cast<double>(distribution.mean().count()) == Approx(3e6 * std::exp(0.125)));
    CHECK(draws.mean == Approx(3e6 * std::exp(0.125)).epsilon(0.005));
    CHECK(draws.variance == Approx(9e12 * std::exp(0.25) * (std::exp(0.25) - 1.0)).epsilon(0.025));
    for (const double z : {-3.7, -3.0, -2.0, -1.0, -0.3, 0.0, 0.3, 1.0, 2.0, 3.0, 3.7}) {
        CHECK(draws.cdf(3e6 * std::exp(0.5 * z)) == Approx(normal_cdf(z)).margin(kCdfMargin));
    }
    CHECK(first_draws(Distribution::log_normal(3us, 0.0)).front() == 3'000'000);
}

TEST_CASE("gamma has its mean, variance and, for whole shapes, its quantiles") {
    for (const double shape : {0.3, 1.0, 2.0, 7.5, 100.0}) {
        const auto distribution = Distribution::gamma(shape, 4us);
        const Draws draws{distribution};
        CHECK(distribution.mean() == 4us);
        CHECK(draws.mean == Approx(4e6).epsilon(0.01));
        CHECK(draws.variance == Approx(16e12 / shape).epsilon(0.03));
    }
    const Draws erlang{Distribution::gamma(2.0, 4us)};
    for (const double x : {0.1, 0.5, 1.0, 2.0, 4.0, 8.0}) {
        CHECK(erlang.cdf(x * 2e6) == Approx(1.0 - std::exp(-x) * (1.0 + x)).margin(kCdfMargin));
    }
}

TEST_CASE("a mixture draws its parts by weight") {
    const Draws draws{two_peaks()};
    CHECK(two_peaks().mean() == Duration{2'750'000});
    CHECK(draws.mean == Approx(2.75e6).epsilon(0.02));
    const double at_one = draws.cdf(1e6) - draws.cdf(1e6 - 1.0);
    CHECK(at_one == Approx(0.75).margin(kCdfMargin));
    const auto never = Distribution::mixture(
        {{1.0, Distribution::constant(1us)}, {0.0, Distribution::constant(2us)}});
    CHECK(Draws{never}.values.back() == 1e6);
}

TEST_CASE("shifted adds its offset, up to the longest run") {
    const auto distribution = Distribution::shifted(5us, Distribution::exponential(1us));
    CHECK(distribution.mean() == 6us);
    CHECK(Draws{distribution}.values.front() >= 5e6);
    const auto long_one = Distribution::shifted(5us, Distribution::constant(kLongestRun));
    CHECK(first_draws(long_one).front() == kLongestRun.count());
}

TEST_CASE("empirical interpolates between its values") {
    const auto distribution = Distribution::empirical({1us, 2us, 2us, 10us});
    const Draws draws{distribution};
    CHECK(distribution.mean() == Duration{3'166'667});
    CHECK(draws.mean == Approx(9.5e6 / 3.0).epsilon(0.01));
    CHECK(draws.values.front() >= 1e6);
    CHECK(draws.values.back() <= 10e6);
    CHECK(draws.cdf(1.5e6) == Approx(1.0 / 6.0).margin(kCdfMargin));
    CHECK(draws.cdf(2e6) == Approx(2.0 / 3.0).margin(kCdfMargin));
    CHECK(draws.cdf(6e6) == Approx(5.0 / 6.0).margin(kCdfMargin));
    CHECK(first_draws(Distribution::empirical({4us})).front() == 4'000'000);
    CHECK(Distribution::empirical({4us}).mean() == 4us);
}

TEST_CASE("samples are cut to the longest run") {
    CHECK(Draws{Distribution::log_normal(kLongestRun, 3.0)}.values.back() ==
          static_cast<double>(kLongestRun.count()));
}

TEST_CASE("draws are the same for ever, on every machine") {
    using List = std::vector<std::int64_t>;
    CHECK(first_draws(Distribution::uniform(1us, 9us)) == List{8229648, 7149043, 8292203, 3266416});
    CHECK(first_draws(Distribution::exponential(1ms)) ==
          List{2053724984, 995804572, 1293878000, 2180609003});
    CHECK(first_draws(Distribution::log_normal(1ms, 0.4)) ==
          List{514551791, 1500848832, 1662655627, 660940425});
    CHECK(first_draws(Distribution::gamma(2.5, 1ms)) ==
          List{210396544, 1851107708, 516733960, 1169376862});
    CHECK(first_draws(Distribution::gamma(0.4, 1ms)) ==
          List{36760494, 5311163, 339381329, 1629605497});
    CHECK(first_draws(two_peaks()) == List{7966437, 17444872, 1000000, 5862132});
    CHECK(first_draws(Distribution::empirical({1us, 3us, 4us})) ==
          List{3807412, 3537261, 3823051, 2133208});
}

TEST_CASE("long sequences of draws, edges and tails included, are the same for ever") {
    CHECK(fingerprint(Distribution::uniform(1us, 9us)) == 0x3f832b9a0c8a6f08ULL);
    CHECK(fingerprint(Distribution::exponential(1ms)) == 0x759c5498afdeb28fULL);
    CHECK(fingerprint(Distribution::log_normal(1ms, 0.4)) == 0x825310d4076b192dULL);
    CHECK(fingerprint(Distribution::gamma(2.5, 1ms)) == 0xa0ac68766f615ea7ULL);
    CHECK(fingerprint(Distribution::gamma(0.4, 1ms)) == 0x41cc2dab90bfbf99ULL);
    CHECK(fingerprint(two_peaks()) == 0xbdc6a1515ea8fbe5ULL);
    CHECK(fingerprint(Distribution::empirical({1us, 3us, 4us})) == 0xf1006b889fe2be7bULL);
}

TEST_CASE("parameters that make no sense are refused") {
    CHECK_THROWS_AS(Distribution::constant(-1us), ParameterError);
    CHECK_THROWS_AS(Distribution::uniform(2us, 1us), ParameterError);
    CHECK_THROWS_AS(Distribution::exponential(-1us), ParameterError);
    CHECK_THROWS_AS(Distribution::exponential(Duration::max()), ParameterError);
    CHECK_THROWS_AS(Distribution::log_normal(1us, -0.1), ParameterError);
    CHECK_THROWS_AS(Distribution::log_normal(1us, std::nan("")), ParameterError);
    CHECK_THROWS_AS(Distribution::gamma(0.0, 1us), ParameterError);
    CHECK_THROWS_AS(Distribution::mixture({}), ParameterError);
    CHECK_THROWS_AS(Distribution::mixture({{0.0, Distribution::constant(1us)}}), ParameterError);
    CHECK_THROWS_AS(Distribution::mixture({{-1.0, Distribution::constant(1us)}}), ParameterError);
    CHECK_THROWS_AS(Distribution::shifted(-1us, Distribution::constant(1us)), ParameterError);
    CHECK_THROWS_AS(Distribution::empirical({}), ParameterError);
    CHECK_THROWS_AS(Distribution::empirical({2us, 1us}), ParameterError);
}

}  // namespace idlesim
