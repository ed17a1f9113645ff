// SPDX-License-Identifier: Apache-2.0
#include "sim/config/quantity.hpp"

#include "sim/config/decimal.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <cmath>
#include <random>

namespace idlesim::config {
namespace {

using namespace std::chrono_literals;

template <class Value>
std::string problem(const Parsed<Value>& parsed) {
    return std::holds_alternative<std::string>(parsed) ? std::get<std::string>(parsed) : "";
}

Duration duration(std::string_view text) {
    const Parsed<Duration> parsed = parse_duration(text);
    INFO(text << ": " << problem(parsed));
    REQUIRE(std::holds_alternative<Duration>(parsed));
    return std::get<Duration>(parsed);
}

TEST_CASE("durations are exact to the picosecond") {
    CHECK(duration("0.001 ns") == Duration{1});
    CHECK(duration("133 us") == 133us);
    CHECK(duration("133us") == 133us);
    CHECK(duration("1.000000000001 s") == 1s + Duration{1});
    CHECK(duration("0.1 us") == 100ns);
    CHECK(duration("2.50000000000000000000000 us") == 2500ns);
    CHECK(duration("2400 h") == kLongestRun);
    CHECK(duration("-5 ns") == -5ns);
    CHECK(duration("0.00000000000005 min") == Duration{3});
}

TEST_CASE("a decimal with binary fractions is exact as long as the product is whole") {
    // An hour is 2^16 * 9 * 5^14 * ... ps: it can be halved 16 times.
    CHECK(duration("0.0000152587890625 h") == Duration{54'931'640'625});
    CHECK(problem(parse_duration("0.00000762939453125 h")) == "finer than one picosecond");
}

TEST_CASE("finer than a picosecond and longer than 100 days are refused") {
    CHECK(problem(parse_duration("0.5 ps")) == "finer than one picosecond");
    CHECK(problem(parse_duration("1.0001 ns")) == "finer than one picosecond");
    CHECK(problem(parse_duration("0.00000000000000000000000000000001 s")) ==
          "finer than one picosecond");
    CHECK(problem(parse_duration("2400.000000000001 h")) == "must not be more than 100 days");
    CHECK(problem(parse_duration("99999999999999999999999999 ps")) ==
          "must not be more than 100 days");
    CHECK(problem(parse_duration("9999999999999999999 h")) == "must not be more than 100 days");
}

TEST_CASE("what is no duration is told apart") {
    CHECK(problem(parse_duration("200")) == "a duration needs a unit (ps, ns, us, ms, s, min, h)");
    CHECK(problem(parse_duration("2 parsec")) ==
          "'parsec' is no unit of a duration (ps, ns, us, ms, s, min, h)");
    for (const char* text : {"",
                             "us",
                             "1,5 us",
                             "1e3 us",
                             ".5 us",
                             "5. us",
                             "007 us",
                             "+1 us",
                             "- 1 us",
                             "inf",
                             "nan s",
                             "0x10 ns"}) {
        INFO(text);
        CHECK(std::holds_alternative<std::string>(parse_duration(text)));
    }
}

TEST_CASE("a duration that was written reads back as the same") {
    std::mt19937_64 random{1};
    for (int i = 0; i < 20'000; ++i) {
        const auto range = static_cast<std::uint64_t>(kLongestRun.count());
        const Duration value{static_cast<std::int64_t>((random() % range) >> (random() % 60))};
        CHECK(duration(write_duration(value)) == value);
    }
    CHECK(write_duration(0ns) == "0 ns");
    CHECK(write_duration(133us) == "133 us");
    CHECK(write_duration(Duration{-1500}) == "-1500 ps");
}

TEST_CASE("frequencies are exact fractions of a hertz") {
    CHECK(std::get<Frequency>(parse_frequency("2.1 GHz")) == Frequency{2'100'000'000, 1});
    CHECK(std::get<Frequency>(parse_frequency("0.5 Hz")) == Frequency{1, 2});
    CHECK(std::get<Frequency>(parse_frequency("133.3333333 MHz")) == Frequency{1'333'333'333, 10});
    CHECK(problem(parse_frequency("0 Hz")) == "a frequency must be positive");
    CHECK(problem(parse_frequency("-1 Hz")) == "a frequency must be positive");
    CHECK(problem(parse_frequency("1000 GHz")) == "must be below 1000 GHz");
    CHECK(problem(parse_frequency("0.0000001 Hz")) == "finer than one microhertz");
    CHECK(write_frequency({1'333'333'333, 10}) == "133333333.3 Hz");
    CHECK(write_frequency({2'100'000'000, 1}) == "2100 MHz");
}

TEST_CASE("powers, energies and shares are the nearest double") {
    CHECK(std::get<Power>(parse_power("3.5 W")).watts == 3.5);
    CHECK(std::get<Power>(parse_power("300 mW")).watts == 0.3);
    CHECK(std::get<Energy>(parse_energy("7 nJ")).joules == 7e-9);
    CHECK(std::get<Ratio>(parse_ratio("6 %")).value == 0.06);
    CHECK(std::get<Ratio>(parse_ratio("0.06")).value == 0.06);
    CHECK(std::get<Points>(parse_points("4 points")).value == 4);
    CHECK(problem(parse_power("3.5")) == "a power needs a unit (W, mW, uW)");
    CHECK(std::holds_alternative<std::string>(parse_points("4 %")));
}

TEST_CASE("whole numbers are decimal, and hexadecimal only where allowed") {
    CHECK(std::get<std::int64_t>(parse_integer("-12")) == -12);
    CHECK(problem(parse_integer("010")) == "expected a decimal whole number");
    CHECK(problem(parse_integer("0x10")) == "expected a decimal whole number");
    CHECK(problem(parse_integer("1.0")) == "expected a decimal whole number");
    CHECK(problem(parse_unsigned("-1")) == "must not be negative");
    CHECK(std::get<HexInt>(parse_hex("0x20")).value == 0x20);
    CHECK(std::get<HexInt>(parse_hex("32")).value == 32);
    CHECK(std::holds_alternative<std::string>(parse_hex("0x")));
    CHECK(std::holds_alternative<std::string>(parse_hex("0x-1")));
    CHECK(std::holds_alternative<std::string>(parse_hex("0x1ffffffffffffffff")));
}

TEST_CASE("numbers read back from their shortest decimal") {
    std::mt19937_64 random{2};
    for (int i = 0; i < 5'000; ++i) {
        const double value = std::ldexp(static_cast<double>(random() >> 11U) - 0x1p52,
                                        static_cast<int>(random() % 400) - 200);
        CHECK(std::get<double>(parse_number(write_number(value))) == value);
    }
    CHECK(std::get<double>(parse_number("1e-3")) == 1e-3);
    CHECK(std::get<double>(parse_number("-2.5E+2")) == -250);
    for (const char* text : {"", "1e", "e5", "1e400", "inf", "nan", "0x1p3", "1.5.2", "1 x"}) {
        INFO(text);
        CHECK(std::holds_alternative<std::string>(parse_number(text)));
    }
}

}  // namespace
}  // namespace idlesim::config
