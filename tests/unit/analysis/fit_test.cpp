// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/fit.hpp"

#include "tests/catch.hpp"

#include <limits>

using namespace idlesim;

namespace {

using Points = std::vector<std::vector<double>>;

template <class Model>
ResidualBatch one_by_one(Model model) {
    return [model](const Points& points) {
        Points answers;
        for (const std::vector<double>& point : points) {
            answers.push_back(model(point));
        }
        return answers;
    };
}

}  // namespace

TEST_CASE("an exactly determined linear problem is solved", "[analysis]") {
    const FitResult result =
        fit({{0, 100, 50}, {0, 100, 50}}, one_by_one([](const std::vector<double>& p) {
                return std::vector<double>{p[0] + p[1] - 30, p[0] - p[1] - 10};
            }));
    REQUIRE(result.converged);
    REQUIRE(result.values[0] == Approx(20));
    REQUIRE(result.values[1] == Approx(10));
    REQUIRE(result.cost < 1e-12);
}

TEST_CASE("a curved valley is followed to its end", "[analysis]") {
    // Rosenbrock's function.
    FitOptions options;
    options.longest = 200;
    options.step_share = 1e-4;
    const FitResult result =
        fit({{-2, 2, -1.2}, {-2, 2, 1}},
            one_by_one([](const std::vector<double>& p) {
                return std::vector<double>{10 * (p[1] - p[0] * p[0]), 1 - p[0]};
            }),
            options);
    REQUIRE(result.values[0] == Approx(1).epsilon(1e-3));
    REQUIRE(result.values[1] == Approx(1).epsilon(1e-3));
}

TEST_CASE("a bound holds, and the other parameters make the best of it", "[analysis]") {
    const FitResult result =
        fit({{0, 5, 1}, {0, 100, 1}}, one_by_one([](const std::vector<double>& p) {
                return std::vector<double>{p[0] + p[1] - 30, 3 * (p[0] - 20)};
            }));
    REQUIRE(result.values[0] == 5.0);
    REQUIRE(result.values[1] == Approx(25));
}

TEST_CASE("a parameter without influence stays where it was", "[analysis]") {
    const FitResult result =
        fit({{0, 10, 2}, {0, 10, 7}}, one_by_one([](const std::vector<double>& p) {
                return std::vector<double>{p[0] - 3, 0.5};
            }));
    REQUIRE(result.values[0] == Approx(3));
    REQUIRE(result.values[1] == 7.0);
}

TEST_CASE("a staircase as of a simulation with counted samples is fitted", "[analysis]") {
    const FitResult result = fit({{0, 1000, 100}}, one_by_one([](const std::vector<double>& p) {
                                     const auto steps = static_cast<int>(p[0] * 2);
                                     return std::vector<double>{steps / 2.0 - 700};
                                 }));
    REQUIRE(result.values[0] == Approx(700).margin(1));
}

TEST_CASE("without parameters the residuals are only looked at", "[analysis]") {
    const FitResult result = fit({}, one_by_one([](const std::vector<double>&) {
                                     return std::vector<double>{3.0, 4.0};
                                 }));
    REQUIRE(result.cost == 12.5);
    REQUIRE(result.evaluations == 1);
}

TEST_CASE("a kept linear model solves neighbours of its problem in few steps", "[analysis]") {
    const std::vector<FitParameter> parameters{{0, 10, 5}, {0, 10, 5}};
    const auto problem = [](double shift) {
        return one_by_one([shift](const std::vector<double>& p) {
            return std::vector<double>{p[0] + 0.05 * p[0] * p[0] - 4 - shift, p[1] - p[0]};
        });
    };
    const LinearModel model = LinearModel::at(parameters, {3.4, 3.4}, problem(0), 0.01);
    std::vector<double> values{3.4, 3.4};
    for (int i = 0; i < 4; ++i) {
        values = model.next(values, problem(1)({values}).front());
    }
    REQUIRE(values[0] == Approx(4.1421).epsilon(1e-3));
    REQUIRE(values[1] == Approx(values[0]).epsilon(1e-3));
}

TEST_CASE("impossible points are walked around", "[analysis]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const ResidualBatch problem = one_by_one([nan](const std::vector<double>& p) {
        return p[0] > 6.001 ? std::vector<double>{nan} : std::vector<double>{p[0] - 6};
    });
    REQUIRE(fit({{0, 10, 1}}, problem).values[0] == Approx(6).epsilon(1e-3));
    // At the edge the derivative is one-sided.
    const LinearModel model = LinearModel::at({{0, 10, 1}}, {6.0}, problem, 0.01);
    REQUIRE(model.next({5.0}, {-1.0})[0] == Approx(6));
}
