// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/random.hpp"
#include "sim/engine/time.hpp"
#include "sim/engine/variates.hpp"

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace idlesim {

/// A random duration. A value: copies are independent, sampling allocates nothing. Samples are
/// rounded to whole picoseconds and lie in [0, kLongestRun]; longer ones are cut to that.
///
/// Draws are bit-identical on every machine, compiler and optimization level: only + - * / and
/// sqrt on doubles, which IEEE 754 defines exactly, and integers; no library function. That needs
/// -ffp-contract=off, which the build sets.
///
/// The factories throw ParameterError, for negative or too long durations among others.
class Distribution {
public:
    static Distribution constant(Duration value);

    /// Every picosecond from `low` to `high`, both included, alike.
    static Distribution uniform(Duration low, Duration high);

    static Distribution exponential(Duration mean);

    /// `sigma` is the standard deviation of the logarithm.
    static Distribution log_normal(Duration median, double sigma);

    static Distribution gamma(double shape, Duration mean);

    /// Draws from one of the parts. Weights are relative and need not add up to 1.
    static Distribution mixture(std::vector<std::pair<double, Distribution>> parts);

    static Distribution shifted(Duration offset, Distribution base);

    /// Linear interpolation between the given values, which are equally far apart in probability;
    /// the first is the minimum, the last the maximum. They must be sorted.
    static Distribution empirical(std::vector<Duration> sorted_values);

    Duration sample(RandomStream& random) const {
        if (const auto* constant = std::get_if<Constant>(&shape_)) {
            return constant->value;
        }
        return sample_random(random);
    }

    /// Of the distribution before rounding and cutting, to the picosecond up to about an hour.
    [[nodiscard]] Duration mean() const;

private:
    struct Constant {
        Duration value;
    };

    struct Uniform {
        Duration low;
        std::uint64_t span;  // number of values
    };

    struct Exponential {
        double mean;
    };

    struct LogNormal {
        double median;
        double sigma;
    };

    struct Gamma {
        UnitGamma variate;
        double scale;
    };

    struct Mixture {
        std::vector<std::uint64_t> thresholds;  // cumulative weight in units of 2^-63; the last: 1
        std::vector<double> weights;            // add up to 1
        std::vector<Distribution> parts;
    };

    struct Shifted {
        Duration offset;
        std::vector<Distribution> base;  // exactly one; a vector, since the type is incomplete here
    };

    struct Empirical {
        std::vector<Duration> values;  // at least one
    };

    using Shape =
        std::variant<Constant, Uniform, Exponential, LogNormal, Gamma, Mixture, Shifted, Empirical>;

    explicit Distribution(Shape shape) : shape_{std::move(shape)} {}

    static Duration draw(const Constant& shape, RandomStream& random);
    static Duration draw(const Uniform& shape, RandomStream& random);
    static Duration draw(const Exponential& shape, RandomStream& random);
    static Duration draw(const LogNormal& shape, RandomStream& random);
    static Duration draw(const Gamma& shape, RandomStream& random);
    static Duration draw(const Mixture& shape, RandomStream& random);
    static Duration draw(const Shifted& shape, RandomStream& random);
    static Duration draw(const Empirical& shape, RandomStream& random);

    static double mean_of(const Constant& shape);
    static double mean_of(const Uniform& shape);
    static double mean_of(const Exponential& shape);
    static double mean_of(const LogNormal& shape);
    static double mean_of(const Gamma& shape);
    static double mean_of(const Mixture& shape);
    static double mean_of(const Shifted& shape);
    static double mean_of(const Empirical& shape);

    Duration sample_random(RandomStream& random) const;

    Shape shape_;
};

}  // namespace idlesim
