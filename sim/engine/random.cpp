// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/random.hpp"

#include "sim/engine/error.hpp"
#include "sim/engine/hash.hpp"

#include <string>

namespace idlesim {

RandomStream::RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t replication) {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
    // Each argument is mixed before the next is added, so that no two triples meet by arithmetic.
    std::uint64_t key = mix64(seed + kGolden);
    key = mix64((key ^ replication) + kGolden);
    key = mix64((key ^ hash_text(name)) + kGolden);
    // SplitMix64 is a bijection of a counter: the four words differ, so never all are zero.
    for (std::uint64_t& word : state_) {
        key += kGolden;
        word = mix64(key);
    }
}

std::uint64_t probability_threshold(double probability) {
    if (!(probability >= 0.0 && probability <= 1.0)) {
        throw ParameterError{"a probability lies between 0 and 1, not at " +
                             std::to_string(probability)};
    }
    return static_cast<std::uint64_t>(probability * 0x1p63);
}

}  // namespace idlesim
