// SPDX-License-Identifier: Apache-2.0
#include "sim/config/diagnostics.hpp"

#include "sim/config/excerpt.hpp"
#include "tests/catch.hpp"

#include <string>

namespace idlesim::config {
namespace {

TEST_CASE("messages come in file order with line, caret and count") {
    Diagnostics diagnostics;
    diagnostics.add_source("b.yaml", "one: 1\ntwo: µs 2\n");
    diagnostics.add_source("a.yaml", "x: y\n");
    diagnostics.error({"a.yaml", 1, 4, 1}, "third");
    diagnostics.warning({"b.yaml", 2, 10, 1}, "second");
    diagnostics.note({"b.yaml", 1, 6, 1}, "see here");
    diagnostics.error({"b.yaml", 1, 1, 3}, "first");
    CHECK(diagnostics.render() ==
          "b.yaml:1:1: error: first\n"
          "  1 | one: 1\n"
          "    | ^~~\n"
          "b.yaml:2:10: warning: second\n"
          "  2 | two: µs 2\n"
          "    |         ^\n"
          "b.yaml:1:6: note: see here\n"
          "  1 | one: 1\n"
          "    |      ^\n"
          "a.yaml:1:4: error: third\n"
          "  1 | x: y\n"
          "    |    ^\n"
          "2 errors, 1 warning\n");
}

TEST_CASE("the same complaint at the same place is made once") {
    Diagnostics diagnostics;
    for (int i = 0; i < 2; ++i) {
        diagnostics.error({"f", 1, 1, 1}, "bad");
        diagnostics.note({"f", 2, 1, 1}, "because");
    }
    CHECK(diagnostics.render() == "f:1:1: error: bad\nf:2:1: note: because\n1 error\n");
}

TEST_CASE("a file that is wrong throughout stops after fifty messages") {
    Diagnostics diagnostics;
    for (int i = 1; i <= 1000; ++i) {
        diagnostics.error({"f", i, 1, 1}, "bad");
    }
    CHECK(diagnostics.render().ends_with("f:50:1: error: bad\n... and 950 more\n1000 errors\n"));
}

TEST_CASE("nothing to say is nothing said") {
    Diagnostics diagnostics;
    CHECK(diagnostics.render().empty());
    CHECK_NOTHROW(diagnostics.throw_if_errors());
    diagnostics.warning({"f", 0, 0, 1}, "odd");
    CHECK(diagnostics.render() == "f: warning: odd\n1 warning\n");
    CHECK_NOTHROW(diagnostics.throw_if_errors());
    diagnostics.error({"f", 0, 0, 1}, "bad");
    CHECK_THROWS_AS(diagnostics.throw_if_errors(), ConfigError);
}

TEST_CASE("a long line is cut around the caret, at code points") {
    std::string line;
    for (int i = 0; i < 200; ++i) {
        line += "µ";
    }
    const std::string text = excerpt(line, 7, 201, 4);
    CHECK(text ==
          "  7 | ..." + line.substr(0, 120) + "...\n" + "    | " + std::string(33, ' ') + "^~\n");
    for (int column = 1; column < 420; ++column) {
        for (int length = 1; length < 300; length += 37) {
            CHECK(excerpt(line, 1, column, length).size() < 500);
        }
    }
}

TEST_CASE("a caret beyond the end of the line stands behind it") {
    CHECK(excerpt("ab", 1, 9, 5) == "  1 | ab\n    |   ^\n");
    CHECK(excerpt("a\tb", 12345, 3, 1) == "12345 | a b\n      |   ^\n");
}

TEST_CASE("lines are found whatever ends them") {
    CHECK(line_of("a\r\nb\nc", 1) == "a");
    CHECK(line_of("a\r\nb\nc", 3) == "c");
    CHECK(line_of("a\r\nb\nc", 4).empty());
}

}  // namespace
}  // namespace idlesim::config
