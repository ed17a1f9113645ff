// SPDX-License-Identifier: Apache-2.0
#include "sim/config/converter.hpp"

#include "sim/config/composite.hpp"
#include "sim/config/effective.hpp"
#include "sim/config/excerpt.hpp"
#include "sim/config/flow.hpp"
#include "sim/config/suggest.hpp"
#include "sim/engine/check.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace idlesim::config {
namespace {

using Form = TypeDescription::Form;

TypeDescription simple(Form form, std::string name, std::string_view units = {}) {
    TypeDescription description;
    description.form = form;
    description.name = std::move(name);
    description.units = units;
    return description;
}

std::string_view kind_text(const Node& node) {
    switch (node.kind()) {
        case Node::Kind::scalar:
            return "a single value";
        case Node::Kind::sequence:
            return "a list";
        case Node::Kind::map:
            return "a map";
        case Node::Kind::null:
        case Node::Kind::invalid:
            break;
    }
    return "nothing";
}

bool report_unexpected(const Node& node, std::string_view expected, Diagnostics& diagnostics) {
    if (node.is_invalid()) {
        return false;
    }
    if (node.is_null() && !is_written_null(node)) {
        report(node, fmt::format("a value is missing: expected {}", expected), diagnostics);
    } else if (node.is_null()) {
        report(node, fmt::format("expected {}, not null", expected), diagnostics);
    } else {
        report(node, fmt::format("expected {}, not {}", expected, kind_text(node)), diagnostics);
    }
    return false;
}

/// Reads a plain scalar with one of the parse functions.
template <class Value, class Out>
bool read_parsed(const Node& node,
                 std::string_view expected,
                 Parsed<Value> (*parse)(std::string_view),
                 Out& out,
                 Diagnostics& diagnostics) {
    if (!expect_plain(node, expected, diagnostics)) {
        return false;
    }
    const Parsed<Value> parsed = parse(node.text());
    if (const auto* problem = std::get_if<std::string>(&parsed)) {
        report(node, *problem, diagnostics);
        return false;
    }
    out = std::get<Value>(parsed);
    return true;
}

/// Physical amounts are not negative; who needs a signed one calls the parse function.
template <class Value>
bool read_amount(const Node& node,
                 std::string_view thing,
                 Parsed<Value> (*parse)(std::string_view),
                 Value& out,
                 Diagnostics& diagnostics) {
    Value value{};
    if (!read_parsed(node, thing, parse, value, diagnostics)) {
        return false;
    }
    if (value < Value{}) {
        report(node, fmt::format("{} must not be negative", thing), diagnostics);
        return false;
    }
    out = value;
    return true;
}

/// Nobody wrote the node or anything in it.
Node place_at_default(Node node) {
    node.set_location(default_location());
    node.set_key_location(default_location());
    for (Node& child : node.children()) {
        child = place_at_default(std::move(child));
    }
    return node;
}

}  // namespace

void report(const Node& node, std::string_view what, Diagnostics& diagnostics) {
    diagnostics.error(node.location(),
                      node.label().empty() ? std::string{what}
                                           : fmt::format("{}: {}", printable(node.label()), what));
}

bool expect_scalar(const Node& node, std::string_view expected, Diagnostics& diagnostics) {
    return node.is_scalar() || report_unexpected(node, expected, diagnostics);
}

bool expect_sequence(const Node& node, Diagnostics& diagnostics) {
    return node.is_sequence() || report_unexpected(node, "a list", diagnostics);
}

bool expect_map(const Node& node, Diagnostics& diagnostics) {
    return node.is_map() || report_unexpected(node, "a map", diagnostics);
}

bool expect_plain(const Node& node, std::string_view expected, Diagnostics& diagnostics) {
    if (!expect_scalar(node, expected, diagnostics)) {
        return false;
    }
    if (node.quoted()) {
        report(node, fmt::format("expected {}, not a quoted string", expected), diagnostics);
        return false;
    }
    return true;
}

Node default_node(std::string_view flow) {
    const std::string name{kDefault};
    const bool structured =
        flow.empty() || std::string_view{"[{\"'~nN"}.find(flow[0]) != std::string_view::npos;
    if (!structured) {
        return Node::scalar(std::string{flow}, false, default_location());
    }
    Diagnostics diagnostics;
    std::optional<Node> node = parse_flow(flow, name, 1, diagnostics);
    IDLESIM_CHECK(node && !diagnostics.has_errors(), "a converter writes valid YAML");
    return place_at_default(std::move(*node));
}

Location default_location() {
    return {std::string{kDefault}, 0, 0, 1};
}

bool is_written_null(const Node& node) {
    return node.is_null() && !node.text().empty();
}

void label_items(Node& sequence) {
    for (std::size_t i = 0; i < sequence.children().size(); ++i) {
        sequence.children()[i].set_label(fmt::format("{}[{}]", sequence.label(), i));
    }
}

int read_name(const Node& node, const std::vector<std::string>& names, Diagnostics& diagnostics) {
    if (!expect_scalar(node, "a name", diagnostics)) {
        return -1;
    }
    const auto name = std::find(names.begin(), names.end(), node.text());
    if (name == names.end()) {
        report(node,
               fmt::format("unknown value '{}'{}",
                           printable(node.text()),
                           suggestion_text(node.text(), "values", names)),
               diagnostics);
        return -1;
    }
    return static_cast<int>(name - names.begin());
}

TypeDescription list_of(TypeDescription item) {
    TypeDescription result = simple(Form::list, "list of " + item.name);
    result.item.push_back(std::move(item));
    return result;
}

TypeDescription dictionary_of(TypeDescription item) {
    TypeDescription result = simple(Form::dictionary, "map of names to " + item.name);
    result.item.push_back(std::move(item));
    return result;
}

TypeDescription optional_of(TypeDescription item) {
    item.optional = true;
    return item;
}

TypeDescription enumeration(std::vector<std::string> names) {
    TypeDescription result = simple(Form::enumeration, "name");
    result.names = std::move(names);
    return result;
}

TypeDescription structure(std::vector<FieldDescription> fields) {
    TypeDescription result = simple(Form::structure, "map");
    result.fields = std::move(fields);
    return result;
}

bool Converter<bool>::read(const Node& node, bool& out, Diagnostics& d) {
    if (!expect_plain(node, "true or false", d)) {
        return false;
    }
    if (node.text() != "true" && node.text() != "false") {
        report(node, "expected true or false", d);
        return false;
    }
    out = node.text() == "true";
    return true;
}

std::string Converter<bool>::write(const bool& value) {
    return value ? "true" : "false";
}

std::string Converter<bool>::type_name() {
    return "boolean";
}

TypeDescription Converter<bool>::describe(int /*depth*/) {
    return simple(Form::boolean, type_name());
}

bool Converter<int>::read(const Node& node, int& out, Diagnostics& d) {
    std::int64_t value = 0;
    if (!Converter<std::int64_t>::read(node, value, d)) {
        return false;
    }
    if (!std::in_range<int>(value)) {
        report(node,
               fmt::format("out of range ({} to {})",
                           std::numeric_limits<int>::min(),
                           std::numeric_limits<int>::max()),
               d);
        return false;
    }
    out = static_cast<int>(value);
    return true;
}

std::string Converter<int>::write(const int& value) {
    return fmt::format("{}", value);
}

std::string Converter<int>::type_name() {
    return "integer";
}

TypeDescription Converter<int>::describe(int /*depth*/) {
    return simple(Form::integer, type_name());
}

bool Converter<std::string>::read(const Node& node, std::string& out, Diagnostics& d) {
    if (!expect_scalar(node, "a string", d)) {
        return false;
    }
    out = node.text();
    return true;
}

std::string Converter<std::string>::write(const std::string& value) {
    return write_scalar(value, false);
}

std::optional<Node> Converter<std::string>::to_node(const std::string& value) {
    const bool quoted = write(value) != value;
    return Node::scalar(value, quoted, default_location());
}

TypeDescription Converter<std::string>::describe(int /*depth*/) {
    return simple(Form::string, "string");
}

// The remaining ones are all alike: a parse function, a text, a description.
// NOLINTBEGIN(bugprone-macro-parentheses): types
#define IDLESIM_DEFINE_CONVERTER(Type, reader, thing, parse, text, form, name, units) \
    bool Converter<Type>::read(const Node& node, Type& out, Diagnostics& d) {         \
        return reader(node, thing, parse, out, d);                                    \
    }                                                                                 \
    std::string Converter<Type>::write(const Type& value) {                           \
        return text;                                                                  \
    }                                                                                 \
    std::string Converter<Type>::type_name() {                                        \
        return name;                                                                  \
    }                                                                                 \
    TypeDescription Converter<Type>::describe(int /*depth*/) {                        \
        return simple(form, name, units);                                             \
    }

IDLESIM_DEFINE_CONVERTER(std::int64_t,
                         read_parsed,
                         "a decimal whole number",
                         parse_integer,
                         fmt::format("{}", value),
                         Form::integer,
                         "integer",
                         "")
IDLESIM_DEFINE_CONVERTER(std::uint64_t,
                         read_parsed,
                         "a decimal whole number",
                         parse_unsigned,
                         fmt::format("{}", value),
                         Form::integer,
                         "non-negative integer",
                         "")
IDLESIM_DEFINE_CONVERTER(
    double, read_parsed, "a number", parse_number, write_number(value), Form::number, "number", "")
IDLESIM_DEFINE_CONVERTER(Duration,
                         read_amount,
                         "a duration",
                         parse_duration,
                         write_duration(value),
                         Form::quantity,
                         "duration",
                         kDurationUnits)
IDLESIM_DEFINE_CONVERTER(Frequency,
                         read_parsed,
                         "a frequency",
                         parse_frequency,
                         write_frequency(value),
                         Form::quantity,
                         "frequency",
                         kFrequencyUnits)
IDLESIM_DEFINE_CONVERTER(Power,
                         read_amount,
                         "a power",
                         parse_power,
                         write_number(value.watts) + " W",
                         Form::quantity,
                         "power",
                         kPowerUnits)
IDLESIM_DEFINE_CONVERTER(Energy,
                         read_amount,
                         "an energy",
                         parse_energy,
                         write_number(value.joules) + " J",
                         Form::quantity,
                         "energy",
                         kEnergyUnits)
IDLESIM_DEFINE_CONVERTER(Ratio,
                         read_parsed,
                         "a share",
                         parse_ratio,
                         write_number(value.value),
                         Form::quantity,
                         "share",
                         "%, or none")
IDLESIM_DEFINE_CONVERTER(Points,
                         read_parsed,
                         "percentage points",
                         parse_points,
                         write_number(value.value) + " points",
                         Form::quantity,
                         "percentage points",
                         "points")
IDLESIM_DEFINE_CONVERTER(HexInt,
                         read_parsed,
                         "a whole number",
                         parse_hex,
                         fmt::format("0x{:x}", value.value),
                         Form::integer,
                         "integer, hexadecimal allowed",
                         "")

#undef IDLESIM_DEFINE_CONVERTER
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace idlesim::config
