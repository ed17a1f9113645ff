// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_path.hpp"

#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "tests/catch.hpp"

using namespace idlesim;

namespace {

struct Outcome {
    std::string tree;
    std::string complaint;
};

Outcome put(const std::string& path) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(
        "a: { b: 1 }\nlist: [ { x: 1 }, [2, 3] ]\nnone: null\n", "f.yaml", diagnostics);
    const config::Location where{"s.yaml", 3, 5, 1};
    put_at_path(root, path, where, config::Node::scalar("7", false, where), diagnostics);
    return {config::write_flow(root), diagnostics.render()};
}

}  // namespace

TEST_CASE("a value goes to its path, whatever was there", "[sweep]") {
    REQUIRE(put("a.b").tree == "{a: {b: 7}, list: [{x: 1}, [2, 3]], none: null}");
    REQUIRE(put("a").tree == "{a: 7, list: [{x: 1}, [2, 3]], none: null}");
    REQUIRE(put("list[0].x").tree == "{a: {b: 1}, list: [{x: 7}, [2, 3]], none: null}");
    REQUIRE(put("list[1][0]").tree == "{a: {b: 1}, list: [{x: 1}, [7, 3]], none: null}");
    REQUIRE(put("none.c.d").tree == "{a: {b: 1}, list: [{x: 1}, [2, 3]], none: {c: {d: 7}}}");
}

TEST_CASE("a path that leads nowhere is an error at the key of the sweep", "[sweep]") {
    for (const char* path : {"a.b.c", "list[2]", "a[0]", "list[x]", "a..b", "[0]", "list[0"}) {
        INFO(path);
        REQUIRE(put(path).complaint.find("s.yaml:3:5: error") != std::string::npos);
    }
}
