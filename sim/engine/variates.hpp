// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/random.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace idlesim {

/// Tables of a ziggurat (Marsaglia and Tsang, "The ziggurat method for generating random
/// variables", 2000; in the form of Doornik, 2005) with 256 layers and 53 random bits, taken from
/// other bits than the number of the layer.
struct Ziggurat {
    static constexpr std::size_t kLayers = 256;

    struct Layer {
        std::uint64_t inside;  // below this, the point lies inside the curve for certain
        double width;          // of the layer, in units of 2^-53
    };

    std::array<Layer, kLayers> layers;
    std::array<double, kLayers + 1> density;  // at the layers' right edges
};

extern const Ziggurat kExponentialZiggurat;
extern const Ziggurat kNormalZiggurat;

/// The rare ways through the ziggurats: edges and tails.
double exponential_at_edge(RandomStream& random, std::uint64_t bits);
double normal_at_edge(RandomStream& random, std::uint64_t bits);

/// Exponential with mean 1; costs one draw of bits in 98.9 % of the cases.
inline double unit_exponential(RandomStream& random) {
    const std::uint64_t bits = random.bits();
    const Ziggurat::Layer layer = kExponentialZiggurat.layers[bits % Ziggurat::kLayers];
    const std::uint64_t place = bits >> 11U;
    if (place < layer.inside) [[likely]] {
        return static_cast<double>(place) * layer.width;
    }
    return exponential_at_edge(random, bits);
}

/// `magnitude` with a sign from the bit above the number of the layer; without a branch, since
/// no processor can predict it.
inline double with_sign_of(std::uint64_t bits, double magnitude) {
    const std::uint64_t sign = (bits & Ziggurat::kLayers) << 55U;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | sign);
}

/// Normal with mean 0 and standard deviation 1; costs one draw of bits in 98.8 % of the cases.
inline double standard_normal(RandomStream& random) {
    const std::uint64_t bits = random.bits();
    const Ziggurat::Layer layer = kNormalZiggurat.layers[bits % Ziggurat::kLayers];
    const std::uint64_t place = bits >> 11U;
    if (place < layer.inside) [[likely]] {
        return with_sign_of(bits, static_cast<double>(place) * layer.width);
    }
    return normal_at_edge(random, bits);
}

/// Gamma with scale 1.
class UnitGamma {
public:
    /// `shape` > 0.
    explicit UnitGamma(double shape);

    [[nodiscard]] double shape() const { return shape_; }

    double operator()(RandomStream& random) const;

private:
    double shape_;
    double d_;
    double c_;
};

}  // namespace idlesim
