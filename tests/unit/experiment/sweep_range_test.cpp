// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_range.hpp"

#include "sim/config/load.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <set>

using namespace idlesim;

namespace {

struct Axis {
    std::vector<std::string> values;
    std::string complaint;
};

Axis axis(const std::string& flow) {
    config::Diagnostics diagnostics;
    const config::Node root = config::load_text("x: " + flow + "\n", "f.yaml", diagnostics);
    Axis result;
    for (const config::Node& value : axis_values(*root.find("x"), diagnostics)) {
        result.values.push_back(value.text());
    }
    result.complaint = diagnostics.render();
    return result;
}

using Texts = std::vector<std::string>;

SweepSample sample_of(int count, SampleMethod method) {
    config::Diagnostics diagnostics;
    const config::Node root = config::load_text(
        "range: { from: 10 us, to: 1 ms, scale: log }\nchoice: [a, b, c]\n", "f.yaml", diagnostics);
    SweepSample sample;
    sample.method = method;
    sample.count = count;
    sample.over.entries.push_back({"workload.interval", {}, {*root.find("range")}});
    sample.over.entries.push_back({"kernel.hz", {}, {*root.find("choice")}});
    return sample;
}

}  // namespace

TEST_CASE("a linear range holds both ends, and keeps its unit", "[sweep]") {
    REQUIRE(axis("{ from: 1, to: 3, count: 5 }").values == Texts{"1", "1.5", "2", "2.5", "3"});
    REQUIRE(axis("{ from: 1 us, to: 2 us, count: 3 }").values == Texts{"1 us", "1500 ns", "2 us"});
    REQUIRE(axis("{ from: 10 %, to: 30 %, step: 10 % }").values == Texts{"10 %", "20 %", "30 %"});
    REQUIRE(axis("{ from: 5, to: 1, step: -2 }").values == Texts{"5", "3", "1"});
    REQUIRE(axis("{ from: 7 ns, to: 9 ns, count: 1 }").values == Texts{"7 ns"});
}

TEST_CASE("a logarithmic range is even in the logarithm, and the same in every decade", "[sweep]") {
    REQUIRE(axis("{ from: 1 us, to: 1 ms, count: 4, scale: log }").values ==
            Texts{"1 us", "10000 ns", "100000 ns", "1 ms"});
    REQUIRE(axis("{ from: 1, to: 100, per_decade: 2 }").values ==
            Texts{"1", "3.162", "10", "31.62", "100"});
    REQUIRE(axis("{ from: 100, to: 1, per_decade: 1 }").values == Texts{"100", "10", "1"});
    REQUIRE(axis("{ from: 1, to: 5, per_decade: 2 }").values == Texts{"1", "3.162", "5"});
}

TEST_CASE("a range that makes no sense is refused at its place", "[sweep]") {
    for (const auto& [flow, says] : {std::pair{"{ from: 1, to: 2 }", "one of count, step"},
                                     {"{ from: 1, to: 2, count: 2, step: 1 }", "one of count"},
                                     {"{ from: 0, to: 2, per_decade: 2 }", "ends above 0"},
                                     {"{ from: 1 us, to: 2, count: 2 }", "the same unit"},
                                     {"{ from: 1, to: 2, step: 0 }", "towards"},
                                     {"{ from: 1, to: 1000000000, step: 1 }", "1000000000 values"},
                                     {"{ from: 1, too: 2, count: 2 }", "'too'"},
                                     {"[]", "at least one value"},
                                     {"5", "a list of values or a range"}}) {
        INFO(flow);
        const Axis result = axis(flow);
        REQUIRE(result.complaint.find(says) != std::string::npos);
        REQUIRE(result.complaint.find("f.yaml:1:") != std::string::npos);
    }
}

TEST_CASE("a Latin hypercube meets each part of a range once", "[sweep]") {
    config::Diagnostics diagnostics;
    const auto columns = sample_values(sample_of(50, SampleMethod::latin_hypercube), diagnostics);
    REQUIRE(columns.size() == 2);
    std::vector<double> values;
    for (const config::Node& value : columns[0]) {
        values.push_back(std::stod(value.text()));
    }
    std::sort(values.begin(), values.end());
    double low = 10'000;
    const double ratio = 1.0964781961431851;  // 100^(1/50)
    for (const double value : values) {
        REQUIRE(value >= low * 0.99999);
        REQUIRE(value <= low * ratio * 1.00001);
        low *= ratio;
    }
    REQUIRE(std::count_if(columns[1].begin(), columns[1].end(), [](const auto& node) {
                return node.text() == "b";
            }) >= 16);
}

TEST_CASE("more random draws keep the ones before", "[sweep]") {
    config::Diagnostics diagnostics;
    const auto few = sample_values(sample_of(5, SampleMethod::random), diagnostics);
    const auto many = sample_values(sample_of(9, SampleMethod::random), diagnostics);
    std::set<std::string> distinct;
    for (std::size_t i = 0; i < 5; ++i) {
        REQUIRE(few[0][i].text() == many[0][i].text());
        REQUIRE(few[1][i].text() == many[1][i].text());
        distinct.insert(few[0][i].text());
    }
    REQUIRE(distinct.size() == 5);
}
