// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load.hpp"
#include "tests/catch.hpp"
#include "tests/unit/config/demo_table.hpp"

#include <stdexcept>

namespace idlesim {
namespace {

using Strategies = Registry<demo::Strategy>;

TEST_CASE("registered kinds are listed by name with help and parameters") {
    CHECK(Strategies::names() == std::vector<std::string>{"haltpoll", "hlt"});
    CHECK(Strategies::help("hlt") == "halt at once");
    CHECK(Strategies::describe("haltpoll").at(0).default_text == "200 us");
    CHECK_THROWS_AS(Strategies::help("hltt"), std::out_of_range);
}

TEST_CASE("a name that is taken is refused") {
    KindTable table;
    table.add("x", {});
    CHECK_THROWS_AS(table.add("x", {}), std::logic_error);
}

TEST_CASE("a choice is a value: each make() builds a fresh object") {
    const Choice<demo::Strategy> choice = Strategies::choice("haltpoll");
    const Choice<demo::Strategy> copy = choice;
    CHECK(copy.make() != choice.make());
    CHECK(copy.kind == "haltpoll");
    CHECK(copy.location.file == config::kDefault);
}

std::string choice_complaint(std::string_view text) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(text, "f", diagnostics);
    Choice<demo::Strategy> choice;
    CHECK_FALSE(read_choice(root, "kind", choice, diagnostics));
    const std::string all = diagnostics.render();
    return all.substr(0, all.find('\n'));
}

TEST_CASE("an unknown or missing kind is reported with what there is") {
    CHECK(choice_complaint("kind: hltpoll") ==
          "f:1:7: error: kind: unknown value 'hltpoll'; did you mean 'haltpoll'?");
    CHECK(choice_complaint("kind: mwait") ==
          "f:1:7: error: kind: unknown value 'mwait'; known values: haltpoll, hlt");
    CHECK(choice_complaint("grow: 2") ==
          "f:1:1: error: key 'kind' is missing; known values: haltpoll, hlt");
    CHECK(choice_complaint("kind: hlt\ngrow: 2") ==
          "f:2:1: error: unknown key 'grow'; known keys: kind");
    CHECK(choice_complaint("kind: haltpoll\ngrow: 0") == "f:2:7: error: grow: must be at least 1");
    CHECK(choice_complaint("[hlt]") == "f:1:1: error: expected a map, not a list");
}

}  // namespace
}  // namespace idlesim
