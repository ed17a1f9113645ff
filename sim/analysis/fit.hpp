// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace idlesim {

struct FitParameter {
    double low = 0;
    double high = 0;
    double initial = 0;
};

/// Residuals of many points of the parameter space, in the order of the points; called with all
/// the points that are needed next, so that they may be computed in parallel. Every point must give
/// the same number of residuals; NaN ones mark a point that is impossible.
using ResidualBatch =
    std::function<std::vector<std::vector<double>>(const std::vector<std::vector<double>>&)>;

struct FitOptions {
    int longest = 40;          ///< iterations
    double step_share = 0.01;  ///< step of the derivative, as a share of high - low
    double tolerance = 1e-6;   ///< ends when a step is smaller, as a share of high - low
};

struct FitResult {
    std::vector<double> values;
    std::vector<double> residuals;  ///< at `values`
    double cost = 0;                ///< half the sum of their squares
    int iterations = 0;
    int evaluations = 0;  ///< points asked for
    bool converged = false;
};

/// Least squares within bounds: Levenberg-Marquardt in coordinates scaled to [0, 1], central
/// differences, steps clipped to the box, parameters at a bound held there while the gradient
/// points outwards. Deterministic. The wide difference step is meant for a simulation under common
/// random numbers, which is smooth only at that scale.
[[nodiscard]] FitResult fit(const std::vector<FitParameter>& parameters,
                            const ResidualBatch& residuals,
                            const FitOptions& options = {});

/// The same problem seen from close by: the derivatives at one place, kept. Good for solving many
/// slightly different problems with few evaluations (the chord method).
class LinearModel {
public:
    /// `derivatives[i][j]`: of residual i by parameter j.
    LinearModel(std::vector<FitParameter> parameters, std::vector<std::vector<double>> derivatives);

    /// Central differences at `values`; one batch of two points per parameter and the place itself.
    static LinearModel at(const std::vector<FitParameter>& parameters,
                          const std::vector<double>& values,
                          const ResidualBatch& residuals,
                          double step_share);

    /// Where the least squares of the linear problem are, seen from `values` with `residuals`
    /// there; within the bounds.
    [[nodiscard]] std::vector<double> next(const std::vector<double>& values,
                                           const std::vector<double>& residuals) const;

private:
    std::vector<FitParameter> parameters_;
    std::vector<std::vector<double>> derivatives_;
};

}  // namespace idlesim
