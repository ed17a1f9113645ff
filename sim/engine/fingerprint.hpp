// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/hash.hpp"
#include "sim/engine/time.hpp"

#include <bit>
#include <cstdint>

namespace idlesim {

/// Hash of a sequence of dispatched events: two runs with equal fingerprints dispatched the same
/// events at the same times in the same order (up to chance, 2^-64).
class Fingerprint {
public:
    /// `identity` stands for the event's name and phase.
    void add(Time time, std::uint64_t identity) {
        const auto count = static_cast<std::uint64_t>(time.time_since_epoch().count());
        // Only xor, rotation and one multiplication depend on the previous state.
        const std::uint64_t item = (count + identity) * 0x9e3779b97f4a7c15ULL + identity;
        state_ = std::rotl(state_ ^ item, 29) * 0xd6e8feb86659fd93ULL;
    }

    [[nodiscard]] std::uint64_t value() const { return mix64(state_); }

private:
    std::uint64_t state_ = 0x243f6a8885a308d3ULL;
};

}  // namespace idlesim
