// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/describe.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

// Parameters without their types, so that the code that reads them is compiled once and not in
// every file that declares some.

namespace idlesim::config {

/// What can be done with a value whose type is known to the functions alone.
struct TypeOperations {
    bool (*read)(Node& node, void* value, Diagnostics& diagnostics);
    /// A node with origin kDefault; nullopt when the value is no default that could be written.
    std::optional<Node> (*to_node)(const void* value);
    TypeDescription (*describe)(int depth);
    /// The node of a default has parameters of its own, which reading it adds.
    bool has_parameters;
};

struct Constraint {
    ConstraintDescription description;
    /// Index of the first item that violates it (0 for a single value), or -1.
    std::function<int(const void* member)> violated;
};

struct FieldInfo {
    std::string key;
    std::string help;
    const TypeOperations* type = nullptr;
    std::function<void*(void* object)> member;
    bool required = false;
    std::vector<Constraint> constraints{};
};

[[nodiscard]] ConstraintDescription minimum_constraint(std::string limit);
[[nodiscard]] ConstraintDescription maximum_constraint(std::string limit);
[[nodiscard]] ConstraintDescription above_constraint(std::string limit);
[[nodiscard]] ConstraintDescription one_of_constraint(std::vector<std::string> values);
[[nodiscard]] ConstraintDescription other_constraint(std::string what);

/// Reads a map into the members of `object`. `others` are keys of the same map that somebody else
/// reads; they count as known.
bool read_fields(Node& node,
                 const std::vector<FieldInfo>& fields,
                 void* object,
                 const std::vector<std::string>& others,
                 Diagnostics& diagnostics);

/// A map of all members of `object`, with origin kDefault.
[[nodiscard]] Node fields_to_node(const std::vector<FieldInfo>& fields, void* object);

[[nodiscard]] std::vector<FieldDescription> describe_fields(const std::vector<FieldInfo>& fields,
                                                            void* defaults,
                                                            int depth);

}  // namespace idlesim::config
