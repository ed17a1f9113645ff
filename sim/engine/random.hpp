// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace idlesim {

/// Random bits of one named purpose, e.g. "cpu3.hlt_exit". The stream depends on seed, name and
/// replication alone, so that adding a component never shifts another's numbers, and arms of an
/// experiment that share names share their numbers.
///
/// xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021).
class RandomStream {
public:
    RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t replication = 0);

    std::uint64_t bits() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    double uniform() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

    /// True with the probability for which probability_threshold() was called.
    bool chance(std::uint64_t threshold) { return (bits() >> 1U) < threshold; }

    /// Uniform in [0, bound), for bound > 0; biased by less than bound / 2^64.
    std::uint64_t below(std::uint64_t bound);

private:
    std::array<std::uint64_t, 4> state_{};
};

/// The argument of RandomStream::chance() for a probability in [0, 1], in units of 2^-63.
/// Throws ParameterError for anything else.
std::uint64_t probability_threshold(double probability);

/// Upper half of the 128-bit product.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64U);
}

inline std::uint64_t RandomStream::below(std::uint64_t bound) {
    return multiply_high(bits(), bound);
}

}  // namespace idlesim
