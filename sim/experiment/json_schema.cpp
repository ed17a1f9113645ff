// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/json_schema.hpp"

#include "sim/experiment/calibration.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/schema_types.hpp"
#include "sim/experiment/sweep_settings.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace idlesim {
namespace {

using config::FieldDescription;
using schema::Json;
using schema::Mode;
using schema::reference;

template <class T>
std::vector<FieldDescription> fields_of() {
    return config::describe(parameters(static_cast<const T*>(nullptr)));
}

Json document(const std::string& title) {
    return {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
}

Json name_or(const Json& map) {
    return {{"anyOf", Json::array({{{"type", "string"}}, map})}};
}

/// Names of metrics and statistics are strings to the tables, and checked later.
void name_metrics(Json& properties) {
    properties["metric"]["enum"] = metric_names();
    if (properties.contains("stat")) {
        properties["stat"]["enum"] = stat_names();
    } else {
        properties["stats"]["items"]["enum"] = stat_names();
    }
}

/// A platform that is laid over another, or over the one that it extends.
Json platform_part() {
    Json part = schema::object_of(fields_of<PlatformSpec>(), Mode::part);
    part["properties"]["extends"] = {{"type", "string"},
                                     {"description", "platform that this one is laid over"}};
    return part;
}

/// What an arm may hold. Arms complete each other and what stands above them, so nothing in them
/// is required.
Json scenario_properties() {
    Json properties = schema::properties_of(fields_of<Scenario>(), Mode::part);
    const Json help = properties["platform"]["description"];
    properties["platform"] = name_or(reference("platform_part"));
    properties["platform"]["description"] = help;
    return properties;
}

/// All parts of an experiment, each of them optional.
Json experiment_part() {
    Json properties = schema::properties_of(fields_of<ExperimentSettings>(), Mode::complete);
    name_metrics(properties["targets"]["items"]["properties"]);
    for (const FieldDescription& field : fields_of<Scenario>()) {
        properties[field.key] = reference("arm/properties/" + field.key);
    }
    properties["arms"] = {
        {"description", "what is compared, by name; each is laid over what stands above"},
        {"type", "object"},
        {"minProperties", 1},
        {"additionalProperties", {{"anyOf", Json::array({reference("arm"), {{"type", "null"}}})}}}};
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json definitions() {
    return {{"platform_part", platform_part()},
            {"arm",
             {{"type", "object"},
              {"properties", scenario_properties()},
              {"additionalProperties", false}}},
            {"part", experiment_part()}};
}

Json experiment_schema() {
    Json result = document("Experiment of idlesim");
    Json keys = schema::required_of(fields_of<ExperimentSettings>());
    for (const char* key : {"platform", "workload", "arms"}) {
        keys.push_back(key);
    }
    result["required"] = keys;
    result["allOf"] = Json::array({reference("part")});
    result["definitions"] = definitions();
    return result;
}

Json platform_schema() {
    Json result = document("Platform of idlesim");
    result["if"] = {{"required", Json::array({"extends"})}};
    result["then"] = reference("platform_part");
    result["else"] = schema::object_of(fields_of<PlatformSpec>(), Mode::complete);
    result["definitions"] = {{"platform_part", platform_part()}};
    return result;
}

Json sweep_schema() {
    Json result = document("Sweep of idlesim");
    result.update(schema::object_of(fields_of<SweepSettings>(), Mode::complete));
    Json& experiment = result["properties"]["experiment"];
    experiment.update(name_or(reference("part")));
    name_metrics(result["properties"]["metrics"]["items"]["properties"]);
    result["definitions"] = definitions();
    return result;
}

Json calibration_schema() {
    Json result = document("Calibration of idlesim");
    result.update(schema::object_of(fields_of<CalibrationSettings>(), Mode::complete));
    result["definitions"] = definitions();
    return result;
}

struct SchemaKind {
    std::string name;
    Json (*make)();
};

const std::vector<SchemaKind>& kinds() {
    static const std::vector<SchemaKind> kKinds{{"experiment", experiment_schema},
                                                {"platform", platform_schema},
                                                {"sweep", sweep_schema},
                                                {"calibration", calibration_schema}};
    return kKinds;
}

std::string text_of(const Json& json) {
    return json.dump(1) + "\n";
}

}  // namespace

const std::vector<std::string>& schema_names() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        for (const SchemaKind& kind : kinds()) {
            names.push_back(kind.name);
        }
        return names;
    }();
    return kNames;
}

std::string json_schema(std::string_view name) {
    const auto kind = std::find_if(kinds().begin(), kinds().end(), [name](const SchemaKind& each) {
        return each.name == name;
    });
    if (kind == kinds().end()) {
        throw std::out_of_range{fmt::format("there is no schema '{}'", name)};
    }
    return text_of(kind->make());
}

std::string json_schema_of(const std::string& title, const std::vector<FieldDescription>& fields) {
    Json result = document(title);
    result.update(schema::object_of(fields, Mode::complete));
    return text_of(result);
}

}  // namespace idlesim
