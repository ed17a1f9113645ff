// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace idlesim {

/// An interrupt vector, 32..255 for devices and IPIs.
using Vector = std::uint8_t;

constexpr std::size_t kVectors = 256;

/// Vectors as Linux assigns them (arch/x86/include/asm/irq_vectors.h, 6.3).
constexpr Vector kRescheduleVector = 0xfd;
constexpr Vector kCallFunctionVector = 0xfc;
constexpr Vector kCallFunctionSingleVector = 0xfb;
constexpr Vector kLocalTimerVector = 0xec;
/// The same interrupt where an hrtimer other than the tick has expired: it has a program of its
/// own, whose steps a measured event sees one by one. Its place is that of a vector that Linux
/// reserves.
constexpr Vector kExpiredTimerVector = 0xeb;
/// First of the vectors that we give to devices.
constexpr Vector kFirstDeviceVector = 0x30;

/// The interrupt request register of a local APIC: one bit a vector, the highest first.
class PendingInterrupts {
public:
    [[nodiscard]] bool any() const { return any_ != 0; }

    [[nodiscard]] bool contains(Vector vector) const {
        return (words_[vector / 64U] >> (vector % 64U) & 1U) != 0;
    }

    void add(Vector vector) {
        words_[vector / 64U] |= std::uint64_t{1} << (vector % 64U);
        any_ |= 1U << (vector / 64U);
    }

    /// Removes and returns the vector of the highest priority; only when any().
    Vector take_highest() {
        const unsigned word = 31U - static_cast<unsigned>(std::countl_zero(any_));
        const unsigned bit = 63U - static_cast<unsigned>(std::countl_zero(words_[word]));
        words_[word] &= ~(std::uint64_t{1} << bit);
        if (words_[word] == 0) {
            any_ &= ~(1U << word);
        }
        return static_cast<Vector>(word * 64U + bit);
    }

private:
    std::array<std::uint64_t, 4> words_{};
    unsigned any_ = 0;
};

}  // namespace idlesim
