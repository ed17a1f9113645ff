// SPDX-License-Identifier: Apache-2.0
#include "models/idle_table/typical_interval.hpp"

#include <algorithm>
#include <limits>

namespace idlesim {
namespace {

constexpr std::uint64_t kFewest = 6;

struct Samples {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    std::uint64_t square_sum = 0;  // modulo 2^64
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t greatest = 0;

    [[nodiscard]] std::uint64_t average() const { return sum / count; }
};

/// The samples strictly between the bounds.
Samples samples_between(const IntervalRing& ring, std::int64_t low, std::int64_t high) {
    Samples samples;
    for (const std::uint32_t value : ring) {
        if (value <= low || value >= high) {
            continue;
        }
        ++samples.count;
        samples.sum += value;
        samples.square_sum += std::uint64_t{value} * value;
        samples.least = std::min(samples.least, value);
        samples.greatest = std::max(samples.greatest, value);
    }
    return samples;
}

/// The standard deviation is below a sixth of the average, or below 20 us whatever the average.
bool agree(const Samples& samples, std::uint64_t variance) {
    if (variance > std::numeric_limits<std::uint64_t>::max() / 36) {
        return false;
    }
    const std::uint64_t average = samples.average();
    return (average * average > 36 * variance && samples.count >= kFewest) || variance <= 400;
}

std::uint64_t variance_below(const IntervalRing& ring, std::int64_t high, std::uint64_t average) {
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
    for (const std::uint32_t value : ring) {
        if (value < high) {
            const std::uint64_t distance = value > average ? value - average : average - value;
            sum += distance * distance;
            ++count;
        }
    }
    return sum / count;
}

template <class GivesUp>
std::uint32_t drop_long_samples(const IntervalRing& ring, const GivesUp& gives_up) {
    // Samples of 2^31 us and more never count.
    std::int64_t high = std::int64_t{1} << 31;
    for (;;) {
        const Samples samples = samples_between(ring, -1, high);
        if (samples.count == 0 || gives_up(samples)) {
            return kNoInterval;
        }
        if (agree(samples, variance_below(ring, high, samples.average()))) {
            return static_cast<std::uint32_t>(samples.average());
        }
        if (samples.count <= kFewest) {
            return kNoInterval;
        }
        high = samples.greatest;
    }
}

}  // namespace

std::uint32_t typical_interval_below(const IntervalRing& ring, std::uint32_t prediction) {
    return drop_long_samples(
        ring, [prediction](const Samples& samples) { return samples.least >= prediction; });
}

std::uint32_t typical_interval_one_sided(const IntervalRing& ring) {
    return drop_long_samples(ring, [](const Samples& samples) { return samples.greatest == 0; });
}

std::uint32_t typical_interval_two_sided(const IntervalRing& ring, FewSamples few) {
    std::int64_t low = -1;
    std::int64_t high = kNoInterval;
    for (;;) {
        const Samples samples = samples_between(ring, low, high);
        if (samples.count == 0 || samples.greatest == 0) {
            return kNoInterval;
        }
        const std::uint64_t average = samples.average();
        // Wraps for samples of hours, like the kernel's.
        if (agree(samples, samples.square_sum / samples.count - average * average)) {
            return static_cast<std::uint32_t>(average);
        }
        if (samples.count <= kFewest) {
            return few == FewSamples::largest && samples.count >= 4 ? samples.greatest
                                                                    : kNoInterval;
        }
        if (average - samples.least > samples.greatest - average) {
            low = samples.least;
        } else {
            high = samples.greatest;
        }
    }
}

}  // namespace idlesim
