// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/quantity_text.hpp"

#include "sim/config/quantity.hpp"
#include "sim/output/number.hpp"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace idlesim {
namespace {

double rounded(double value, int significant) {
    return std::strtod(fmt::format("{:.{}e}", value, significant - 1).c_str(), nullptr);
}

}  // namespace

std::variant<Quantity, std::string> parse_quantity(std::string_view text) {
    const std::size_t unit = text.find_first_not_of("+-.0123456789 ");
    if (unit == std::string_view::npos) {
        const config::Parsed<double> number = config::parse_number(text);
        if (const auto* problem = std::get_if<std::string>(&number)) {
            return *problem;
        }
        return Quantity{Quantity::Form::number, std::get<double>(number)};
    }
    if (text.substr(unit) == "%") {
        const config::Parsed<config::Ratio> ratio = config::parse_ratio(text);
        if (const auto* problem = std::get_if<std::string>(&ratio)) {
            return *problem;
        }
        return Quantity{Quantity::Form::percent, std::get<config::Ratio>(ratio).value};
    }
    if (text.back() == 'W') {
        const config::Parsed<config::Power> power = config::parse_power(text);
        if (const auto* problem = std::get_if<std::string>(&power)) {
            return *problem;
        }
        return Quantity{Quantity::Form::power, std::get<config::Power>(power).watts};
    }
    if (text.back() == 'J') {
        const config::Parsed<config::Energy> energy = config::parse_energy(text);
        if (const auto* problem = std::get_if<std::string>(&energy)) {
            return *problem;
        }
        return Quantity{Quantity::Form::energy, std::get<config::Energy>(energy).joules};
    }
    const config::Parsed<Duration> duration = config::parse_duration(text);
    if (const auto* problem = std::get_if<std::string>(&duration)) {
        return *problem;
    }
    return Quantity{Quantity::Form::duration,
                    static_cast<double>(std::get<Duration>(duration).count())};
}

std::string write_quantity(const Quantity& quantity, int significant) {
    const double value = rounded(quantity.value, significant);
    switch (quantity.form) {
        case Quantity::Form::duration:
            return format_ns(Duration{std::llround(value)}) + " ns";
        case Quantity::Form::percent:
            return config::write_number(rounded(100 * quantity.value, significant)) + " %";
        case Quantity::Form::power:
            return config::write_number(value) + " W";
        case Quantity::Form::energy:
            return config::write_number(value) + " J";
        case Quantity::Form::number:
            return config::write_number(value);
    }
    return {};
}

}  // namespace idlesim
