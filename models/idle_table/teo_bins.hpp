// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/idle_table/idle_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace idlesim {

// What the versions of teo share (drivers/cpuidle/governors/teo.c).

/// Weight of one event in a bin.
inline constexpr std::int64_t kTeoEvent = 1024;

/// Measured idle time without the exit latency: half of the declared one on average.
[[nodiscard]] constexpr Nanoseconds without_exit(Nanoseconds residency, Nanoseconds latency) {
    return residency >= latency ? residency - latency / 2 : residency / 2;
}

/// Up to 6.18 a bin fades to 7, later to 0.
[[nodiscard]] constexpr std::int64_t faded(std::int64_t value) {
    return value - value / 8;
}

[[nodiscard]] constexpr std::int64_t faded_to_zero(std::int64_t value) {
    return value >= 8 ? value - value / 8 : 0;
}

/// One bin per state, bounded by the target residencies: in it, hits are idle times that lasted
/// until the timer, intercepts those that something else ended.
struct TeoBins {
    std::array<std::int64_t, kMaxIdleStates> hits{};
    std::array<std::int64_t, kMaxIdleStates> intercepts{};

    [[nodiscard]] std::int64_t& hit(int bin) { return hits[static_cast<std::size_t>(bin)]; }

    [[nodiscard]] std::int64_t hit(int bin) const { return hits[static_cast<std::size_t>(bin)]; }

    [[nodiscard]] std::int64_t& intercept(int bin) {
        return intercepts[static_cast<std::size_t>(bin)];
    }

    [[nodiscard]] std::int64_t intercept(int bin) const {
        return intercepts[static_cast<std::size_t>(bin)];
    }

    void fade(std::int64_t (*fading)(std::int64_t)) {
        for (std::size_t i = 0; i < hits.size(); ++i) {
            hits[i] = fading(hits[i]);
            intercepts[i] = fading(intercepts[i]);
        }
    }

    [[nodiscard]] std::int64_t total() const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < hits.size(); ++i) {
            sum += hits[i] + intercepts[i];
        }
        return sum;
    }
};

inline void explain_bins(const Why& why, const IdleTable& table, const TeoBins& bins) {
    if (!why) {
        return;
    }
    for (int i = 0; i < table.size(); ++i) {
        why.say("bin of {} (from {}): {} hits, {} intercepts",
                table.name(i),
                TimeText{table.residency(i)},
                bins.hit(i),
                bins.intercept(i));
    }
}

}  // namespace idlesim
