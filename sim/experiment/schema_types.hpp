// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/describe.hpp"

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

// From the description of a parameter to its JSON Schema. Only the json_schema*.cpp include this.

namespace idlesim::schema {

using Json = nlohmann::ordered_json;

/// Whether a map is complete, or a part that is laid over another: then nothing in it is required,
/// and a choice may leave its kind to the other.
enum class Mode { complete, part };

/// A map with these keys and no others.
[[nodiscard]] Json object_of(const std::vector<config::FieldDescription>& fields, Mode mode);

/// The schemas of its keys alone.
[[nodiscard]] Json properties_of(const std::vector<config::FieldDescription>& fields, Mode mode);

/// The keys that have no default.
[[nodiscard]] Json required_of(const std::vector<config::FieldDescription>& fields);

/// A value of this type. Broken invariant for a type without form whose name is not known here.
[[nodiscard]] Json value_of(const config::TypeDescription& type, Mode mode);

/// Reference to an entry of "definitions".
[[nodiscard]] Json reference(const std::string& name);

}  // namespace idlesim::schema
