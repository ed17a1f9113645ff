// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/target.hpp"

#include "sim/config/load.hpp"
#include "tests/catch.hpp"

#include <cmath>

using namespace idlesim;

namespace {

Target target_of(const std::string& yaml) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(yaml, "t.yaml", diagnostics);
    Target target;
    config::read(root, parameters(static_cast<const Target*>(nullptr)), target, diagnostics);
    check(target, {"hlt", "mwait"}, diagnostics);
    const std::string errors = diagnostics.render();
    INFO(errors);
    REQUIRE(errors.empty());
    return target;
}

std::string complaints(const std::string& yaml) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(yaml, "t.yaml", diagnostics);
    Target target;
    config::read(root, parameters(static_cast<const Target*>(nullptr)), target, diagnostics);
    check(target, {"hlt", "mwait"}, diagnostics);
    return diagnostics.render();
}

/// Two replications whose medians lie `spread` ns on both sides of `median` ns.
Metric latency(double median, double spread) {
    Metric metric{"wake_latency", "ns"};
    for (const double place : {median - spread, median + spread}) {
        metric.add_replication(
            SortedValues::times({static_cast<std::int64_t>(place * 1000 - 1000),
                                 static_cast<std::int64_t>(place * 1000),
                                 static_cast<std::int64_t>(place * 1000 + 1000)}));
    }
    metric.pool();
    return metric;
}

Verdict verdict(const std::string& rest, const Metric& metric) {
    const Target target =
        target_of("{arm: hlt, metric: wake_latency, stat: p50, source: x, " + rest + "}");
    return judge(target, metric, nullptr).verdict;
}

}  // namespace

TEST_CASE("inside the tolerance is a pass, outside a miss", "[experiment]") {
    const std::string target = "documented: 2000 ns, tolerance: 100 ns";
    REQUIRE(verdict(target, latency(2099, 1)) == Verdict::pass);
    REQUIRE(verdict(target, latency(2101, 1)) == Verdict::missed);
    REQUIRE(verdict(target, latency(1901, 1)) == Verdict::pass);
    REQUIRE(verdict(target, latency(1899, 1)) == Verdict::missed);
}

TEST_CASE("an explained miss is a known miss, but a pass stays a pass", "[experiment]") {
    const std::string target = "documented: 2000 ns, tolerance: 5 %, known_miss: because";
    REQUIRE(verdict(target, latency(2200, 1)) == Verdict::known_miss);
    REQUIRE(verdict(target, latency(2050, 1)) == Verdict::pass);
}

TEST_CASE("an interval wider than the tolerance decides nothing", "[experiment]") {
    const std::string target = "documented: 2000 ns, tolerance: 100 ns";
    REQUIRE(verdict(target, latency(2000, 50)) == Verdict::undecided);
    REQUIRE(verdict(target, latency(2400, 50)) == Verdict::undecided);
}

TEST_CASE("a wide interval that lies outside as a whole is a miss", "[experiment]") {
    REQUIRE(verdict("documented: 2000 ns, tolerance: 100 ns", latency(5000, 50)) ==
            Verdict::missed);
}

TEST_CASE("of several tolerances the larger counts", "[experiment]") {
    REQUIRE(verdict("documented: 2000 ns, tolerance: [100 ns, 6 %]", latency(2115, 1)) ==
            Verdict::pass);
    REQUIRE(verdict("documented: 1000 ns, tolerance: [100 ns, 6 %]", latency(1095, 1)) ==
            Verdict::pass);
}

TEST_CASE("a published range is met inside of it", "[experiment]") {
    const std::string target = "range: [1 us, 1.2 us]";
    REQUIRE(verdict(target, latency(1100, 1)) == Verdict::pass);
    REQUIRE(verdict(target, latency(1210, 1)) == Verdict::missed);
    REQUIRE(verdict(target + ", tolerance: 20 ns", latency(1210, 1)) == Verdict::pass);
}

TEST_CASE("context and predictions are never judged", "[experiment]") {
    REQUIRE(verdict("documented: 2000 ns, use: context", latency(9000, 1)) == Verdict::context);
    REQUIRE(verdict("use: prediction", latency(9000, 1)) == Verdict::context);
}

TEST_CASE("a relative target is a percentage of the other arm", "[experiment]") {
    const Target target = target_of(
        "{arm: hlt, relative_to: mwait, metric: wake_latency, stat: p50, source: x, "
        "documented: 21.74 %, tolerance: 4 points}");
    const Metric hlt = latency(2800, 0);
    const Metric mwait = latency(2300, 0);
    const Judgement judgement = judge(target, hlt, &mwait);
    REQUIRE(judgement.simulated.value == Approx(21.7391));
    REQUIRE(judgement.error_percent == Approx(100 * (1.217391 / 1.2174 - 1)).margin(1e-4));
    REQUIRE(judgement.verdict == Verdict::pass);
    REQUIRE(judgement.tolerance == 4.0);
    REQUIRE(target.unit_of("ns") == "%");
}

TEST_CASE("the published sample's own error adds to the tolerance", "[experiment]") {
    Metric metric{"wake_latency", "ns"};
    for (int replication = 0; replication < 2; ++replication) {
        std::vector<std::int64_t> values;
        for (int i = 0; i <= 10000; ++i) {
            values.push_back(1000 * i);
        }
        metric.add_replication(SortedValues::times(values));
    }
    metric.pool();
    const std::string common =
        "{arm: hlt, metric: wake_latency, stat: p50, source: x, documented: 5100 ns, "
        "tolerance: 10 ns";
    REQUIRE(judge(target_of(common + "}"), metric, nullptr).verdict == Verdict::missed);
    const Judgement judgement = judge(target_of(common + ", samples: 10000}"), metric, nullptr);
    // 1.96 * sqrt(10000 / 4) ranks of 1 ns each.
    REQUIRE(judgement.tolerance == Approx(10 + 98).margin(2));
    REQUIRE(judgement.verdict == Verdict::pass);
}

TEST_CASE("targets that make no sense are refused", "[experiment]") {
    const std::string common = "{arm: hlt, metric: wake_latency, stat: p50, source: x, ";
    REQUIRE(complaints("{arm: hlt, metric: wake_latency, stat: p51, source: x, documented: 1 ns, "
                       "tolerance: 1 %}")
                .find("unknown stat 'p51'; did you mean") != std::string::npos);
    REQUIRE(complaints("{arm: hll, metric: wake_latency, stat: p50, source: x, documented: 1 ns, "
                       "tolerance: 1 %}")
                .find("did you mean 'hlt'?") != std::string::npos);
    REQUIRE(complaints(common + "documented: 2000, tolerance: 5 %}").find("unit of time") !=
            std::string::npos);
    REQUIRE(complaints(common + "tolerance: 5 %}").find("needs 'documented'") != std::string::npos);
    REQUIRE(complaints(common + "documented: 2 us}").find("needs a 'tolerance'") !=
            std::string::npos);
    REQUIRE(complaints(common + "documented: 2 us, tolerance: 5 points}").find("percentages") !=
            std::string::npos);
    REQUIRE(complaints(common + "range: [3 us, 2 us]}").find("[lowest, highest]") !=
            std::string::npos);
    REQUIRE(complaints(common + "relative_to: mwait, documented: 2 us, tolerance: 5 %}")
                .find("is a percentage") != std::string::npos);
}
