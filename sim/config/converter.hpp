// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/describe.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"
#include "sim/config/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace idlesim::config {

/// How a type is read from and written to a configuration. Specialise it for a type of your own:
///
///     static bool read(Node&, X&, Diagnostics&);   // false after an error
///     static std::string write(const X&);          // YAML in flow style, reads back as the same
///     static std::string type_name();              // "duration"
///
/// and, where needed, `static std::optional<Node> to_node(const X&)` instead of write() (nullopt:
/// there is no default, the value is required) and `static TypeDescription describe(int depth)`
/// instead of type_name().
template <class X>
struct Converter;

// Helpers for converters.

/// "poll_limit: what", at the value.
void report(const Node& node, std::string_view what, Diagnostics& diagnostics);

/// Whether the node is a scalar, sequence or map; reports when not (silent for Kind::invalid).
bool expect_scalar(const Node& node, std::string_view expected, Diagnostics& diagnostics);
bool expect_sequence(const Node& node, Diagnostics& diagnostics);
bool expect_map(const Node& node, Diagnostics& diagnostics);

/// An unquoted scalar; a quoted one is reported as "expected <expected>, not a quoted string".
bool expect_plain(const Node& node, std::string_view expected, Diagnostics& diagnostics);

/// A node for a value that nobody wrote. `flow` is YAML in flow style.
[[nodiscard]] Node default_node(std::string_view flow);
[[nodiscard]] Location default_location();

// NOLINTBEGIN(bugprone-macro-parentheses): types
#define IDLESIM_DECLARE_CONVERTER(Type)                                \
    template <>                                                        \
    struct Converter<Type> {                                           \
        static bool read(const Node& node, Type& out, Diagnostics& d); \
        static std::string write(const Type& value);                   \
        static std::string type_name();                                \
        static TypeDescription describe(int depth);                    \
    }

IDLESIM_DECLARE_CONVERTER(bool);
IDLESIM_DECLARE_CONVERTER(int);
IDLESIM_DECLARE_CONVERTER(std::int64_t);
IDLESIM_DECLARE_CONVERTER(std::uint64_t);
IDLESIM_DECLARE_CONVERTER(double);
IDLESIM_DECLARE_CONVERTER(Duration);
IDLESIM_DECLARE_CONVERTER(Frequency);
IDLESIM_DECLARE_CONVERTER(Power);
IDLESIM_DECLARE_CONVERTER(Energy);
IDLESIM_DECLARE_CONVERTER(Ratio);
IDLESIM_DECLARE_CONVERTER(Points);
IDLESIM_DECLARE_CONVERTER(HexInt);

template <>
struct Converter<std::string> {
    static bool read(const Node& node, std::string& out, Diagnostics& d);
    static std::string write(const std::string& value);
    static std::optional<Node> to_node(const std::string& value);
    static TypeDescription describe(int depth);
};

#undef IDLESIM_DECLARE_CONVERTER
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace idlesim::config
