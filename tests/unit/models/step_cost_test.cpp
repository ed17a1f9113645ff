// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/step_cost.hpp"

#include "tests/catch.hpp"
#include "tests/support/plain_platform.hpp"

#include <cmath>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

constexpr int kDraws = 200'000;

PlatformSpec platform_with(const Cost& cost, const StepClass& step_class) {
    PlatformSpec platform;
    platform.name = "one cost";
    platform.step_classes.entries.push_back({"kernel", {}, step_class});
    platform.costs.entries.push_back({"step", {}, cost});
    return platform;
}

/// Mean of many draws of the only cost, in ns.
double mean_draw(const PlatformSpec& platform, Duration line = Duration::zero()) {
    const CostTable table{platform};
    StepCost step{table.cost(table.id("step")), RandomStream{1, "test"}};
    step.set_line_transfer(line);
    double sum = 0.0;
    for (int i = 0; i < kDraws; ++i) {
        sum += static_cast<double>(step.draw().count());
    }
    return sum / kDraws / 1000.0;
}

/// Four standard errors of a Bernoulli addition, in ns.
double noise(double probability, double extra_ns) {
    return 4.0 * extra_ns * std::sqrt(probability / kDraws);
}

}  // namespace

TEST_CASE("a cost without class or spread is its value", "[cost]") {
    Cost cost;
    cost.value = 123ns;
    CHECK(mean_draw(platform_with(cost, {})) == 123.0);
}

TEST_CASE("lines come from the peer at its distance, whatever the class", "[cost]") {
    Cost cost;
    cost.value = 100ns;
    cost.lines = 3;
    cost.step_class = "kernel";
    StepClass twice;
    twice.factor.value = {2.0};
    CHECK(mean_draw(platform_with(cost, twice), 40ns) == 200.0 + 3 * 40.0);
}

TEST_CASE("a cold step takes its factor on top with its probability", "[cost]") {
    Cost cost;
    cost.value = 100ns;
    cost.step_class = "kernel";
    StepClass cold;
    cold.factor.value = {1.5};
    cold.cold_probability.value = {0.25};
    cold.cold_factor.value = {2.0};
    CHECK(mean_draw(platform_with(cost, cold)) ==
          Approx(150.0 + 0.25 * 300.0).margin(noise(0.25, 300.0)));
}

TEST_CASE("a miss takes a time that does not depend on the step, and adds to the cold share",
          "[cost]") {
    Cost cost;
    cost.value = 100ns;
    cost.step_class = "kernel";
    StepClass both;
    both.cold_probability.value = {0.2};
    both.cold_factor.value = {1.0};
    both.miss_probability.value = {0.1};
    both.miss_extra.value = 400ns;
    CHECK(mean_draw(platform_with(cost, both)) ==
          Approx(100.0 + 0.2 * 100.0 + 0.1 * 400.0).margin(noise(0.1, 600.0)));
}

TEST_CASE("the second mode of a transition comes with its probability", "[cost]") {
    Cost cost;
    cost.value = 500ns;
    cost.second_mode = SecondMode{{0.3}, 400ns, {}};
    CHECK(mean_draw(platform_with(cost, {})) ==
          Approx(500.0 + 0.3 * 400.0).margin(noise(0.3, 400.0)));
}

TEST_CASE("jitter adds its mean", "[cost]") {
    Cost cost;
    cost.value = 50ns;
    cost.jitter = 200ns;
    CHECK(mean_draw(platform_with(cost, {})) == Approx(250.0).margin(noise(1.0, 200.0)));
}

TEST_CASE("a cost that the platform does not give is named", "[cost]") {
    const CostTable table{platform_with(Cost{}, {})};
    CHECK(table.id("") == kFree);
    CHECK_THROWS_WITH(table.id("hlt_exit"), Catch::Matchers::ContainsSubstring("'hlt_exit'"));
}

TEST_CASE("platforms whose numbers contradict each other are refused", "[platform]") {
    config::Diagnostics diagnostics;
    Cost cost;
    cost.value = 100ns;
    cost.source = "test";
    SECTION("a fitted cost without calibration") {
        cost.basis = Basis::fitted;
    }
    SECTION("an assumed cost without range") {
        cost.basis = Basis::assumed;
    }
    SECTION("a range that does not hold the value") {
        cost.basis = Basis::documented;
        cost.range = std::vector<Duration>{200ns, 300ns};
    }
    SECTION("a step class that does not exist") {
        cost.basis = Basis::documented;
        cost.step_class = "kernle";
    }
    SECTION("a second mode that is more than certain") {
        cost.basis = Basis::documented;
        cost.second_mode = SecondMode{{1.5}, 1ns, {}};
    }
    check(platform_with(cost, {}), diagnostics);
    CHECK(diagnostics.has_errors());
}

}  // namespace idlesim
