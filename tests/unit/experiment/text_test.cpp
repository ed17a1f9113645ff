// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/parallel.hpp"
#include "sim/experiment/quantity_text.hpp"
#include "sim/experiment/text_table.hpp"
#include "tests/catch.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

using namespace idlesim;

namespace {

Quantity quantity(const char* text) {
    return std::get<Quantity>(parse_quantity(text));
}

}  // namespace

TEST_CASE("tables pad text to the left and numbers to the right", "[experiment]") {
    TextTable table{{"arm", "p50", "unit"}};
    table.add({"hlt", "2000", "ns"});
    table.add({"mwait", "999.5", "µs"});
    REQUIRE(table.text() ==
            "arm      p50  unit\n"
            "hlt     2000  ns\n"
            "mwait  999.5  µs\n");
}

TEST_CASE("numbers for people are short", "[experiment]") {
    REQUIRE(rounded_text(2000.4375) == "2000");
    REQUIRE(rounded_text(21.7391) == "21.74");
    REQUIRE(rounded_text(0.5) == "0.5");
    REQUIRE(rounded_text(0) == "0");
    REQUIRE(rounded_text(-3.14159) == "-3.142");
    REQUIRE(rounded_text(2.5e12) == "2.5e+12");
}

TEST_CASE("a value of unknown type is read and written back in its own form", "[experiment]") {
    REQUIRE(quantity("100 ns").value == 100'000.0);
    REQUIRE(write_quantity(quantity("123.456 ns"), 4) == "123.5 ns");
    REQUIRE(write_quantity(quantity("1.5 us"), 4) == "1500 ns");
    REQUIRE(quantity("8 %").value == 0.08);
    REQUIRE(write_quantity(quantity("8 %"), 4) == "8 %");
    REQUIRE(write_quantity(quantity("1.74567"), 4) == "1.746");
    REQUIRE(quantity("44 mW").value == 0.044);
    REQUIRE(write_quantity(quantity("1.44 W"), 4) == "1.44 W");
    REQUIRE(quantity("8 uJ").value == 8e-6);
    REQUIRE(write_quantity(quantity("2 mJ"), 4) == "0.002 J");
    REQUIRE(std::get<std::string>(parse_quantity("5 Wh")).find("unit") != std::string::npos);
    REQUIRE(std::get<std::string>(parse_quantity("5 parsecs")).find("unit") != std::string::npos);
}

TEST_CASE("every piece of work is done once, whatever the number of threads", "[experiment]") {
    for (const int jobs : {1, 2, 7}) {
        std::vector<std::atomic<int>> done(100);
        parallel_for(done.size(), jobs, [&](std::size_t i) { ++done[i]; });
        for (const std::atomic<int>& count : done) {
            REQUIRE(count == 1);
        }
    }
    parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST_CASE("the first failure of parallel work is reported", "[experiment]") {
    REQUIRE_THROWS_WITH(parallel_for(50,
                                     1,
                                     [](std::size_t i) {
                                         if (i >= 7) {
                                             throw std::runtime_error{std::to_string(i)};
                                         }
                                     }),
                        "7");
    REQUIRE_THROWS_AS(parallel_for(50, 3, [](std::size_t) { throw std::runtime_error{"x"}; }),
                      std::runtime_error);
}
