// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_until.hpp"

#include "sim/analysis/interval.hpp"
#include "sim/config/load.hpp"
#include "sim/engine/random.hpp"
#include "tests/catch.hpp"

#include <cmath>

using namespace idlesim;

namespace {

UntilRule rule_of(double width, int at_least, int at_most) {
    UntilRule rule;
    rule.width = width;
    rule.at_least = at_least;
    rule.at_most = at_most;
    return rule;
}

// A sum of twelve uniform values is close enough to normal.
double normal(RandomStream& stream) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
        sum += stream.uniform();
    }
    return sum;
}

struct Trials {
    double coverage = 0;
    double mean = 0;
    double replications = 0;
};

/// Follows the rule many times over standard normal values.
Trials follow(const UntilRule& rule, int trials) {
    Trials result;
    for (int trial = 0; trial < trials; ++trial) {
        RandomStream stream{7, "until", static_cast<std::uint64_t>(trial)};
        std::vector<double> values;
        int wanted = rule.at_least;
        for (;;) {
            while (static_cast<int>(values.size()) < wanted) {
                values.push_back(normal(stream));
            }
            const double half = student_half_width(values);
            const int next = rule.next_look(wanted);
            if (rule.narrow_enough(mean(values), 2 * half) || next == wanted) {
                result.coverage += std::abs(mean(values)) <= half ? 1.0 / trials : 0.0;
                result.mean += mean(values) / trials;
                result.replications += static_cast<double>(wanted) / trials;
                break;
            }
            wanted = next;
        }
    }
    return result;
}

UntilRule read(const std::string& width, bool delta, std::string& complaint) {
    config::Diagnostics diagnostics;
    const config::Node root = config::load_text("width: " + width + "\n", "f.yaml", diagnostics);
    UntilRule rule;
    rule.delta = delta;
    read_width(*root.find("width"), rule, diagnostics);
    complaint = diagnostics.render();
    return rule;
}

}  // namespace

TEST_CASE("the number of replications grows by half from look to look, up to the cap", "[sweep]") {
    const UntilRule rule = rule_of(1, 5, 20);
    REQUIRE(rule.next_look(5) == 8);
    REQUIRE(rule.next_look(8) == 12);
    REQUIRE(rule.next_look(18) == 20);
    REQUIRE(rule.next_look(20) == 20);
}

TEST_CASE("an unknown interval is not narrow", "[sweep]") {
    REQUIRE_FALSE(rule_of(1, 5, 20).narrow_enough(1, std::nan("")));
    UntilRule relative = rule_of(0.02, 5, 20);
    relative.relative = true;
    REQUIRE(relative.narrow_enough(-100, 2));
    REQUIRE_FALSE(relative.narrow_enough(100, 2.1));
}

// The bias that UntilRule documents. Fixed streams: the numbers are the same every time.
TEST_CASE("stopping at a narrow interval costs little coverage and shifts no mean", "[sweep]") {
    const Trials fixed = follow(rule_of(1e-9, 20, 20), 4000);
    REQUIRE(fixed.coverage > 0.94);
    const Trials early = follow(rule_of(0.9, 5, 200), 4000);
    CAPTURE(early.coverage, early.mean, early.replications);
    REQUIRE(early.replications > 12);
    REQUIRE(early.coverage > 0.90);
    REQUIRE(early.coverage < fixed.coverage);
    REQUIRE(std::abs(early.mean) < 0.02);
    // More replications before the first look take most of it away.
    const Trials late = follow(rule_of(0.9, 15, 200), 4000);
    CAPTURE(late.coverage);
    REQUIRE(late.coverage > early.coverage);
}

TEST_CASE("a width is a duration, a share, a number, or points of a delta", "[sweep]") {
    std::string complaint;
    REQUIRE(read("5 us", false, complaint).width == 5000);
    const UntilRule share = read("2 %", false, complaint);
    REQUIRE(share.relative);
    REQUIRE(share.width == 0.02);
    REQUIRE(read("0.5", false, complaint).width == 0.5);
    REQUIRE(read("3 points", true, complaint).width == 3);
    REQUIRE(complaint.empty());
    read("2 %", true, complaint);
    REQUIRE(complaint.find("in points") != std::string::npos);
    read("0 ns", false, complaint);
    REQUIRE(complaint.find("f.yaml:1:8") != std::string::npos);
}
