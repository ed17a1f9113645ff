// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/variates.hpp"

#include "sim/engine/exact_math.hpp"

#include <cmath>

namespace idlesim {
namespace {

struct ExponentialCurve {
    // Start of the tail and area of each of the 256 layers: the solution of
    // area = (tail + 1) exp(-tail) for which the topmost layer ends at density 1.
    static constexpr double kTail = 7.69711747013104972;
    static constexpr double kArea = 0.0039496598225815571993;

    static constexpr double density(double x) { return exact_math::exp(-x); }

    static constexpr double place(double density) { return -exact_math::log(density); }
};

struct NormalCurve {
    // As above, with area = tail exp(-tail^2 / 2) + integral of the curve beyond the tail.
    static constexpr double kTail = 3.6541528853610088;
    static constexpr double kArea = 0.00492867323399;

    static constexpr double density(double x) { return exact_math::exp(-0.5 * x * x); }

    static constexpr double place(double density) {
        return exact_math::constant_sqrt(-2.0 * exact_math::log(density));
    }
};

template <class Curve>
constexpr Ziggurat make_ziggurat() {
    constexpr double kRange = 0x1p53;
    std::array<double, Ziggurat::kLayers + 1> edges{};
    // The lowest layer includes the tail: as wide as a rectangle of its area would be.
    edges[0] = Curve::kArea / Curve::density(Curve::kTail);
    edges[1] = Curve::kTail;
    for (std::size_t i = 2; i < Ziggurat::kLayers; ++i) {
        edges[i] = Curve::place(Curve::density(edges[i - 1]) + Curve::kArea / edges[i - 1]);
    }
    edges[Ziggurat::kLayers] = 0.0;

    Ziggurat ziggurat{};
    for (std::size_t i = 0; i < Ziggurat::kLayers; ++i) {
        ziggurat.layers[i] = {static_cast<std::uint64_t>(edges[i + 1] / edges[i] * kRange),
                              edges[i] / kRange};
    }
    for (std::size_t i = 0; i <= Ziggurat::kLayers; ++i) {
        ziggurat.density[i] = Curve::density(edges[i]);
    }
    return ziggurat;
}

// Whether a point at `x`, at random height inside the layer, lies under the curve.
bool is_under(const Ziggurat& ziggurat, std::size_t layer, double density, RandomStream& random) {
    const double low = ziggurat.density[layer];
    const double high = ziggurat.density[layer + 1];
    return low + random.uniform() * (high - low) < density;
}

// The tail beyond the lowest layer (Marsaglia, "Generating a variable from the tail of the normal
// distribution", 1964).
double normal_tail(RandomStream& random) {
    for (;;) {
        const double beyond = unit_exponential(random) / NormalCurve::kTail;
        if (2.0 * unit_exponential(random) > beyond * beyond) {
            return NormalCurve::kTail + beyond;
        }
    }
}

}  // namespace

constexpr Ziggurat kExponentialZiggurat = make_ziggurat<ExponentialCurve>();
constexpr Ziggurat kNormalZiggurat = make_ziggurat<NormalCurve>();

double exponential_at_edge(RandomStream& random, std::uint64_t bits) {
    const std::size_t layer = bits % Ziggurat::kLayers;
    if (layer == 0) {
        return ExponentialCurve::kTail + unit_exponential(random);  // it has no memory
    }
    const double x = static_cast<double>(bits >> 11U) * kExponentialZiggurat.layers[layer].width;
    if (is_under(kExponentialZiggurat, layer, ExponentialCurve::density(x), random)) {
        return x;
    }
    return unit_exponential(random);
}

double normal_at_edge(RandomStream& random, std::uint64_t bits) {
    const std::size_t layer = bits % Ziggurat::kLayers;
    if (layer == 0) {
        return with_sign_of(bits, normal_tail(random));
    }
    const double x = static_cast<double>(bits >> 11U) * kNormalZiggurat.layers[layer].width;
    if (is_under(kNormalZiggurat, layer, NormalCurve::density(x), random)) {
        return with_sign_of(bits, x);
    }
    return standard_normal(random);
}

// Marsaglia and Tsang, "A simple method for generating gamma variables", 2000. A shape below 1 is
// drawn as shape + 1 times U^(1/shape), and log U is an exponential.
UnitGamma::UnitGamma(double shape)
    : shape_{shape},
      d_{(shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0},
      c_{1.0 / std::sqrt(9.0 * d_)} {}

double UnitGamma::operator()(RandomStream& random) const {
    const double boost = shape_ < 1.0 ? exact_math::exp(-unit_exponential(random) / shape_) : 1.0;
    for (;;) {
        const double x = standard_normal(random);
        const double root = 1.0 + c_ * x;
        if (root <= 0.0) {
            continue;
        }
        const double v = root * root * root;
        const double u = 1.0 - random.uniform();
        const double square = x * x;
        if (u < 1.0 - 0.0331 * square * square ||
            exact_math::log(u) < 0.5 * square + d_ * (1.0 - v + exact_math::log(v))) {
            return boost * d_ * v;
        }
    }
}

}  // namespace idlesim
