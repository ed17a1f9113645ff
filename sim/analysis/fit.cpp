// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace idlesim {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Damping factors tried in one go: they are independent, so they run side by side.
constexpr int kTrials = 4;
constexpr double kDampingStep = 10.0;
constexpr double kMostDamping = 1e9;

VectorXd to_vector(const std::vector<double>& values) {
    return VectorXd::Map(values.data(), static_cast<Index>(values.size()));
}

double scaled(const FitParameter& parameter, double value) {
    const double width = parameter.high - parameter.low;
    return width > 0 ? std::clamp((value - parameter.low) / width, 0.0, 1.0) : 0.0;
}

double unscaled(const FitParameter& parameter, double share) {
    return parameter.low + (parameter.high - parameter.low) * share;
}

VectorXd scaled(const std::vector<FitParameter>& parameters, const std::vector<double>& values) {
    VectorXd point(static_cast<Index>(parameters.size()));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        point[static_cast<Index>(i)] = scaled(parameters[i], values[i]);
    }
    return point;
}

std::vector<double> unscaled(const std::vector<FitParameter>& parameters, const VectorXd& point) {
    std::vector<double> values;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        values.push_back(unscaled(parameters[i], point[static_cast<Index>(i)]));
    }
    return values;
}

/// Step of the damped normal equations; parameters at a bound are held there while the gradient
/// points outwards.
VectorXd damped_step(const MatrixXd& slope,
                     const VectorXd& residual,
                     const VectorXd& point,
                     double damping) {
    const VectorXd gradient = slope.transpose() * residual;
    MatrixXd normal = slope.transpose() * slope;
    // A parameter without influence would make the equations singular.
    const double floor = 1e-9 * std::max(normal.diagonal().maxCoeff(), 1e-300);
    VectorXd right = -gradient;
    for (Index i = 0; i < point.size(); ++i) {
        const bool held =
            (point[i] <= 0.0 && gradient[i] > 0.0) || (point[i] >= 1.0 && gradient[i] < 0.0);
        if (held) {
            normal.row(i).setZero();
            normal.col(i).setZero();
            normal(i, i) = 1.0;
            right[i] = 0.0;
        } else {
            normal(i, i) += damping * std::max(normal(i, i), floor) + floor;
        }
    }
    return normal.ldlt().solve(right);
}

/// Infinite for a point that is impossible.
double cost_of(const VectorXd& residual) {
    const double squares = residual.squaredNorm();
    return std::isfinite(squares) ? squares : std::numeric_limits<double>::infinity();
}

/// Central difference; one-sided where the other side is impossible, zero where both are.
VectorXd difference(
    const VectorXd& down, const VectorXd& centre, const VectorXd& up, double below, double above) {
    const bool low = std::isfinite(cost_of(down)) && below > 0;
    const bool high = std::isfinite(cost_of(up)) && above > 0;
    if (!low && !high) {
        return VectorXd::Zero(centre.size());
    }
    const VectorXd rise = (high ? up : centre) - (low ? down : centre);
    return rise / ((high ? above : 0.0) + (low ? below : 0.0));
}

class LevenbergMarquardt {
public:
    LevenbergMarquardt(const std::vector<FitParameter>& parameters,
                       const ResidualBatch& residuals,
                       const FitOptions& options)
        : parameters_{parameters}, residuals_{residuals}, options_{options} {}

    FitResult run();

private:
    std::vector<VectorXd> evaluate(const std::vector<VectorXd>& points);
    MatrixXd jacobian(const VectorXd& point);
    bool improve(const MatrixXd& slope);

    const std::vector<FitParameter>& parameters_;
    const ResidualBatch& residuals_;
    FitOptions options_;
    VectorXd point_;
    VectorXd residual_;
    double damping_ = 1e-3;
    double moved_ = 0;
    int evaluations_ = 0;
};

std::vector<VectorXd> LevenbergMarquardt::evaluate(const std::vector<VectorXd>& points) {
    std::vector<std::vector<double>> asked;
    for (const VectorXd& point : points) {
        asked.push_back(unscaled(parameters_, point));
    }
    evaluations_ += static_cast<int>(asked.size());
    std::vector<VectorXd> answers;
    for (const std::vector<double>& answer : residuals_(asked)) {
        answers.push_back(to_vector(answer));
    }
    return answers;
}

MatrixXd LevenbergMarquardt::jacobian(const VectorXd& point) {
    std::vector<VectorXd> points;
    for (Index i = 0; i < point.size(); ++i) {
        for (const double sign : {-1.0, 1.0}) {
            VectorXd moved = point;
            moved[i] = std::clamp(point[i] + sign * options_.step_share, 0.0, 1.0);
            points.push_back(moved);
        }
    }
    const std::vector<VectorXd> answers = evaluate(points);
    MatrixXd slope(residual_.size(), point.size());
    for (Index i = 0; i < point.size(); ++i) {
        const auto down = static_cast<std::size_t>(2 * i);
        slope.col(i) = difference(answers[down],
                                  residual_,
                                  answers[down + 1],
                                  point[i] - points[down][i],
                                  points[down + 1][i] - point[i]);
    }
    return slope;
}

bool LevenbergMarquardt::improve(const MatrixXd& slope) {
    while (damping_ <= kMostDamping) {
        std::vector<VectorXd> trials;
        double damping = damping_ / kDampingStep;
        for (int i = 0; i < kTrials; ++i, damping *= kDampingStep) {
            const VectorXd moved = point_ + damped_step(slope, residual_, point_, damping);
            trials.push_back(moved.cwiseMax(0.0).cwiseMin(1.0));
        }
        const std::vector<VectorXd> answers = evaluate(trials);
        std::size_t best = 0;
        for (std::size_t i = 1; i < answers.size(); ++i) {
            if (cost_of(answers[i]) < cost_of(answers[best])) {
                best = i;
            }
        }
        if (cost_of(answers[best]) < cost_of(residual_)) {
            moved_ = (trials[best] - point_).cwiseAbs().maxCoeff();
            point_ = trials[best];
            residual_ = answers[best];
            for (std::size_t i = 0; i < best; ++i) {
                damping_ *= kDampingStep;
            }
            damping_ = std::max(damping_ / kDampingStep, 1e-12);
            return true;
        }
        for (int i = 0; i < kTrials; ++i) {
            damping_ *= kDampingStep;
        }
    }
    return false;
}

FitResult LevenbergMarquardt::run() {
    std::vector<double> initial;
    for (const FitParameter& parameter : parameters_) {
        initial.push_back(parameter.initial);
    }
    point_ = scaled(parameters_, initial);
    residual_ = evaluate({point_}).front();
    FitResult result;
    while (!result.converged && result.iterations < options_.longest) {
        ++result.iterations;
        const bool better = point_.size() > 0 && improve(jacobian(point_));
        result.converged = !better || moved_ < options_.tolerance;
    }
    result.values = unscaled(parameters_, point_);
    result.residuals.assign(residual_.data(), residual_.data() + residual_.size());
    result.cost = residual_.squaredNorm() / 2;
    result.evaluations = evaluations_;
    return result;
}

}  // namespace

FitResult fit(const std::vector<FitParameter>& parameters,
              const ResidualBatch& residuals,
              const FitOptions& options) {
    return LevenbergMarquardt{parameters, residuals, options}.run();
}

LinearModel::LinearModel(std::vector<FitParameter> parameters,
                         std::vector<std::vector<double>> derivatives)
    : parameters_{std::move(parameters)}, derivatives_{std::move(derivatives)} {}

LinearModel LinearModel::at(const std::vector<FitParameter>& parameters,
                            const std::vector<double>& values,
                            const ResidualBatch& residuals,
                            double step_share) {
    std::vector<std::vector<double>> points;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const FitParameter& p = parameters[i];
        for (const double sign : {-1.0, 1.0}) {
            points.push_back(values);
            points.back()[i] =
                std::clamp(values[i] + sign * step_share * (p.high - p.low), p.low, p.high);
        }
    }
    points.push_back(values);
    const std::vector<std::vector<double>> answers = residuals(points);
    const VectorXd centre = to_vector(answers.back());
    std::vector<std::vector<double>> derivatives(answers.back().size(),
                                                 std::vector<double>(parameters.size()));
    for (std::size_t j = 0; j < parameters.size(); ++j) {
        const VectorXd column = difference(to_vector(answers[2 * j]),
                                           centre,
                                           to_vector(answers[2 * j + 1]),
                                           values[j] - points[2 * j][j],
                                           points[2 * j + 1][j] - values[j]);
        for (std::size_t i = 0; i < derivatives.size(); ++i) {
            derivatives[i][j] = column[static_cast<Index>(i)];
        }
    }
    return {parameters, derivatives};
}

std::vector<double> LinearModel::next(const std::vector<double>& values,
                                      const std::vector<double>& residuals) const {
    MatrixXd slope(static_cast<Index>(residuals.size()), static_cast<Index>(parameters_.size()));
    for (std::size_t i = 0; i < residuals.size(); ++i) {
        for (std::size_t j = 0; j < parameters_.size(); ++j) {
            slope(static_cast<Index>(i), static_cast<Index>(j)) =
                derivatives_[i][j] * (parameters_[j].high - parameters_[j].low);
        }
    }
    const VectorXd point = scaled(parameters_, values);
    const VectorXd moved = point + damped_step(slope, to_vector(residuals), point, 0.0);
    return unscaled(parameters_, moved.cwiseMax(0.0).cwiseMin(1.0));
}

}  // namespace idlesim
