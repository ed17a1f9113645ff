// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/field.hpp"
#include "sim/engine/distribution.hpp"

#include <cstdint>
#include <optional>

namespace idlesim {

enum class ServiceShape : std::uint8_t { constant, exponential, gamma, log_normal, two_point };

/// How long a request computes, alone on its core at the nominal clock.
struct ServiceTime {
    ServiceShape distribution = ServiceShape::exponential;
    Duration mean = std::chrono::microseconds{50};
    /// Standard deviation by mean, of the shapes that have a choice.
    std::optional<double> cv;
    /// two_point: share of the long ones.
    config::Ratio long_share{0.05};
    config::Location location;
};

const config::Fields<ServiceTime>& parameters(const ServiceTime*);

/// Reports parameters that do not fit together.
void check(const ServiceTime&, config::Diagnostics&);

/// Of parameters that check() has found good.
[[nodiscard]] Distribution distribution_of(const ServiceTime&);

/// Standard deviation by mean.
[[nodiscard]] double variation_of(const ServiceTime&);

}  // namespace idlesim

template <>
struct idlesim::config::EnumNames<idlesim::ServiceShape> {
    static constexpr std::pair<std::string_view, idlesim::ServiceShape> values[] = {
        {"constant", idlesim::ServiceShape::constant},
        {"exponential", idlesim::ServiceShape::exponential},
        {"gamma", idlesim::ServiceShape::gamma},
        {"log_normal", idlesim::ServiceShape::log_normal},
        {"two_point", idlesim::ServiceShape::two_point}};
};
