// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/calibration.hpp"

namespace idlesim::config {

bool Converter<QuantityText>::read(const Node& node, QuantityText& out, Diagnostics& diagnostics) {
    if (!expect_plain(node, type_name(), diagnostics)) {
        return false;
    }
    const auto parsed = parse_quantity(node.text());
    if (const auto* problem = std::get_if<std::string>(&parsed)) {
        report(node, *problem, diagnostics);
        return false;
    }
    out = {std::get<Quantity>(parsed), node.text()};
    return true;
}

}  // namespace idlesim::config

namespace idlesim {

using config::field;

const config::Fields<CalibrationParameter>& parameters(const CalibrationParameter*) {
    static const config::Fields<CalibrationParameter> kFields{
        field("path", &CalibrationParameter::path, "value to fit: platform.costs.hlt_exit.value")
            .required(),
        field("range", &CalibrationParameter::range, "[lowest, highest] value").required(),
        field("initial",
              &CalibrationParameter::initial,
              "where the search begins; the middle of the range by default")};
    return kFields;
}

const config::Fields<Reading>& parameters(const Reading*) {
    static const config::Fields<Reading> kFields{
        field("description", &Reading::description, "what this reading supposes"),
        field("set",
              &Reading::set,
              "laid over every experiment; a workload with a kind only over experiments of that "
              "kind")
            .required()};
    return kFields;
}

const config::Fields<CalibrationSettings>& parameters(const CalibrationSettings*) {
    static const config::Fields<CalibrationSettings> kFields{
        field("title", &CalibrationSettings::title, "what is fitted to what").required(),
        field("description", &CalibrationSettings::description, "background"),
        field("platform", &CalibrationSettings::platform, "platform whose costs are fitted")
            .required(),
        field("experiments",
              &CalibrationSettings::experiments,
              "experiments whose targets with use: fit are fitted to")
            .required(),
        field("parameters", &CalibrationSettings::parameters, "what is fitted").required(),
        field("readings",
              &CalibrationSettings::readings,
              "ways to read what is not published; each is fitted, and shows what it predicts"),
        field("replications",
              &CalibrationSettings::replications,
              "replications of each run instead of the experiments' own")
            .at_least(1),
        field("seed", &CalibrationSettings::seed, "seed instead of the experiments' own"),
        field("overlay",
              &CalibrationSettings::overlay,
              "laid over every experiment, to make its runs shorter or longer")};
    return kFields;
}

}  // namespace idlesim
