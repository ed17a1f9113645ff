// SPDX-License-Identifier: Apache-2.0
#include "sim/config/quantity.hpp"

#include "sim/config/decimal.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <system_error>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

constexpr std::uint64_t kMega = 1'000'000;
constexpr std::uint64_t kGiga = 1'000 * kMega;
constexpr std::uint64_t kTera = 1'000 * kGiga;

/// A unit and how many of the smallest ones it holds.
struct Unit {
    std::string_view name;
    std::uint64_t factor;
};

constexpr auto kTimes = std::to_array<Unit>({{"ps", 1},
                                             {"ns", 1'000},
                                             {"us", kMega},
                                             {"\u00B5s", kMega},  // micro sign
                                             {"\u03BCs", kMega},  // Greek mu
                                             {"ms", kGiga},
                                             {"s", kTera},
                                             {"min", 60 * kTera},
                                             {"h", 3'600 * kTera}});

/// Micro-hertz: Frequency's largest denominator.
constexpr auto kFrequencies =
    std::to_array<Unit>({{"Hz", kMega}, {"kHz", kGiga}, {"MHz", kTera}, {"GHz", 1'000 * kTera}});

/// A unit as a power of ten of the base unit.
struct Prefix {
    std::string_view name;
    int exponent;
};

constexpr auto kPowers =
    std::to_array<Prefix>({{"W", 0}, {"mW", -3}, {"uW", -6}, {"\u00B5W", -6}, {"\u03BCW", -6}});
constexpr auto kEnergies = std::to_array<Prefix>(
    {{"J", 0}, {"mJ", -3}, {"uJ", -6}, {"\u00B5J", -6}, {"\u03BCJ", -6}, {"nJ", -9}});

std::string expected(std::string_view article_and_thing,
                     std::string_view example,
                     std::string_view units) {
    return fmt::format("expected {} such as '{}' ({})", article_and_thing, example, units);
}

std::string missing_unit(std::string_view thing, std::string_view units) {
    return fmt::format("{} needs a unit ({})", thing, units);
}

std::string unknown_unit(std::string_view unit, std::string_view thing, std::string_view units) {
    return fmt::format("'{}' is no unit of {} ({})", unit.substr(0, 20), thing, units);
}

template <class Entry>
const Entry* find_unit(std::span<const Entry> entries, std::string_view name) {
    for (const Entry& entry : entries) {
        if (entry.name == name) {
            return &entry;
        }
    }
    return nullptr;
}

struct Wording {
    std::string_view thing;  ///< "a duration"
    std::string_view example;
    std::string_view units;
    std::string_view resolution;
    std::string_view limit;
};

/// A decimal with a unit as a whole number of the smallest ones.
Parsed<std::int64_t> parse_scaled(std::string_view text,
                                  std::span<const Unit> units,
                                  std::uint64_t limit,
                                  const Wording& words) {
    const std::optional<DecimalText> decimal = split_decimal(text);
    if (!decimal) {
        return expected(words.thing, words.example, words.units);
    }
    if (decimal->unit.empty()) {
        return missing_unit(words.thing, words.units);
    }
    const Unit* unit = find_unit(units, decimal->unit);
    if (unit == nullptr) {
        return unknown_unit(decimal->unit, words.thing, words.units);
    }
    std::uint64_t value = 0;
    switch (scale(*decimal, unit->factor, limit, value)) {
        case Scaling::too_fine:
            return fmt::format("finer than {}", words.resolution);
        case Scaling::overflow:
            return std::string{words.limit};
        case Scaling::good:
            break;
    }
    const auto magnitude = static_cast<std::int64_t>(value);
    return decimal->negative ? -magnitude : magnitude;
}

template <class Value>
Parsed<Value> parse_prefixed(std::string_view text,
                             std::span<const Prefix> prefixes,
                             const Wording& words) {
    const std::optional<DecimalText> decimal = split_decimal(text);
    if (!decimal) {
        return expected(words.thing, words.example, words.units);
    }
    if (decimal->unit.empty()) {
        return missing_unit(words.thing, words.units);
    }
    const Prefix* prefix = find_unit(prefixes, decimal->unit);
    if (prefix == nullptr) {
        return unknown_unit(decimal->unit, words.thing, words.units);
    }
    if (const std::optional<double> value = to_double(*decimal, prefix->exponent)) {
        return Value{*value};
    }
    return std::string{"out of range"};
}

template <class Integer>
Parsed<Integer> parse_whole(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    const bool plain = !digits.empty() &&
                       digits.find_first_not_of("0123456789") == std::string_view::npos &&
                       (digits.size() == 1 || digits.front() != '0');
    if (!plain) {
        return std::string{"expected a decimal whole number"};
    }
    Integer value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (std::is_unsigned_v<Integer> && text.starts_with('-')) {
        return std::string{"must not be negative"};
    }
    if (error != std::errc{}) {
        return fmt::format("out of range ({} to {})",
                           std::numeric_limits<Integer>::min(),
                           std::numeric_limits<Integer>::max());
    }
    return value;
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
    constexpr Wording kWords{
        "a duration", "133 us", kDurationUnits, "one picosecond", "must not be more than 100 days"};
    const auto limit = static_cast<std::uint64_t>(kLongestRun.count());
    const Parsed<std::int64_t> parsed = parse_scaled(text, kTimes, limit, kWords);
    if (const auto* problem = std::get_if<std::string>(&parsed)) {
        return *problem;
    }
    return Duration{std::get<std::int64_t>(parsed)};
}

Parsed<Frequency> parse_frequency(std::string_view text) {
    constexpr Wording kWords{
        "a frequency", "2.1 GHz", kFrequencyUnits, "one microhertz", "must be below 1000 GHz"};
    // Micro-hertz of the limit itself would not be below it.
    const std::uint64_t limit = static_cast<std::uint64_t>(Frequency::kLimit) * kMega - 1;
    const Parsed<std::int64_t> parsed = parse_scaled(text, kFrequencies, limit, kWords);
    if (const auto* problem = std::get_if<std::string>(&parsed)) {
        return *problem;
    }
    const std::int64_t micro = std::get<std::int64_t>(parsed);
    if (micro <= 0) {
        return std::string{"a frequency must be positive"};
    }
    const std::int64_t common = std::gcd(micro, static_cast<std::int64_t>(kMega));
    return Frequency{micro / common, static_cast<std::int64_t>(kMega) / common};
}

Parsed<Power> parse_power(std::string_view text) {
    return parse_prefixed<Power>(text, kPowers, {"a power", "3.5 W", kPowerUnits, {}, {}});
}

Parsed<Energy> parse_energy(std::string_view text) {
    return parse_prefixed<Energy>(text, kEnergies, {"an energy", "2 mJ", kEnergyUnits, {}, {}});
}

Parsed<Ratio> parse_ratio(std::string_view text) {
    const std::optional<DecimalText> decimal = split_decimal(text);
    if (!decimal) {
        return std::string{"expected a share such as '6 %' or '0.06'"};
    }
    if (!decimal->unit.empty() && decimal->unit != "%") {
        return unknown_unit(decimal->unit, "a share", "%, or none");
    }
    if (const std::optional<double> value = to_double(*decimal, decimal->unit.empty() ? 0 : -2)) {
        return Ratio{*value};
    }
    return std::string{"out of range"};
}

Parsed<Points> parse_points(std::string_view text) {
    const std::optional<DecimalText> decimal = split_decimal(text);
    if (!decimal || (decimal->unit != "points" && decimal->unit != "point")) {
        return std::string{"expected percentage points such as '4 points'"};
    }
    if (const std::optional<double> value = to_double(*decimal, 0)) {
        return Points{*value};
    }
    return std::string{"out of range"};
}

Parsed<HexInt> parse_hex(std::string_view text) {
    if (!text.starts_with("0x")) {
        const Parsed<std::uint64_t> parsed = parse_unsigned(text);
        if (std::holds_alternative<std::string>(parsed)) {
            return std::string{"expected a whole number such as '0x20' or '32'"};
        }
        return HexInt{std::get<std::uint64_t>(parsed)};
    }
    const std::string_view digits = text.substr(2);
    HexInt result;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), result.value, 16);
    if (error == std::errc::result_out_of_range) {
        return std::string{"out of range (64 bits)"};
    }
    if (error != std::errc{} || end != digits.data() + digits.size()) {
        return std::string{"expected a whole number such as '0x20' or '32'"};
    }
    return result;
}

Parsed<std::int64_t> parse_integer(std::string_view text) {
    return parse_whole<std::int64_t>(text);
}

Parsed<std::uint64_t> parse_unsigned(std::string_view text) {
    return parse_whole<std::uint64_t>(text);
}

Parsed<double> parse_number(std::string_view text) {
    const std::size_t exponent_mark = text.find_first_of("eE");
    const std::optional<DecimalText> decimal = split_decimal(text.substr(0, exponent_mark));
    int exponent = 0;
    bool good = decimal && decimal->unit.empty();
    if (exponent_mark != std::string_view::npos) {
        std::string_view digits = text.substr(exponent_mark + 1);
        digits.remove_prefix(digits.starts_with('+') ? 1 : 0);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
        good = good && error == std::errc{} && end == digits.data() + digits.size() &&
               std::abs(exponent) < 10'000;
    }
    if (!good) {
        return std::string{"expected a number"};
    }
    if (const std::optional<double> value = to_double(*decimal, exponent)) {
        return *value;
    }
    return std::string{"out of range"};
}

std::string write_duration(Duration value) {
    constexpr std::array<std::string_view, 5> kNames{"ps", "ns", "us", "ms", "s"};
    std::int64_t count = value.count();
    std::size_t unit = 0;
    while (count != 0 && count % 1000 == 0 && unit + 1 < kNames.size()) {
        count /= 1000;
        ++unit;
    }
    return count == 0 ? std::string{"0 ns"} : fmt::format("{} {}", count, kNames[unit]);
}

std::string write_frequency(const Frequency& value) {
    constexpr std::array<std::string_view, 4> kNames{"Hz", "kHz", "MHz", "GHz"};
    const std::int64_t whole = value.numerator / value.denominator;
    const std::int64_t rest = value.numerator % value.denominator;
    if (rest != 0) {
        // At most 10^6 x 10^6, since the denominator is at most a million.
        const auto micro = rest * static_cast<std::int64_t>(kMega) / value.denominator;
        std::string text = fmt::format("{}.{:06}", whole, micro);
        text.erase(text.find_last_not_of('0') + 1);
        return text + (text.ends_with('.') ? "0 Hz" : " Hz");
    }
    std::int64_t count = whole;
    std::size_t unit = 0;
    while (count != 0 && count % 1000 == 0 && unit + 1 < kNames.size()) {
        count /= 1000;
        ++unit;
    }
    return fmt::format("{} {}", count, kNames[unit]);
}

bool is_below(const Frequency& a, const Frequency& b) {
    const auto product = [](std::int64_t x, std::int64_t y) {
        return static_cast<Wide>(x) * static_cast<Wide>(y);
    };
    return product(a.numerator, b.denominator) < product(b.numerator, a.denominator);
}

std::string write_number(double value) {
    return shortest_decimal(value);
}

}  // namespace idlesim::config
