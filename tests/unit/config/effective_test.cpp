// SPDX-License-Identifier: Apache-2.0
#include "sim/config/effective.hpp"

#include "sim/config/load.hpp"
#include "sim/config/override.hpp"
#include "tests/catch.hpp"
#include "tests/unit/config/demo_table.hpp"

#include <random>
#include <stdexcept>

namespace idlesim::config {
namespace {

std::string without_comments(const std::string& text) {
    std::string result;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin);
        result += line.substr(0, line.rfind("  # ")) + "\n";
        begin = end + 1;
    }
    return result;
}

/// Reads a text into the demo table and writes what counted.
std::string effective(const std::string& text, demo::Demo& demo) {
    Diagnostics diagnostics;
    Node root = load_text(text, "f", diagnostics);
    read(root, parameters(&demo), demo, diagnostics);
    INFO(text << diagnostics.render());
    REQUIRE_FALSE(diagnostics.has_errors());
    return write_effective(root);
}

TEST_CASE("every value is written with its origin") {
    Diagnostics diagnostics;
    Node root = load_text(
        "title: \"x: y\"\nlist: [1, {a: b, c: []}]\nempty: {}\nnone: ~\nin:\n  - - 1\n    - 2\n",
        "dir/f.yaml",
        diagnostics);
    apply_set(root, "new.key=5 us", 1, diagnostics);
    root.insert("more", default_location(), default_node("7"));
    REQUIRE_FALSE(diagnostics.has_errors());
    CHECK(write_effective(root) ==
          "title: \"x: y\"  # dir/f.yaml:1:8\n"
          "list:\n"
          "  - 1  # dir/f.yaml:2:8\n"
          "  - a: b  # dir/f.yaml:2:15\n"
          "    c: []  # dir/f.yaml:2:21\n"
          "empty: {}  # dir/f.yaml:3:8\n"
          "none: null  # dir/f.yaml:4:7\n"
          "in:\n"
          "  - - 1  # dir/f.yaml:6:7\n"
          "    - 2  # dir/f.yaml:7:7\n"
          "new:\n"
          "  key: 5 us  # command line\n"
          "more: 7  # default\n");
}

TEST_CASE("an effective configuration reads back as the same values") {
    const std::string text =
        "title: ' #quote\"s and µ: \\ '\n"
        "arms: {a: hlt, b: {strategy: haltpoll, grow: 9}}\n"
        "cstates:\n  - {name: \"null\", exit_latency: 1 us, stops: []}\n"
        "  - {name: 'true', exit_latency: 2 us, stops: [tsc, apic_timer], target_residency: 3 us}\n"
        "share: 33.3 %\nclock: 133.3333333 MHz\nweight: 1e-7\nenergy: 1.1 nJ\n";
    demo::Demo first;
    demo::Demo second;
    demo::Demo third;
    const std::string once = effective(text, first);
    const std::string twice = effective(once, second);
    const std::string thrice = effective(twice, third);
    CHECK(without_comments(once) == without_comments(twice));
    CHECK(without_comments(twice) == without_comments(thrice));
    CHECK(second.title == first.title);
    CHECK(second.clock == first.clock);
    CHECK(second.share.value == first.share.value);
    CHECK(second.cstates.at(0).name == "null");
    CHECK(second.arms.find("b")->make()->poll_for() == first.arms.find("b")->make()->poll_for());
}

demo::Demo random_demo(std::mt19937_64& random) {
    const auto below = [&random](std::uint64_t n) { return random() % n; };
    const auto any_double = [&] { return std::ldexp(static_cast<double>(below(1U << 30U)), -29); };
    const auto any_duration = [&] {
        return Duration{1'000 + static_cast<std::int64_t>(below(10'000'000'000U) >> below(30))};
    };
    const auto any_string = [&] {
        static constexpr std::string_view kPieces[] = {
            "a", "1", " ", ":", "#",    "\"", "'",    "\\", "\n",  "\t", "µ",
            "-", "[", "]", "{", "}",    ",",  "&",    "*",  "!",   "|",  ">",
            "%", "@", "`", "?", "null", "~",  "true", ".",  "\x01"};
        std::string result;
        for (std::uint64_t i = below(6); i > 0; --i) {
            result += kPieces[below(std::size(kPieces))];
        }
        return result;
    };
    demo::Demo demo;
    demo.title = any_string();
    demo.kernel.version = any_string();
    demo.idle = Registry<demo::Strategy>::choice(below(2) == 0 ? "hlt" : "haltpoll");
    for (std::uint64_t i = below(4); i > 0; --i) {
        demo::CState state;
        state.name = any_string();
        state.mwait_hint = {random()};
        state.exit_latency = any_duration();
        state.power = {any_double()};
        if (below(2) == 0) {
            state.target_residency = Duration{static_cast<std::int64_t>(below(1'000'000))};
        }
        state.stops.assign(below(3), demo::Part::tsc);
        demo.cstates.push_back(state);
    }
    demo.deadline = any_duration();
    demo.steps.assign(below(3), any_duration());
    demo.clock = {1 + static_cast<std::int64_t>(below(4'000'000'000)), 1};
    demo.energy = {any_double()};
    demo.share = {any_double() / 2};
    demo.seed = random();
    demo.offset = static_cast<std::int64_t>(random());
    demo.enabled = below(2) == 0;
    return demo;
}

TEST_CASE("values that were never in a file survive writing and reading") {
    std::mt19937_64 random{3};
    for (int i = 0; i < 500; ++i) {
        demo::Demo demo = random_demo(random);
        const Fields<demo::Demo>& fields = parameters(&demo);
        const std::string text = write_effective(fields_to_node(fields.infos(), &demo));
        demo::Demo again;
        effective(text, again);
        INFO(text);
        CHECK(write_flow(fields_to_node(fields.infos(), &again)) ==
              write_flow(fields_to_node(fields.infos(), &demo)));
        CHECK(again.title == demo.title);
        CHECK(again.kernel.version == demo.kernel.version);
    }
}

TEST_CASE("scalars are replaced in place, the rest of the text stays") {
    const std::string text = "a: 1 us  # one\nb: {c: \"x\", d: 3}\n";
    Diagnostics diagnostics;
    const Node root = load_text(text, "f", diagnostics);
    const Location a = root.find("a")->location();
    const Location c = root.find("b")->find("c")->location();
    CHECK(replace_scalars(text, {{c, "yy"}, {a, "1.25 us"}}) ==
          "a: 1.25 us  # one\nb: {c: yy, d: 3}\n");
    CHECK(replace_scalars(text, {}) == text);
    CHECK_THROWS_AS(replace_scalars(text, {{a, "1"}, {a, "2"}}), std::invalid_argument);
    CHECK_THROWS_AS(replace_scalars(text, {{{"f", 9, 1, 1}, "1"}}), std::invalid_argument);
    CHECK_THROWS_AS(replace_scalars(text, {{{"f", 1, 80, 1}, "1"}}), std::invalid_argument);
    CHECK_THROWS_AS(replace_scalars(text, {{{"f", 0, 0, 1}, "1"}}), std::invalid_argument);
}

}  // namespace
}  // namespace idlesim::config
