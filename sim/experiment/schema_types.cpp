// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/schema_types.hpp"

#include "sim/engine/check.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace idlesim::schema {
namespace {

using config::ConstraintDescription;
using config::FieldDescription;
using config::KindDescription;
using config::TypeDescription;
using Form = TypeDescription::Form;

constexpr const char* kDecimal = "-?(0|[1-9][0-9]*)([.][0-9]+)?";

Json text_matching(const std::string& pattern) {
    return {{"type", "string"}, {"pattern", pattern}};
}

Json number_or_text(const std::string& pattern) {
    return {{"type", {"number", "string"}}, {"pattern", pattern}};
}

/// "ns, us" becomes "(ns|us|µs)": micro may also be written with its sign.
std::string alternatives(const std::string& units) {
    std::string result;
    std::size_t begin = 0;
    while (begin < units.size()) {
        const std::size_t end = std::min(units.find(", ", begin), units.size());
        const std::string unit = units.substr(begin, end - begin);
        result += (result.empty() ? "" : "|") + unit;
        if (unit.starts_with('u')) {
            result += "|\u00B5" + unit.substr(1) + "|\u03BC" + unit.substr(1);
        }
        begin = end + 2;
    }
    return "(" + result + ")";
}

Json quantity(const TypeDescription& type) {
    constexpr std::string_view kOrNone = ", or none";
    if (type.units.ends_with(kOrNone)) {
        const std::string unit = type.units.substr(0, type.units.size() - kOrNone.size());
        return number_or_text(fmt::format("^{} *({})?$", kDecimal, unit));
    }
    return text_matching(fmt::format("^{} *{}$", kDecimal, alternatives(type.units)));
}

Json integer(const TypeDescription& type) {
    if (type.name.find("hexadecimal") != std::string::npos) {
        return {{"type", {"integer", "string"}}, {"pattern", "^0[xX][0-9a-fA-F]+$"}};
    }
    Json result{{"type", "integer"}};
    if (type.name.starts_with("non-negative")) {
        result["minimum"] = 0;
    }
    return result;
}

/// Types that read themselves, by the name that they give themselves.
Json custom(const TypeDescription& type) {
    const std::string number_with_unit = fmt::format("^[+]?{} *[^0-9 ]*.*$", kDecimal);
    if (type.name == "any value") {
        return Json::object();
    }
    if (type.name == "part of an experiment") {
        return reference("part");
    }
    if (type.name == "operation") {
        return text_matching("^[a-z_]+:?( .*)?$");
    }
    if (type.name == "whole number or all") {
        return {{"anyOf", {{{"type", "integer"}, {"minimum", 1}}, {{"const", "all"}}}}};
    }
    if (type.name == "number with unit" || type.name == "duration, percentage or number") {
        return number_or_text(number_with_unit);
    }
    if (type.name == "tolerance") {
        const Json bound = text_matching(number_with_unit);
        return {{"anyOf", {bound, {{"type", "array"}, {"items", bound}}}}};
    }
    if (type.name.starts_with("duration, ")) {
        return {{"type", {"integer", "string"}}};
    }
    IDLESIM_CHECK(false, "every type of the configuration has a JSON Schema");
    return {};
}

Json names_of(const std::vector<KindDescription>& kinds) {
    Json names = Json::array();
    for (const KindDescription& kind : kinds) {
        names.push_back(kind.name);
    }
    return names;
}

/// The name of a kind, its help where editors show it.
Json kind_property(const TypeDescription& type) {
    Json result{{"enum", names_of(type.kinds)}};
    std::string help;
    for (const KindDescription& kind : type.kinds) {
        help += fmt::format("{}{}: {}", help.empty() ? "" : "\n", kind.name, kind.help);
    }
    result["description"] = help;
    return result;
}

void add_alternative(Json& properties, const std::string& key, const Json& schema) {
    if (!properties.contains(key)) {
        properties[key] = schema;
        return;
    }
    Json& known = properties[key];
    if (known == schema) {
        return;
    }
    if (!known.contains("anyOf")) {
        known = Json{{"anyOf", Json::array({known})}};
    }
    Json& list = known["anyOf"];
    if (std::find(list.begin(), list.end(), schema) == list.end()) {
        list.push_back(schema);
    }
}

/// Keys of any kind: a part of a choice that leaves the kind to what it is laid over.
Json union_of(const TypeDescription& type) {
    Json properties = Json::object();
    for (const KindDescription& kind : type.kinds) {
        const Json own = properties_of(kind.fields, Mode::part);
        for (const auto& [key, schema] : own.items()) {
            add_alternative(properties, key, schema);
        }
    }
    return {{"properties", properties}, {"additionalProperties", false}};
}

/// "When the kind is this one, these are its keys", for each kind.
Json kind_rules(const TypeDescription& type, Mode mode) {
    Json rules = Json::array();
    for (const KindDescription& kind : type.kinds) {
        Json properties{{type.kind_key, Json::object()}};
        properties.update(properties_of(kind.fields, mode));
        Json then{{"properties", properties}, {"additionalProperties", false}};
        if (const Json required = required_of(kind.fields);
            mode == Mode::complete && !required.empty()) {
            then["required"] = required;
        }
        rules.push_back({{"if",
                          {{"required", Json::array({type.kind_key})},
                           {"properties", {{type.kind_key, {{"const", kind.name}}}}}}},
                         {"then", then}});
    }
    return rules;
}

Json choice(const TypeDescription& type, Mode mode) {
    Json map{{"type", "object"}, {"properties", {{type.kind_key, kind_property(type)}}}};
    Json rules = kind_rules(type, mode);
    if (mode == Mode::complete) {
        map["required"] = Json::array({type.kind_key});
    } else {
        rules.push_back({{"if", {{"not", {{"required", Json::array({type.kind_key})}}}}},
                         {"then", union_of(type)}});
    }
    map["allOf"] = rules;
    return {{"anyOf", Json::array({{{"enum", names_of(type.kinds)}}, map})}};
}

Json plain_value(const TypeDescription& type, Mode mode) {
    switch (type.form) {
        case Form::boolean:
            return {{"type", "boolean"}};
        case Form::integer:
            return integer(type);
        case Form::number:
            return {{"type", "number"}};
        case Form::string:
            // The loader takes a scalar as it is spelled.
            return {{"type", {"string", "number", "boolean"}}};
        case Form::quantity:
            return quantity(type);
        case Form::enumeration:
            return {{"enum", type.names}};
        case Form::list:
            // A list is replaced as a whole, also by a part.
            return {{"type", "array"}, {"items", value_of(type.item.front(), Mode::complete)}};
        case Form::dictionary:
            return {{"type", "object"},
                    {"additionalProperties", value_of(type.item.front(), mode)}};
        case Form::structure:
            return object_of(type.fields, mode);
        case Form::choice:
            return choice(type, mode);
        case Form::custom:
            break;
    }
    return custom(type);
}

/// A bound of a number as a number; an item of a list has the same one.
Json number_from(const std::string& text) {
    return Json::parse(text, nullptr, false);
}

void constrain(Json& schema, const ConstraintDescription& constraint) {
    if (schema.contains("items")) {
        constrain(schema["items"], constraint);
        return;
    }
    if (!schema.contains("type")) {
        return;
    }
    const Json& type = schema["type"];
    const bool is_number = type == "integer" || type == "number";
    using Kind = ConstraintDescription::Form;
    if (constraint.form == Kind::one_of) {
        Json values = Json::array();
        for (const std::string& limit : constraint.limits) {
            values.push_back(is_number ? number_from(limit) : Json(limit));
        }
        schema = Json{{"enum", values}};
        return;
    }
    if (!is_number || constraint.limits.empty()) {
        return;
    }
    const Json limit = number_from(constraint.limits.front());
    if (constraint.form == Kind::minimum) {
        schema["minimum"] = limit;
    } else if (constraint.form == Kind::maximum) {
        schema["maximum"] = limit;
    } else if (constraint.form == Kind::above) {
        schema["exclusiveMinimum"] = limit;
    }
}

Json allow_null(Json schema) {
    if (schema.contains("type") && schema["type"].is_string()) {
        schema["type"] = Json::array({schema["type"], "null"});
        return schema;
    }
    return {{"anyOf", Json::array({schema, {{"type", "null"}}})}};
}

std::string about(const FieldDescription& field) {
    std::string text = field.help;
    if (!field.type.units.empty()) {
        text += fmt::format(" ({})", field.type.units);
    }
    if (!field.constraint.empty()) {
        text += "; " + field.constraint;
    }
    if (!field.required && !field.default_text.empty() && field.default_text.size() < 40) {
        text += "; default " + field.default_text;
    }
    return text;
}

Json property(const FieldDescription& field, Mode mode) {
    Json schema = plain_value(field.type, mode);
    for (const ConstraintDescription& constraint : field.constraints) {
        constrain(schema, constraint);
    }
    if (field.type.optional) {
        schema = allow_null(std::move(schema));
    }
    Json result{{"description", about(field)}};
    // Draft 7 ignores what stands beside a reference.
    if (schema.contains("$ref")) {
        result["allOf"] = Json::array({schema});
    } else {
        result.update(schema);
    }
    return result;
}

}  // namespace

Json reference(const std::string& name) {
    return {{"$ref", fmt::format("#/definitions/{}", name)}};
}

Json value_of(const TypeDescription& type, Mode mode) {
    const Json schema = plain_value(type, mode);
    return type.optional ? allow_null(schema) : schema;
}

Json properties_of(const std::vector<FieldDescription>& fields, Mode mode) {
    Json properties = Json::object();
    for (const FieldDescription& field : fields) {
        properties[field.key] = property(field, mode);
    }
    return properties;
}

Json required_of(const std::vector<FieldDescription>& fields) {
    Json keys = Json::array();
    for (const FieldDescription& field : fields) {
        if (field.required) {
            keys.push_back(field.key);
        }
    }
    return keys;
}

Json object_of(const std::vector<FieldDescription>& fields, Mode mode) {
    Json result{{"type", "object"},
                {"properties", properties_of(fields, mode)},
                {"additionalProperties", false}};
    if (const Json required = required_of(fields); mode == Mode::complete && !required.empty()) {
        result["required"] = required;
    }
    return result;
}

}  // namespace idlesim::schema
