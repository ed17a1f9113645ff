// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/distribution.hpp"

#include "sim/engine/error.hpp"
#include "sim/engine/exact_math.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace idlesim {
namespace {

void require(bool condition, const std::string& complaint) {
    if (!condition) {
        throw ParameterError{complaint};
    }
}

void require_duration(Duration value, const char* what) {
    require(value >= Duration::zero() && value <= kLongestRun,
            std::string{what} + " of a distribution lies between 0 and 100 days, not at " +
                to_text(value));
}

Duration rounded(double picoseconds) {
    constexpr auto kLongest = static_cast<double>(kLongestRun.count());
    if (picoseconds >= kLongest) {
        return kLongestRun;
    }
    const auto whole = static_cast<std::int64_t>(picoseconds);
    const bool up = picoseconds - static_cast<double>(whole) >= 0.5;
    return Duration{whole + (up ? 1 : 0)};
}

double picoseconds(Duration duration) {
    return static_cast<double>(duration.count());
}

}  // namespace

Distribution Distribution::constant(Duration value) {
    require_duration(value, "the value");
    return Distribution{Constant{value}};
}

Distribution Distribution::uniform(Duration low, Duration high) {
    require_duration(low, "the lower bound");
    require_duration(high, "the upper bound");
    require(low <= high,
            "a uniform distribution from " + to_text(low) + " to " + to_text(high) + " is empty");
    return Distribution{Uniform{low, static_cast<std::uint64_t>((high - low).count()) + 1}};
}

Distribution Distribution::exponential(Duration mean) {
    require_duration(mean, "the mean");
    return Distribution{Exponential{picoseconds(mean)}};
}

Distribution Distribution::log_normal(Duration median, double sigma) {
    require_duration(median, "the median");
    require(sigma >= 0.0 && sigma <= 10.0,
            "sigma of a log-normal distribution lies between 0 and 10, not at " +
                std::to_string(sigma));
    return Distribution{LogNormal{picoseconds(median), sigma}};
}

Distribution Distribution::gamma(double shape, Duration mean) {
    require_duration(mean, "the mean");
    require(shape >= 1e-3 && shape <= 1e9,
            "the shape of a gamma distribution lies between 0.001 and 1e9, not at " +
                std::to_string(shape));
    return Distribution{Gamma{UnitGamma{shape}, picoseconds(mean) / shape}};
}

Distribution Distribution::mixture(std::vector<std::pair<double, Distribution>> parts) {
    require(!parts.empty(), "a mixture needs at least one part");
    double total = 0.0;
    for (const auto& [weight, part] : parts) {
        require(weight >= 0.0 && weight <= 1e9,
                "a weight of a mixture lies between 0 and 1e9, not at " + std::to_string(weight));
        total += weight;
    }
    require(total > 0.0, "the weights of a mixture are all zero");
    Mixture mixture;
    double cumulative = 0.0;
    for (std::pair<double, Distribution>& entry : parts) {
        const double weight = entry.first;
        cumulative += weight;
        mixture.thresholds.push_back(probability_threshold(std::min(1.0, cumulative / total)));
        mixture.weights.push_back(weight / total);
        mixture.parts.push_back(std::move(entry.second));
    }
    return Distribution{std::move(mixture)};
}

Distribution Distribution::shifted(Duration offset, Distribution base) {
    require_duration(offset, "the offset");
    Shifted shifted{offset, {}};
    shifted.base.push_back(std::move(base));
    return Distribution{std::move(shifted)};
}

Distribution Distribution::empirical(std::vector<Duration> sorted_values) {
    require(!sorted_values.empty(), "an empirical distribution needs at least one value");
    require(std::is_sorted(sorted_values.begin(), sorted_values.end()),
            "the values of an empirical distribution must be sorted");
    require_duration(sorted_values.front(), "the smallest value");
    require_duration(sorted_values.back(), "the largest value");
    return Distribution{Empirical{std::move(sorted_values)}};
}

Duration Distribution::sample_random(RandomStream& random) const {
    return std::visit([&random](const auto& shape) { return draw(shape, random); }, shape_);
}

Duration Distribution::draw(const Constant& shape, RandomStream& /*random*/) {
    return shape.value;
}

Duration Distribution::draw(const Uniform& shape, RandomStream& random) {
    return shape.low + Duration{static_cast<std::int64_t>(random.below(shape.span))};
}

Duration Distribution::draw(const Exponential& shape, RandomStream& random) {
    return rounded(shape.mean * unit_exponential(random));
}

Duration Distribution::draw(const LogNormal& shape, RandomStream& random) {
    return rounded(shape.median * exact_math::exp(shape.sigma * standard_normal(random)));
}

Duration Distribution::draw(const Gamma& shape, RandomStream& random) {
    return rounded(shape.scale * shape.variate(random));
}

Duration Distribution::draw(const Mixture& shape, RandomStream& random) {
    const std::uint64_t place = random.bits() >> 1U;
    std::size_t part = 0;
    while (part + 1 < shape.parts.size() && place >= shape.thresholds[part]) {
        ++part;
    }
    return shape.parts[part].sample(random);
}

Duration Distribution::draw(const Shifted& shape, RandomStream& random) {
    return std::min(kLongestRun - shape.offset, shape.base.front().sample(random)) + shape.offset;
}

Duration Distribution::draw(const Empirical& shape, RandomStream& random) {
    const double place = random.uniform() * static_cast<double>(shape.values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const Duration low = shape.values[below];
    const Duration high = shape.values[std::min(below + 1, shape.values.size() - 1)];
    return low + rounded(picoseconds(high - low) * (place - static_cast<double>(below)));
}

Duration Distribution::mean() const {
    return rounded(std::visit([](const auto& shape) { return mean_of(shape); }, shape_));
}

double Distribution::mean_of(const Constant& shape) {
    return picoseconds(shape.value);
}

double Distribution::mean_of(const Uniform& shape) {
    return picoseconds(shape.low) + 0.5 * static_cast<double>(shape.span - 1);
}

double Distribution::mean_of(const Exponential& shape) {
    return shape.mean;
}

double Distribution::mean_of(const LogNormal& shape) {
    return shape.median * exact_math::exp(0.5 * shape.sigma * shape.sigma);
}

double Distribution::mean_of(const Gamma& shape) {
    return shape.scale * shape.variate.shape();
}

double Distribution::mean_of(const Mixture& shape) {
    double mean = 0.0;
    for (std::size_t i = 0; i < shape.parts.size(); ++i) {
        mean += shape.weights[i] * picoseconds(shape.parts[i].mean());
    }
    return mean;
}

double Distribution::mean_of(const Shifted& shape) {
    return picoseconds(shape.offset) + picoseconds(shape.base.front().mean());
}

double Distribution::mean_of(const Empirical& shape) {
    if (shape.values.size() == 1) {
        return picoseconds(shape.values.front());
    }
    double sum = -0.5 * (picoseconds(shape.values.front()) + picoseconds(shape.values.back()));
    for (const Duration value : shape.values) {
        sum += picoseconds(value);
    }
    return sum / static_cast<double>(shape.values.size() - 1);
}

}  // namespace idlesim
