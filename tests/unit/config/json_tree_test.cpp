// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_tree.hpp"

#include "sim/config/load.hpp"
#include "tests/catch.hpp"

#include <string>

namespace idlesim::config {
namespace {

Node tree_of(const std::string& text) {
    Diagnostics diagnostics;
    diagnostics.add_source("t.json", text);
    Node node = parse_json(text, "t.json", diagnostics);
    INFO(diagnostics.render());
    CHECK_FALSE(diagnostics.has_errors());
    return node;
}

std::string complaint(const std::string& text) {
    Diagnostics diagnostics;
    diagnostics.add_source("t.json", text);
    CHECK(parse_json(text, "t.json", diagnostics).is_invalid());
    return diagnostics.render();
}

}  // namespace

TEST_CASE("keys that repeat are all kept, in their order", "[json]") {
    const Node root = tree_of(R"({ "run": 1, "sleep": 2, "run": 3 })");
    REQUIRE(root.children().size() == 3);
    CHECK(root.children()[0].key() == "run");
    CHECK(root.children()[1].key() == "sleep");
    CHECK(root.children()[2].key() == "run");
    CHECK(root.children()[2].text() == "3");
}

TEST_CASE("comments and commas before a closing bracket are passed over", "[json]") {
    const Node root = tree_of("{ // one\n \"a\": [1, 2, /* , */ ],\n /* } */ \"b\": {}, // two\n}");
    REQUIRE(root.children().size() == 2);
    CHECK(root.children()[0].children().size() == 2);
    CHECK(root.children()[1].is_map());
}

TEST_CASE("what looks like a comment or a bracket inside of a string is text", "[json]") {
    const Node root = tree_of(R"({ "a": "//x, }", "b\"/*": "\\" })");
    REQUIRE(root.children().size() == 2);
    CHECK(root.children()[0].text() == "//x, }");
    CHECK(root.children()[0].quoted());
    CHECK(root.children()[1].key() == "b\"/*");
    CHECK(root.children()[1].text() == "\\");
}

TEST_CASE("every value knows its place, also behind comments", "[json]") {
    const Node root = tree_of("/* a\n b */ {\n  \"key\" : [ -1.5e3,\n\t\"x\" ] }");
    const Node& list = root.children()[0];
    CHECK(root.location() == Location{"t.json", 2, 7, 1});
    CHECK(list.key_location() == Location{"t.json", 3, 3, 5});
    CHECK(list.location() == Location{"t.json", 3, 11, 1});
    CHECK(list.children()[0].location() == Location{"t.json", 3, 13, 6});
    CHECK(list.children()[0].text() == "-1.5e3");
    CHECK(list.children()[1].location() == Location{"t.json", 4, 2, 3});
}

TEST_CASE("null, booleans and numbers are told from strings", "[json]") {
    const Node root = tree_of(R"([null, true, 7, "7"])");
    CHECK(root.children()[0].is_null());
    CHECK_FALSE(root.children()[1].quoted());
    CHECK_FALSE(root.children()[2].quoted());
    CHECK(root.children()[3].quoted());
}

TEST_CASE("what is no JSON is reported where it stands", "[json]") {
    CHECK(complaint("{ \"a\": 1\n  \"b\": 2 }").find("t.json:2:3: error: not valid JSON") == 0);
    CHECK(complaint("{ \"a\" 1 }").find("t.json:1:7: error") == 0);
    CHECK(complaint("{ \"a\": 01 }").substr(0, 17) == "t.json:1:9: error");
    CHECK(complaint("").find("not valid JSON") != std::string::npos);
    CHECK(complaint("{ \"a\": 1").find("unexpected end of input") != std::string::npos);
    CHECK(complaint("{} {}").substr(0, 17) == "t.json:1:4: error");
    CHECK(complaint("{ /* \"a\": 1 }").find("t.json:1:3: error: the comment") == 0);
}

TEST_CASE("depth and size have limits", "[json]") {
    CHECK(complaint(std::string(100'000, '[')).find("nested deeper than 64") != std::string::npos);
    std::string many = "[";
    for (int i = 0; i <= kMostValues; ++i) {
        many += "1,";
    }
    CHECK(complaint(many + "]").find("more than 200000 values") != std::string::npos);
}

}  // namespace idlesim::config
