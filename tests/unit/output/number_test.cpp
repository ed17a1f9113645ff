// SPDX-License-Identifier: Apache-2.0
#include "sim/output/number.hpp"

#include "tests/catch.hpp"

#include <cstdlib>
#include <limits>

using namespace idlesim;

TEST_CASE("picoseconds become exact decimals of nanoseconds", "[output]") {
    REQUIRE(format_ns(Duration{0}) == "0");
    REQUIRE(format_ns(Duration{1}) == "0.001");
    REQUIRE(format_ns(Duration{120}) == "0.12");
    REQUIRE(format_ns(Duration{2'000'500}) == "2000.5");
    REQUIRE(format_ns(Duration{999'999'999}) == "999999.999");
    REQUIRE(format_ns(Duration{1'000'000'010}) == "1000000.01");
    REQUIRE(format_ns(Duration{-1500}) == "-1.5");
    REQUIRE(format_ns(Duration::min()) == "-9223372036854775.808");
    REQUIRE(format_ns(Duration::max()) == "9223372036854775.807");
}

TEST_CASE("picoseconds become exact decimals of microseconds", "[output]") {
    REQUIRE(format_us(Duration{0}) == "0");
    REQUIRE(format_us(Duration{1}) == "0.000001");
    REQUIRE(format_us(Duration{1'000}) == "0.001");
    REQUIRE(format_us(Duration{1'500'000}) == "1.5");
    REQUIRE(format_us(Duration{1'234'567'890}) == "1234.56789");
    REQUIRE(format_us(Duration{3'000'000'000'000}) == "3000000");
    REQUIRE(format_us(Duration{-2'000'001}) == "-2.000001");
}

TEST_CASE("numbers are the shortest text that reads back the same", "[output]") {
    REQUIRE(format_number(0.1) == "0.1");
    REQUIRE(format_number(190184) == "190184");
    REQUIRE(format_number(1e6) == "1000000");
    REQUIRE(format_number(-21.74) == "-21.74");
    REQUIRE(format_number(0.0) == "0");
    REQUIRE(format_number(-0.0) == "0");
    REQUIRE(format_number(1e22) == "1e+22");
    REQUIRE(format_number(std::numeric_limits<double>::quiet_NaN()).empty());
    for (const double value : {1.0 / 3, 2.0 / 3e5, 123456789.123, 5e-324, 1.7976931348623157e308}) {
        REQUIRE(std::strtod(format_number(value).c_str(), nullptr) == value);
    }
}
