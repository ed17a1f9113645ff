// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load.hpp"
#include "tests/catch.hpp"
#include "tests/unit/config/demo_table.hpp"

#include <limits>
#include <string>
#include <vector>

namespace idlesim::config {
namespace {

using namespace std::chrono_literals;

demo::Demo read_demo(std::string_view text, Node* tree = nullptr) {
    Diagnostics diagnostics;
    Node root = load_text(text, "demo.yaml", diagnostics);
    demo::Demo demo;
    read(root, parameters(&demo), demo, diagnostics);
    INFO(diagnostics.render());
    CHECK_FALSE(diagnostics.has_errors());
    if (tree != nullptr) {
        *tree = root;
    }
    return demo;
}

TEST_CASE("what is not given keeps the member's initialiser") {
    const demo::Demo demo = read_demo("title: x");
    CHECK(demo.title == "x");
    CHECK(demo.deadline == 1500ns);
    CHECK(demo.kernel.hz == 250);
    CHECK(demo.clock == Frequency{2'100'000'000, 1});
    CHECK(demo.steps == std::vector<Duration>{1ns, Duration{2500}});
    CHECK(demo.idle.kind == "haltpoll");
    CHECK(demo.idle.make()->poll_for() == 400us);
}

TEST_CASE("every type reads its value") {
    const demo::Demo demo = read_demo(R"(title: "a: b"
kernel: { version: 5.10, hz: 1000, cpu: 7 }
idle: { strategy: haltpoll, poll_limit: 5 us, grow: 3 }
arms:
  first: hlt
  second: { strategy: haltpoll }
cstates:
  - { name: C6, mwait_hint: 0x20, exit_latency: 133 us, power: 300 mW, stops: [tsc, core_clock] }
  - { name: C1, exit_latency: 1.5us, target_residency: null }
deadline: 0.001 ns
steps: [1 ns, 2 µs, 3 min]
clock: 133.333333 MHz
energy: 20 uJ
share: 6 %
tolerance: 5 points
seed: 18446744073709551615
offset: -9223372036854775808
weight: 1e-3
enabled: false
)");
    CHECK(demo.title == "a: b");
    CHECK(demo.kernel.version == "5.10");
    CHECK(demo.kernel.cpu.value == 7);
    CHECK(demo.kernel.cpu.location == Location{"demo.yaml", 2, 41, 1});
    CHECK(demo.idle.make()->poll_for() == 15us);
    REQUIRE(demo.arms.size() == 2);
    CHECK(demo.arms.entries[0].key == "first");
    CHECK(demo.arms.entries[0].value.kind == "hlt");
    CHECK(demo.arms.entries[1].key_location == Location{"demo.yaml", 6, 3, 6});
    CHECK(demo.arms.find("second")->make()->poll_for() == 400us);
    REQUIRE(demo.cstates.size() == 2);
    CHECK(demo.cstates[0].mwait_hint.value == 0x20);
    CHECK(demo.cstates[0].power.watts == 0.3);
    CHECK(demo.cstates[0].stops == std::vector{demo::Part::tsc, demo::Part::core_clock});
    CHECK(demo.cstates[0].location.line == 8);
    CHECK(demo.cstates[1].exit_latency == 1500ns);
    CHECK_FALSE(demo.cstates[1].target_residency.has_value());
    CHECK(demo.deadline == Duration{1});
    CHECK(demo.steps == std::vector<Duration>{1ns, 2us, 3min});
    CHECK(demo.clock == Frequency{133'333'333, 1});
    CHECK(demo.energy.joules == 20e-6);
    CHECK(demo.share.value == 0.06);
    CHECK(demo.tolerance.value == 5);
    CHECK(demo.seed == 18'446'744'073'709'551'615U);
    CHECK(demo.offset == std::numeric_limits<std::int64_t>::min());
    CHECK(demo.weight == 1e-3);
    CHECK_FALSE(demo.enabled);
}

TEST_CASE("defaults are added to the tree and known as such") {
    Node tree;
    read_demo("title: x\nkernel: {hz: 100}", &tree);
    REQUIRE(tree.find("deadline") != nullptr);
    CHECK(tree.find("deadline")->text() == "1500 ns");
    CHECK(tree.find("deadline")->is_default());
    CHECK_FALSE(tree.find("kernel")->find("hz")->is_default());
    CHECK(tree.find("kernel")->find("version")->is_default());
    CHECK(tree.find("idle")->find("poll_limit")->text() == "200 us");
}

TEST_CASE("an invalid node is not complained about again") {
    Diagnostics diagnostics;
    Node root = load_text("title: *nothing", "demo.yaml", diagnostics);
    demo::Demo demo;
    CHECK_FALSE(read(root, parameters(&demo), demo, diagnostics));
    CHECK(diagnostics.errors() == 1);
}

TEST_CASE("every error of a file is found, in file order") {
    Diagnostics diagnostics;
    Node root = load_text("deadline: 5\ncolck: 1 GHz\ntitle: x\nclock: 9 GHz\n", "d", diagnostics);
    demo::Demo demo;
    CHECK_FALSE(read(root, parameters(&demo), demo, diagnostics));
    const std::string text = diagnostics.render();
    CHECK(text.find("d:1:11: error: deadline: a duration needs a unit") != std::string::npos);
    CHECK(text.find("d:2:1: error: unknown key 'colck'; did you mean 'clock'?") !=
          std::string::npos);
    CHECK(text.find("d:4:8: error: clock: must be at most 5 GHz") != std::string::npos);
    CHECK(text.find("d:1") < text.find("d:2"));
    CHECK(text.find("d:2") < text.find("d:4"));
    CHECK(text.ends_with("3 errors\n"));
}

TEST_CASE("a description tells type, unit, constraint, default and help, nested ones too") {
    const demo::Demo demo;
    const std::vector<FieldDescription> fields = describe(parameters(&demo));
    const auto find = [](const std::vector<FieldDescription>& all, std::string_view key) {
        for (const FieldDescription& field : all) {
            if (field.key == key) {
                return field;
            }
        }
        FAIL("no field " << key);
        return FieldDescription{};
    };
    const FieldDescription clock = find(fields, "clock");
    CHECK(clock.type.name == "frequency");
    CHECK(clock.type.units == kFrequencyUnits);
    CHECK(clock.default_text == "2100 MHz");
    CHECK(clock.constraint == "at most 5 GHz");
    CHECK(clock.help == "speed of the core");
    CHECK_FALSE(clock.required);
    CHECK(find(fields, "title").required);
    CHECK(find(fields, "steps").default_text == "[1 ns, 2500 ps]");
    CHECK(find(fields, "steps").type.name == "list of duration");
    CHECK(find(find(fields, "kernel").type.fields, "hz").constraints.at(0).limits ==
          std::vector<std::string>{"100", "250", "300", "1000"});

    const FieldDescription states = find(fields, "cstates");
    REQUIRE(states.type.item.size() == 1);
    const FieldDescription stops = find(states.type.item[0].fields, "stops");
    CHECK(stops.type.item.at(0).names ==
          std::vector<std::string>{"core_clock", "apic_timer", "tsc"});
    CHECK(find(states.type.item[0].fields, "target_residency").type.optional);

    const FieldDescription idle = find(fields, "idle");
    CHECK(idle.type.kind_key == "strategy");
    REQUIRE(idle.type.kinds.size() == 2);
    CHECK(idle.type.kinds[0].name == "haltpoll");
    CHECK(find(idle.type.kinds[0].fields, "grow").constraint == "at least 1");
}

struct Tree {
    int value = 0;
    std::vector<Tree> branches;
};

const Fields<Tree>& parameters(const Tree* /*type*/) {
    static const Fields<Tree> kFields{field("value", &Tree::value, "of the node"),
                                      field("branches", &Tree::branches, "below it")};
    return kFields;
}

TEST_CASE("a struct that holds itself is read, and its description ends") {
    Diagnostics diagnostics;
    Node root = load_text("branches: [{value: 1, branches: [{value: 2}]}]", "t", diagnostics);
    Tree tree;
    CHECK(read(root, parameters(&tree), tree, diagnostics));
    CHECK(tree.branches.at(0).branches.at(0).value == 2);
    CHECK(describe(parameters(&tree)).size() == 2);
}

}  // namespace
}  // namespace idlesim::config
