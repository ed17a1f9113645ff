// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/diagnostics.hpp"
#include "sim/engine/clock_domain.hpp"
#include "sim/engine/random.hpp"
#include "sim/engine/time.hpp"

#include <string_view>

namespace idlesim {

/// When requests arrive, whatever the machine does with them. Built per run.
class ArrivalProcess {
public:
    static constexpr std::string_view kKindKey = "process";

    ArrivalProcess() = default;
    ArrivalProcess(const ArrivalProcess&) = delete;
    ArrivalProcess(ArrivalProcess&&) = delete;
    ArrivalProcess& operator=(const ArrivalProcess&) = delete;
    ArrivalProcess& operator=(ArrivalProcess&&) = delete;
    virtual ~ArrivalProcess() = default;

    /// Time from the request before (from the start, for the first one) to the next; zero: they
    /// arrive together. The random stream is the process's own.
    [[nodiscard]] virtual Duration next_gap(RandomStream&) = 0;

    /// Requests a second, in the long run.
    [[nodiscard]] virtual double rate() const = 0;

    /// Reports parameters that do not fit together, at `where`.
    virtual void check(const config::Location& /*where*/, config::Diagnostics&) const {}
};

/// What parameters may be: mean distances stay far below the longest run.
inline constexpr Frequency kLowestRate{1, 1000};
inline constexpr Duration kLongestPhase = std::chrono::hours{1};

/// Mean distance of events of that rate.
[[nodiscard]] inline Duration gap_of(const Frequency& rate) {
    constexpr double kSecond = 1e12;  // in picoseconds
    return Duration{static_cast<std::int64_t>(kSecond * static_cast<double>(rate.denominator) /
                                              static_cast<double>(rate.numerator))};
}

[[nodiscard]] inline double per_second(const Frequency& rate) {
    return rate.hertz();
}

}  // namespace idlesim
