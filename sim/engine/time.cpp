// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/time.hpp"

#include <array>

namespace idlesim {
namespace {

struct Unit {
    std::uint64_t picoseconds;
    const char* name;
};

constexpr std::array<Unit, 4> kUnits{
    {{1'000'000'000'000, " s"}, {1'000'000'000, " ms"}, {1'000'000, " us"}, {1'000, " ns"}}};

std::string fraction(std::uint64_t rest, std::uint64_t unit) {
    if (rest == 0) {
        return {};
    }
    // unit + rest has one digit more than the fraction, which keeps the leading zeros.
    std::string digits = std::to_string(unit + rest);
    digits.front() = '.';
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits;
}

}  // namespace

std::string to_text(Duration duration) {
    const bool negative = duration.count() < 0;
    const auto raw = static_cast<std::uint64_t>(duration.count());
    const std::uint64_t magnitude = negative ? 0 - raw : raw;
    const std::string sign = negative ? "-" : "";
    for (const Unit& unit : kUnits) {
        if (magnitude >= unit.picoseconds) {
            return sign + std::to_string(magnitude / unit.picoseconds) +
                   fraction(magnitude % unit.picoseconds, unit.picoseconds) + unit.name;
        }
    }
    return sign + std::to_string(magnitude) + " ps";
}

}  // namespace idlesim
