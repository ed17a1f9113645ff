// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

/// Elementary functions from + - * / alone, so that results are bit-identical on every machine
/// with IEEE 754 doubles; the C library's differ between versions. Errors are a few units in the
/// last place. Needs -ffp-contract=off.
namespace idlesim::exact_math {

#ifdef __FAST_MATH__
#error "idlesim promises bit-identical results, which -ffast-math breaks"
#endif

inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
// ln 2 = high + low; high has 21 trailing zero bits, so its product with an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42fee00000p-1;
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// Natural logarithm of a positive, normal, finite number.
constexpr double log(double x) {
    constexpr std::uint64_t kMantissa = 0x000f'ffff'ffff'ffffULL;
    constexpr std::uint64_t kExponentOfOne = 0x3ff0'0000'0000'0000ULL;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    auto exponent = static_cast<std::int64_t>(bits >> 52U) - 1023;
    auto mantissa = std::bit_cast<double>((bits & kMantissa) | kExponentOfOne);
    if (mantissa > 0x1.6a09e667f3bcdp+0) {  // sqrt(2)
        mantissa *= 0.5;
        ++exponent;
    }
    // log(m) = 2 artanh(s), |s| < 0.172: the series is cut below 2^-60.
    const double s = (mantissa - 1.0) / (mantissa + 1.0);
    const double z = s * s;
    double sum = 0.0;
    for (int odd = 21; odd >= 3; odd -= 2) {
        sum = z * (sum + 1.0 / odd);
    }
    const auto e = static_cast<double>(exponent);
    return e * kLn2High + (2.0 * s + (2.0 * s * sum + e * kLn2Low));
}

namespace detail {

inline constexpr std::size_t kRoots = 64;

// 2^(i/64), by the Taylor series of exp.
constexpr std::array<double, kRoots> make_roots() {
    std::array<double, kRoots> roots{};
    for (std::size_t i = 0; i < kRoots; ++i) {
        const double x = kLn2 * static_cast<double>(i) / static_cast<double>(kRoots);
        double sum = 1.0;
        for (int term = 20; term >= 1; --term) {
            sum = 1.0 + sum * x / term;
        }
        roots.at(i) = sum;
    }
    return roots;
}

inline constexpr std::array<double, kRoots> kRootsOfTwo = make_roots();

}  // namespace detail

/// Exponential function; 0 below -700, and limited to exp(700) above.
constexpr double exp(double x) {
    constexpr double kLimit = 700.0;
    if (x < -kLimit) {
        return 0.0;
    }
    x = x > kLimit ? kLimit : x;
    constexpr auto kSteps = static_cast<double>(detail::kRoots);
    // Adding 1.5 x 2^52 rounds to an integer, which is then in the low bits.
    constexpr double kRounder = 0x1.8p52;
    const double rounded = x * (kSteps / kLn2) + kRounder;
    const auto k = static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(rounded) & 0xffff'ffffU);
    const double steps = rounded - kRounder;
    const double r = (x - steps * (kLn2High / kSteps)) - steps * (kLn2Low / kSteps);
    // |r| < 0.0055: the series is cut below 2^-54.
    const double tail = r * r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120))));
    const double root = detail::kRootsOfTwo[static_cast<std::size_t>(k) % detail::kRoots];
    const auto exponent = static_cast<std::uint64_t>(std::int64_t{1023} + (k >> 6));
    return (root + root * (r + tail)) * std::bit_cast<double>(exponent << 52U);
}

/// Square root of a non-negative number at compile time; at run time std::sqrt is exact.
constexpr double constant_sqrt(double x) {
    double root = x > 1.0 ? x : 1.0;
    double next = 0.5 * (root + x / root);
    while (next < root) {
        root = next;
        next = 0.5 * (root + x / root);
    }
    return root;
}

}  // namespace idlesim::exact_math
