// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/documented.hpp"

#include "sim/config/load.hpp"
#include "tests/catch.hpp"

using namespace idlesim;

namespace {

template <class Value>
std::string read(const std::string& text, Value& out) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text("value: " + text + "\n", "t.yaml", diagnostics);
    config::Converter<Value>::read(*root.find("value"), out, diagnostics);
    return diagnostics.render();
}

Documented documented(const std::string& text) {
    Documented value;
    const std::string errors = read(text, value);
    INFO(errors);
    REQUIRE(errors.empty());
    return value;
}

Tolerance tolerance(const std::string& text) {
    Tolerance value;
    const std::string errors = read(text, value);
    INFO(errors);
    REQUIRE(errors.empty());
    return value;
}

}  // namespace

TEST_CASE("a published time is in nanoseconds, whatever it was written in", "[experiment]") {
    REQUIRE(documented("2000 ns").value == 2000.0);
    REQUIRE(documented("2 us").value == 2000.0);
    REQUIRE(documented("2 us").unit == "ns");
    REQUIRE(documented("0.5 ns").value == 0.5);
}

TEST_CASE("published rates, percentages and bare numbers keep their unit", "[experiment]") {
    REQUIRE(documented("190184 /s").unit == "1/s");
    REQUIRE(documented("190184 1/s").unit == "1/s");
    REQUIRE(documented("190184/s").value == 190184.0);
    REQUIRE(documented("21.74 %").unit == "%");
    REQUIRE(documented("58958").unit.empty());
    REQUIRE(documented("-3 %").value == -3.0);
    REQUIRE(documented("4527.12 MB/s").unit == "MB/s");
}

TEST_CASE("a tolerance is absolute, a percentage, points, or a list", "[experiment]") {
    using Form = Tolerance::Bound::Form;
    REQUIRE(tolerance("100 ns").bounds.front().form == Form::absolute);
    REQUIRE(tolerance("6 %").bounds.front().form == Form::percent);
    REQUIRE(tolerance("4 points").bounds.front().form == Form::points);
    const Tolerance both = tolerance("[100 ns, 6 %]");
    REQUIRE(both.bounds.size() == 2);
    REQUIRE(both.text == "100 ns or 6 %");
}

TEST_CASE("what is no number or no tolerance is refused with its place", "[experiment]") {
    Documented value;
    REQUIRE(read("about 2000", value).find("t.yaml:1:8: error") != std::string::npos);
    Tolerance bound;
    REQUIRE(read("100", bound).find("needs a unit") != std::string::npos);
    REQUIRE(read("-5 %", bound).find("must not be negative") != std::string::npos);
    REQUIRE(read("[5 %, x]", bound).find("t.yaml:1:14") != std::string::npos);
}
