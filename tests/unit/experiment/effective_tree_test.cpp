// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/effective_tree.hpp"

#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "sim/config/override.hpp"
#include "tests/catch.hpp"

using namespace idlesim;

namespace {

config::Node tree(const std::string& text) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(text, "t.yaml", diagnostics);
    REQUIRE(diagnostics.render().empty());
    return root;
}

std::string flow(const config::Node& node) {
    return config::write_flow(node);
}

}  // namespace

TEST_CASE("what arms share stands above them, the rest comes back by merging", "[experiment]") {
    const std::vector<config::Node> arms{
        tree("{a: 1, idle: {strategy: hlt, x: 5 us}, list: [1, 2], same: {p: 1, q: [3]}}"),
        tree("{a: 1, idle: {strategy: mwait, x: 5 us, hint: 0}, list: [1], same: {p: 1, q: [3]}}")};
    const config::Node common = common_part({&arms[0], &arms[1]});
    REQUIRE(flow(common) == flow(tree("{a: 1, idle: {x: 5 us}, same: {p: 1, q: [3]}}")));
    REQUIRE(flow(remainder(arms[0], common)) ==
            flow(tree("{idle: {strategy: hlt}, list: [1, 2]}")));
    for (const config::Node& arm : arms) {
        config::Node again = common;
        config::merge(again, remainder(arm, common));
        // Same values; merging may give another order of keys.
        REQUIRE(remainder(again, arm).children().empty());
        REQUIRE(remainder(arm, again).children().empty());
    }
}

TEST_CASE("equal text in quotes is another value", "[experiment]") {
    const config::Node plain = tree("{v: 5}");
    const config::Node text = tree("{v: '5'}");
    REQUIRE(common_part({&plain, &text}).children().empty());
}

TEST_CASE("a single arm is all common", "[experiment]") {
    const config::Node arm = tree("{a: {b: {c: 1}}, d: {}}");
    const config::Node common = common_part({&arm});
    REQUIRE(flow(common) == flow(arm));
    REQUIRE(remainder(arm, common).children().empty());
}
