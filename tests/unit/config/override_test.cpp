// SPDX-License-Identifier: Apache-2.0
#include "sim/config/override.hpp"

#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "tests/catch.hpp"
#include "tests/unit/config/demo_table.hpp"

namespace idlesim::config {
namespace {

Node tree(std::string_view text) {
    Diagnostics diagnostics;
    Node root = load_text(text, "f", diagnostics);
    INFO(diagnostics.render());
    REQUIRE_FALSE(diagnostics.has_errors());
    return root;
}

std::string after_set(std::string_view text, std::string_view assignment) {
    Node root = tree(text);
    Diagnostics diagnostics;
    apply_set(root, assignment, 1, diagnostics);
    INFO(diagnostics.render());
    CHECK_FALSE(diagnostics.has_errors());
    return write_flow(root);
}

std::string set_complaint(std::string_view text, std::string_view assignment) {
    Node root = tree(text);
    const std::string before = write_flow(root);
    Diagnostics diagnostics;
    apply_set(root, assignment, 1, diagnostics);
    CHECK(diagnostics.errors() == 1);
    CHECK(write_flow(root) == before);
    const std::string all = diagnostics.render();
    return all.substr(0, all.find('\n'));
}

TEST_CASE("--set replaces, adds and makes the maps on the way") {
    CHECK(after_set("a: 1", "a=2") == "{a: 2}");
    CHECK(after_set("a: 1", "b.c.d=90 us") == "{a: 1, b: {c: {d: 90 us}}}");
    CHECK(after_set("a:", "a.b=1") == "{a: {b: 1}}");
    CHECK(after_set("l: [{x: 1}, {x: 2}]", "l[1].x=3") == "{l: [{x: 1}, {x: 3}]}");
    CHECK(after_set("l: [[1, 2]]", "l[0][1]=5") == "{l: [[1, 5]]}");
    CHECK(after_set("a: 1", "a=[1, \"x, y\", {b: ~}]") == "{a: [1, \"x, y\", {b: null}]}");
    CHECK(after_set("a: 1", "a=\"\"") == "{a: \"\"}");
    CHECK(after_set("a: 1", "a=x=y") == "{a: x=y}");
    CHECK(after_set("a: 1", "a=-5") == "{a: -5}");
}

TEST_CASE("a set value is placed on the command line, among the other arguments") {
    Node root = tree("a: 1");
    Diagnostics diagnostics;
    apply_set(root, "a=2", 1, diagnostics);
    apply_set(root, "b.c=xy", 2, diagnostics);
    apply_set(root, "b.c=xy", 2, diagnostics);
    CHECK(root.find("a")->location() == Location{"command line", 1, 9, 1});
    CHECK(root.find("b")->find("c")->location() == Location{"command line", 1, 21, 2});
    CHECK(root.find("b")->find("c")->key_location() == Location{"command line", 1, 19, 1});
    diagnostics.error(root.find("b")->find("c")->location(), "bad");
    CHECK(diagnostics.render() ==
          "command line:1:21: error: bad\n"
          "  1 | --set a=2 --set b.c=xy\n"
          "    |                     ^~\n"
          "1 error\n");
}

TEST_CASE("a malformed --set is an error and changes nothing") {
    CHECK(set_complaint("a: 1", "a").find("--set wants path=value") != std::string::npos);
    CHECK(set_complaint("a: 1", "=1").find("no path") != std::string::npos);
    CHECK(set_complaint("a: 1", "a..b=1").find("no path") != std::string::npos);
    CHECK(set_complaint("a: 1", "a[=1").find("no path") != std::string::npos);
    CHECK(set_complaint("a: 1", "a[-1]=1").find("no path") != std::string::npos);
    CHECK(set_complaint("a: 1", "a b=1").find("no path") != std::string::npos);
    CHECK(set_complaint("a: 1", "a=").find("a value is missing") != std::string::npos);
    CHECK(set_complaint("a: 1", "a=[1").find("'[1' is no value") != std::string::npos);
    CHECK(set_complaint("a: 1", "a=1, 2").find("is no value") != std::string::npos);
    CHECK(set_complaint("a: 1", "a=x: y").find("is no value") != std::string::npos);
    CHECK(set_complaint("a: 1", "a=\"x").find("is no value") != std::string::npos);
    CHECK(set_complaint("a: 1", "a=] [").find("is no value") != std::string::npos);
    CHECK(set_complaint("a: 1", std::string_view{"a=\0", 3}).find("is no value") !=
          std::string::npos);
    CHECK(set_complaint("a: 1", "a.b=1") ==
          "command line:1:9: error: there is no map that could hold 'b' here");
    CHECK(set_complaint("a: 1", "a[0]=1") == "command line:1:8: error: there is no list here");
    CHECK(set_complaint("a: [1, 2]", "a[2]=1") ==
          "command line:1:8: error: the list has the items [0] to [1]");
}

TEST_CASE("an alias in a --set value is an error at its place") {
    Node root = tree("a: 1");
    Diagnostics diagnostics;
    apply_set(root, "a={b: 1, b: 2}", 1, diagnostics);
    CHECK(diagnostics.render().starts_with("command line:1:16: error: key 'b' appears twice\n"));
}

TEST_CASE("--set goes through the same reader as a file") {
    Node root = tree("title: x");
    Diagnostics diagnostics;
    apply_set(root, "kernel.hz=251", 1, diagnostics);
    apply_set(root, "kernl.hz=250", 2, diagnostics);
    demo::Demo demo;
    CHECK_FALSE(read(root, parameters(&demo), demo, diagnostics));
    const std::string text = diagnostics.render();
    CHECK(text.find("command line:1:17: error: hz: must be one of 100, 250, 300, 1000") !=
          std::string::npos);
    CHECK(text.find("command line:1:27: error: unknown key 'kernl'; did you mean 'kernel'?") !=
          std::string::npos);
}

TEST_CASE("merging is deep for maps, replaces the rest and keeps the places") {
    Node base = tree("a: {x: 1, y: [1, 2]}\nb: 1\nc: {z: 1}");
    Diagnostics diagnostics;
    const Node overlay = load_text("a: {y: [3], w: 4}\nc: 5\nd: 6", "over", diagnostics);
    merge(base, overlay);
    CHECK(write_flow(base) == "{a: {x: 1, y: [3], w: 4}, b: 1, c: 5, d: 6}");
    CHECK(base.find("a")->find("x")->location().file == "f");
    CHECK(base.find("a")->find("w")->location().file == "over");
    CHECK(base.find("c")->key_location().file == "over");
}

}  // namespace
}  // namespace idlesim::config
