// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace idlesim::config {

struct FieldDescription;
struct KindDescription;

/// What a value may look like, for documentation and schemas.
struct TypeDescription {
    enum class Form : std::uint8_t {
        boolean,
        integer,
        number,
        string,
        quantity,     ///< a decimal and one of `units`
        enumeration,  ///< one of `names`
        list,         ///< of `item`
        dictionary,   ///< free keys, each with an `item`
        structure,    ///< `fields`
        choice,       ///< one of `kinds`, named under `kind_key`, and that kind's own fields
        custom        ///< only `name` is known
    };

    Form form = Form::custom;
    std::string name;   ///< "duration", "list of duration"
    std::string units;  ///< "ps, ns, us"
    bool optional = false;
    std::vector<std::string> names;
    std::vector<TypeDescription> item;  ///< none or one
    std::vector<FieldDescription> fields;
    std::string kind_key;
    std::vector<KindDescription> kinds;
};

/// A condition on a value beyond its type.
struct ConstraintDescription {
    enum class Form : std::uint8_t { minimum, maximum, above, one_of, other };

    Form form = Form::other;
    std::string text;                 ///< "at least 5 us"
    std::vector<std::string> limits;  ///< the bound, or the allowed values
};

/// One parameter, as it was declared.
struct FieldDescription {
    std::string key;
    TypeDescription type;
    bool required = false;
    std::string default_text;  ///< in flow style; empty when required
    std::string constraint;    ///< all constraints in words; empty for none
    std::vector<ConstraintDescription> constraints;
    std::string help;
};

/// One implementation that a choice may name.
struct KindDescription {
    std::string name;
    std::string help;
    std::vector<FieldDescription> fields;
};

/// Structures inside structures are described down to this depth, so that one that holds itself
/// has an end.
inline constexpr int kDeepestDescription = 12;

}  // namespace idlesim::config
