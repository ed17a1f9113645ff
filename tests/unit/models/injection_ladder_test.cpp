// SPDX-License-Identifier: Apache-2.0
#include "models/specjbb/injection_ladder.hpp"

#include "models/specjbb/response_times.hpp"
#include "tests/catch.hpp"

#include <cmath>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

const std::vector<Duration> kAgreements{10ms, 25ms, 50ms, 75ms, 100ms};

/// A curve on which 99 % of the requests take `percent` ms, up to 90 % of the high bound.
void climb(InjectionLadder& ladder) {
    for (auto percent = ladder.next(); percent; percent = ladder.next()) {
        LadderStep step;
        step.p99 = *percent * Duration{1ms} + Duration{500us};
        step.is_sustained = *percent <= 90;
        ladder.add(*percent, step);
    }
}

double critical(LadderSearch search, AgreementRule rule) {
    InjectionLadder ladder{search, rule, kAgreements};
    climb(ladder);
    return ladder.critical_percent();
}

}  // namespace

TEST_CASE("bisection finds what the full ladder finds, with fewer steps", "[specjbb]") {
    for (const auto rule : {AgreementRule::interpolated,
                            AgreementRule::last_success,
                            AgreementRule::mean,
                            AgreementRule::weighted}) {
        CHECK(critical(LadderSearch::bisection, rule) ==
              Approx(critical(LadderSearch::full, rule)).margin(1e-9));
    }
    InjectionLadder ladder{LadderSearch::bisection, AgreementRule::mean, kAgreements};
    climb(ladder);
    CHECK(ladder.steps().size() < 30);
}

TEST_CASE("an agreement is worth the rate at which the curve crosses it", "[specjbb]") {
    InjectionLadder ladder{LadderSearch::full, AgreementRule::interpolated, kAgreements};
    climb(ladder);
    const std::vector<double> percents = ladder.percents();
    CHECK(percents[0] == Approx(9.5));
    CHECK(percents[3] == Approx(74.5));
    // Above 90 % nothing is sustained: the last step that was counts, and no response time does.
    CHECK(percents[4] == Approx(91.0).margin(1.0));
    CHECK(ladder.steps().rbegin()->first == 91);
}

TEST_CASE("max-jOPS is the last step before the first that is not sustained", "[specjbb]") {
    for (const auto search : {LadderSearch::bisection, LadderSearch::full}) {
        InjectionLadder ladder{search, AgreementRule::interpolated, {10ms}};
        climb(ladder);
        CHECK(ladder.sustained_percent() == 90);
    }
    // A step above a failure does not count.
    InjectionLadder ladder{LadderSearch::bisection, AgreementRule::interpolated, {10ms}};
    ladder.add(40, {});
    ladder.add(41, {{}, {}, {}, false});
    ladder.add(42, {});
    CHECK(ladder.sustained_percent() == 40);
}

TEST_CASE("critical-jOPS of two published results", "[specjbb]") {
    // Rates at the five agreements, each the only step that keeps it (standard benchmark reports).
    const auto mean = [](std::vector<double> rates) {
        double logarithms = 0;
        for (const double rate : rates) {
            logarithms += std::log(rate);
        }
        return std::exp(logarithms / 5);
    };
    CHECK(std::lround(mean({1789, 2588, 2848, 3080, 3428})) == 2684);
    InjectionLadder ladder{LadderSearch::full, AgreementRule::last_success, kAgreements};
    climb(ladder);
    CHECK(ladder.critical_percent() == Approx(mean({9, 24, 49, 74, 90})));
}

TEST_CASE("quantiles of counted times are exact to a bin", "[specjbb]") {
    ResponseTimes times;
    for (int i = 1; i <= 1000; ++i) {
        times.record(i * Duration{10us});
    }
    for (const double q : {0.1, 0.5, 0.99}) {
        const auto expected = static_cast<double>(Duration{10ms}.count()) * q;
        CHECK(static_cast<double>(quantile({{&times, 1.0}}, q).count()) ==
              Approx(expected).epsilon(0.01));
    }
}

TEST_CASE("a weighted sample stands for what it was taken from", "[specjbb]") {
    ResponseTimes few;
    ResponseTimes late;
    for (int i = 0; i < 100; ++i) {
        few.record(1ms);
    }
    for (int i = 0; i < 10; ++i) {
        late.record(50ms);
    }
    // 10 of 110 are late, but only 10 of 10,010 where each of the few stands for a hundred.
    CHECK(quantile({{&few, 1.0}, {&late, 1.0}}, 0.95) > Duration{40ms});
    CHECK(quantile({{&few, 100.0}, {&late, 1.0}}, 0.99) < Duration{2ms});
}

}  // namespace idlesim
