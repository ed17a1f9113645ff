// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_settings.hpp"

#include <algorithm>

namespace idlesim::config {

bool Converter<SweepValue>::read(const Node& node, SweepValue& out, Diagnostics& diagnostics) {
    if (node.is_null() && node.text().empty()) {
        report(node, "a value is missing", diagnostics);
        return false;
    }
    out.node = node;
    return !node.is_invalid();
}

std::optional<Node> Converter<SweepValue>::to_node(const SweepValue& value) {
    return value.node.is_null() ? std::nullopt : std::optional{value.node};
}

TypeDescription Converter<SweepValue>::describe(int /*depth*/) {
    TypeDescription description;
    description.name = "any value";
    return description;
}

}  // namespace idlesim::config

namespace idlesim {

using config::field;

const config::Fields<SweepSample>& parameters(const SweepSample*) {
    static const config::Fields<SweepSample> kFields{
        field("method",
              &SweepSample::method,
              "random: independent draws; latin_hypercube: each range is divided into `count` "
              "parts, and each part is met once"),
        field("count", &SweepSample::count, "number of draws")
            .required()
            .at_least(1)
            .at_most(1'000'000),
        field("seed", &SweepSample::seed, "of the draws"),
        field("over",
              &SweepSample::over,
              "path -> { from, to, scale: linear|log }, or a list to choose from")
            .required()};
    return kFields;
}

const config::Fields<SweepCstates>& parameters(const SweepCstates*) {
    static const config::Fields<SweepCstates> kFields{
        field("strategies",
              &SweepCstates::strategies,
              "which states stay on beside the measured one, as in wult's exercise-sut"),
        field("states", &SweepCstates::states, "the measured states; all but POLL by default")};
    return kFields;
}

const config::Fields<SweepMetric>& parameters(const SweepMetric*) {
    static const config::Fields<SweepMetric> kFields{
        field("metric", &SweepMetric::metric, "what the workload reports")
            .required()
            .that("a metric that a workload reports",
                  [](const std::string& name) {
                      const auto& names = metric_names();
                      return std::find(names.begin(), names.end(), name) != names.end();
                  }),
        field("arm", &SweepMetric::arm, "only of this arm"),
        field("stats", &SweepMetric::stats, "statistics, such as [p50, p99, mean]").required(),
        field("delta",
              &SweepMetric::delta,
              "the paired difference from the baseline arm, in percent, instead of the value")};
    return kFields;
}

const config::Fields<SweepUntil>& parameters(const SweepUntil*) {
    static const config::Fields<SweepUntil> kFields{
        field("metric", &SweepUntil::metric, "what the workload reports").required(),
        field("stat", &SweepUntil::stat, "statistic whose interval is looked at").required(),
        field("arm", &SweepUntil::arm, "only of this arm"),
        field("delta", &SweepUntil::delta, "of the paired difference from the baseline arm"),
        field("width",
              &SweepUntil::width,
              "whole width of the 95 % interval: 5 ns, 2 % of the value, 3 points of a delta")
            .required(),
        field("at_least", &SweepUntil::at_least, "replications before the first look").at_least(2),
        field("at_most", &SweepUntil::at_most, "replications after which it ends anyway")
            .at_least(2)
            .at_most(100'000)};
    return kFields;
}

const config::Fields<SweepSettings>& parameters(const SweepSettings*) {
    static const config::Fields<SweepSettings> kFields{
        field("name", &SweepSettings::name, "name in results; the file's stem by default"),
        field("title", &SweepSettings::title, "what it shows, in one line").required(),
        field("description", &SweepSettings::description, "background"),
        field("experiment",
              &SweepSettings::experiment,
              "the experiment that every point varies: its name, or the experiment itself")
            .required(),
        field("set", &SweepSettings::set, "path -> value, put into every point"),
        field("replications", &SweepSettings::replications, "instead of the experiment's own")
            .at_least(1)
            .at_most(100'000),
        field("seed", &SweepSettings::seed, "instead of the experiment's own"),
        field("axes",
              &SweepSettings::axes,
              "path -> list of values or range; every combination becomes a point"),
        field("zip", &SweepSettings::zip, "axes that advance together, of equal length"),
        field(
            "points", &SweepSettings::points, "combinations written out: a list of path -> value"),
        field("sample", &SweepSettings::sample, "points drawn from ranges"),
        field("cstates", &SweepSettings::cstates, "each idle state measured in turn"),
        field("metrics", &SweepSettings::metrics, "columns of points.csv").required(),
        field("until",
              &SweepSettings::until,
              "replicate each point until the interval of a metric is narrow enough"),
        field("intervals", &SweepSettings::intervals, "points.csv also holds the intervals")};
    return kFields;
}

bool is_sweep(const config::Node& root) {
    return root.is_map() && root.find("arms") == nullptr &&
           (root.find("experiment") != nullptr || root.find("axes") != nullptr ||
            root.find("metrics") != nullptr);
}

}  // namespace idlesim
