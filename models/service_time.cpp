// SPDX-License-Identifier: Apache-2.0
#include "models/service_time.hpp"

#include "sim/engine/exact_math.hpp"

#include <cmath>

#include <fmt/format.h>

namespace idlesim {
namespace {

bool has_choice(ServiceShape shape) {
    return shape != ServiceShape::constant && shape != ServiceShape::exponential;
}

Duration share_of(Duration mean, double factor) {
    return Duration{static_cast<std::int64_t>(static_cast<double>(mean.count()) * factor)};
}

// The largest cv at which the short ones still take time.
double largest_variation(double long_share) {
    return std::sqrt((1.0 - long_share) / long_share);
}

// p long ones and 1 - p short ones with the mean 1 and the standard deviation cv.
Distribution two_point(const ServiceTime& service, double cv) {
    const double p = service.long_share.value;
    const double odds = std::sqrt((1.0 - p) / p);
    return Distribution::mixture(
        {{1.0 - p, Distribution::constant(share_of(service.mean, 1.0 - cv / odds))},
         {p, Distribution::constant(share_of(service.mean, 1.0 + cv * odds))}});
}

}  // namespace

const config::Fields<ServiceTime>& parameters(const ServiceTime*) {
    using config::field;
    static const config::Fields<ServiceTime> kFields{
        field("distribution", &ServiceTime::distribution, "shape of the distribution"),
        field("mean",
              &ServiceTime::mean,
              "mean computation of a request, alone on its core at the nominal clock")
            .positive()
            .at_most(std::chrono::hours{1}),
        field("cv",
              &ServiceTime::cv,
              "standard deviation by mean, for gamma, log_normal and two_point; absent: 1")
            .at_least(0.01)
            .at_most(30.0),
        field("long_share",
              &ServiceTime::long_share,
              "two_point: share of the long requests; how long follows from mean and cv")
            .at_least(config::Ratio{0.0001})
            .at_most(config::Ratio{0.9999}),
    };
    return kFields;
}

void check(const ServiceTime& service, config::Diagnostics& diagnostics) {
    if (service.cv && !has_choice(service.distribution)) {
        diagnostics.error(service.location,
                          "service: cv is what it is for constant and exponential; leave it out, "
                          "or choose gamma, log_normal or two_point");
    }
    const double most = largest_variation(service.long_share.value);
    if (service.distribution == ServiceShape::two_point && variation_of(service) > most) {
        diagnostics.error(
            service.location,
            fmt::format("service: with long_share {:g} two_point reaches a cv of {:.3g} at most: "
                        "the short requests would take less than no time",
                        service.long_share.value,
                        most));
    }
}

double variation_of(const ServiceTime& service) {
    switch (service.distribution) {
        case ServiceShape::constant:
            return 0.0;
        case ServiceShape::exponential:
            return 1.0;
        case ServiceShape::gamma:
        case ServiceShape::log_normal:
        case ServiceShape::two_point:
            break;
    }
    return service.cv.value_or(1.0);
}

Distribution distribution_of(const ServiceTime& service) {
    const double cv = variation_of(service);
    switch (service.distribution) {
        case ServiceShape::constant:
            return Distribution::constant(service.mean);
        case ServiceShape::exponential:
            return Distribution::exponential(service.mean);
        case ServiceShape::gamma:
            return Distribution::gamma(1.0 / (cv * cv), service.mean);
        case ServiceShape::log_normal:
            return Distribution::log_normal(share_of(service.mean, 1.0 / std::sqrt(1.0 + cv * cv)),
                                            std::sqrt(exact_math::log(1.0 + cv * cv)));
        case ServiceShape::two_point:
            break;
    }
    return two_point(service, cv);
}

}  // namespace idlesim
