// SPDX-License-Identifier: Apache-2.0
#include "sim/config/field_info.hpp"

#include "sim/config/converter.hpp"
#include "sim/config/effective.hpp"
#include "sim/config/excerpt.hpp"
#include "sim/config/suggest.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace idlesim::config {
namespace {

using Form = ConstraintDescription::Form;

void report_unknown_keys(const Node& map,
                         const std::vector<FieldInfo>& fields,
                         const std::vector<std::string>& others,
                         Diagnostics& diagnostics) {
    std::vector<std::string> known = others;
    for (const FieldInfo& field : fields) {
        known.push_back(field.key);
    }
    for (const Node& child : map.children()) {
        if (std::find(known.begin(), known.end(), child.key()) == known.end()) {
            diagnostics.error(child.key_location(),
                              fmt::format("unknown key '{}'{}",
                                          printable(child.key()),
                                          suggestion_text(child.key(), "keys", known)));
        }
    }
}

bool check_constraints(const Node& node,
                       const FieldInfo& field,
                       const void* member,
                       Diagnostics& diagnostics) {
    bool good = true;
    for (const Constraint& constraint : field.constraints) {
        const int index = constraint.violated(member);
        if (index < 0) {
            continue;
        }
        good = false;
        const bool in_list =
            node.is_sequence() && static_cast<std::size_t>(index) < node.children().size();
        const Node& culprit = in_list ? node.children()[static_cast<std::size_t>(index)] : node;
        report(culprit, fmt::format("must be {}", constraint.description.text), diagnostics);
    }
    return good;
}

bool report_missing(const Node& map, const FieldInfo& field, Diagnostics& diagnostics) {
    diagnostics.error(
        map.key_location(),
        map.label().empty()
            ? fmt::format("key '{}' is missing: {}", field.key, field.help)
            : fmt::format("key '{}' is missing in '{}': {}", field.key, map.label(), field.help));
    return false;
}

/// Adds the default to the map. A default that has parameters is read again, which adds them and
/// finds those that are required.
bool insert_default(Node& map, const FieldInfo& field, void* object, Diagnostics& diagnostics) {
    void* member = field.member(object);
    if (field.required) {
        return report_missing(map, field, diagnostics);
    }
    std::optional<Node> value = field.type->to_node(member);
    if (!value) {
        return report_missing(map, field, diagnostics);
    }
    Node& node = map.insert(field.key, default_location(), std::move(*value));
    return !field.type->has_parameters || field.type->read(node, member, diagnostics);
}

}  // namespace

ConstraintDescription minimum_constraint(std::string limit) {
    return {Form::minimum, "at least " + limit, {limit}};
}

ConstraintDescription maximum_constraint(std::string limit) {
    return {Form::maximum, "at most " + limit, {limit}};
}

ConstraintDescription above_constraint(std::string limit) {
    return {Form::above, "more than " + limit, {limit}};
}

ConstraintDescription one_of_constraint(std::vector<std::string> values) {
    std::string text = fmt::format("one of {}", fmt::join(values, ", "));
    return {Form::one_of, std::move(text), std::move(values)};
}

ConstraintDescription other_constraint(std::string what) {
    return {Form::other, std::move(what), {}};
}

bool read_fields(Node& node,
                 const std::vector<FieldInfo>& fields,
                 void* object,
                 const std::vector<std::string>& others,
                 Diagnostics& diagnostics) {
    if (!expect_map(node, diagnostics)) {
        return false;
    }
    const int errors_before = diagnostics.errors();
    report_unknown_keys(node, fields, others, diagnostics);
    bool good = diagnostics.errors() == errors_before;
    for (const FieldInfo& field : fields) {
        Node* child = node.find(field.key);
        if (child == nullptr) {
            good = insert_default(node, field, object, diagnostics) && good;
            continue;
        }
        void* member = field.member(object);
        good = field.type->read(*child, member, diagnostics) &&
               check_constraints(*child, field, member, diagnostics) && good;
    }
    return good;
}

Node fields_to_node(const std::vector<FieldInfo>& fields, void* object) {
    Node map = Node::map(default_location());
    for (const FieldInfo& field : fields) {
        if (std::optional<Node> value = field.type->to_node(field.member(object))) {
            map.insert(field.key, default_location(), std::move(*value));
        }
    }
    return map;
}

std::vector<FieldDescription> describe_fields(const std::vector<FieldInfo>& fields,
                                              void* defaults,
                                              int depth) {
    std::vector<FieldDescription> result;
    for (const FieldInfo& field : fields) {
        FieldDescription description;
        description.key = field.key;
        description.help = field.help;
        description.type = field.type->describe(depth);
        const std::optional<Node> value = field.type->to_node(field.member(defaults));
        description.required = field.required || !value;
        if (!description.required) {
            description.default_text = write_flow(*value);
        }
        for (const Constraint& constraint : field.constraints) {
            description.constraint += description.constraint.empty() ? "" : ", ";
            description.constraint += constraint.description.text;
            description.constraints.push_back(constraint.description);
        }
        result.push_back(std::move(description));
    }
    return result;
}

}  // namespace idlesim::config
