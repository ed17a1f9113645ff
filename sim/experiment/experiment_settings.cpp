// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/experiment.hpp"

namespace idlesim::config {

bool Converter<RawTree>::read(const Node& node, RawTree& out, Diagnostics& diagnostics) {
    out.node = node;
    return expect_map(node, diagnostics);
}

std::optional<Node> Converter<RawTree>::to_node(const RawTree& tree) {
    return tree.node.is_map() ? tree.node : Node::map(default_location());
}

TypeDescription Converter<RawTree>::describe(int /*depth*/) {
    TypeDescription description;
    description.name = "part of an experiment";
    return description;
}

bool Converter<SampleRows>::read(const Node& node, SampleRows& out, Diagnostics& diagnostics) {
    if (node.is_scalar() && node.text() == "all") {
        out.limit = 0;
        return true;
    }
    if (!Converter<std::int64_t>::read(node, out.limit, diagnostics)) {
        return false;
    }
    if (out.limit < 1) {
        report(node, "must be at least 1, or all", diagnostics);
        return false;
    }
    return true;
}

std::string Converter<SampleRows>::write(const SampleRows& rows) {
    return rows.limit == 0 ? "all" : std::to_string(rows.limit);
}

}  // namespace idlesim::config

namespace idlesim {

using config::field;

const config::Fields<OutputSettings>& parameters(const OutputSettings*) {
    static const config::Fields<OutputSettings> kFields{
        field("samples",
              &OutputSettings::samples,
              "most rows that samples.csv of an arm has (every n-th sample), or all")};
    return kFields;
}

const config::Fields<PriorSettings>& parameters(const PriorSettings*) {
    static const config::Fields<PriorSettings> kFields{
        field("draws", &PriorSettings::draws, "joint draws of the platform's assumed costs")
            .at_least(2)
            .at_most(10'000),
        field("overlay",
              &PriorSettings::overlay,
              "laid over the experiment for these runs, to make them short")};
    return kFields;
}

const config::Fields<ExperimentSettings>& parameters(const ExperimentSettings*) {
    static const config::Fields<ExperimentSettings> kFields{
        field("name", &ExperimentSettings::name, "name in results; the file's stem by default"),
        field("title", &ExperimentSettings::title, "what it shows, in one line").required(),
        field("description", &ExperimentSettings::description, "background"),
        field("baseline",
              &ExperimentSettings::baseline,
              "arm that the others are compared with; the first by default"),
        field("replications",
              &ExperimentSettings::replications,
              "runs of each arm, each with random streams of its own")
            .at_least(1)
            .at_most(100'000),
        field("seed", &ExperimentSettings::seed, "of all random streams"),
        field("output", &ExperimentSettings::output, "what the result files hold"),
        field("calibration",
              &ExperimentSettings::calibration,
              "calibration that fitted the platform's costs; it is repeated for each draw of the "
              "assumed ones"),
        field("prior", &ExperimentSettings::prior, "range of results over the assumed costs"),
        field("targets", &ExperimentSettings::targets, "published numbers")};
    return kFields;
}

}  // namespace idlesim
