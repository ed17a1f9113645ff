// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/composite.hpp"
#include "sim/config/converter.hpp"
#include "sim/config/field_info.hpp"

#include <concepts>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace idlesim::config {

/// A parameter of the struct T.
template <class T>
class Field {
public:
    explicit Field(FieldInfo info) : info_{std::move(info)} {}

    [[nodiscard]] const FieldInfo& info() const { return info_; }

private:
    FieldInfo info_;
};

/// The parameters of the struct T, in the order in which they are documented.
template <class T>
class Fields {
public:
    Fields() = default;

    // A parameter list is written as the list that it is.
    // NOLINTNEXTLINE(google-explicit-constructor)
    Fields(std::initializer_list<Field<T>> fields) {
        for (const Field<T>& field : fields) {
            add(field);
        }
    }

    void add(const Field<T>& field) { infos_.push_back(field.info()); }

    [[nodiscard]] const std::vector<FieldInfo>& infos() const { return infos_; }

private:
    std::vector<FieldInfo> infos_;
};

/// Declares a parameter and its constraints; becomes a Field<T>.
///
/// A constraint on a vector holds for each item, on an optional for the value that is there.
template <class T, class M>
class FieldBuilder {
public:
    using Value = ConstrainedValue<M>;

    FieldBuilder(std::string key, M T::*member, std::string help)
        : info_{std::move(key),
                std::move(help),
                &type_operations<M>(),
                [member](void* object) -> void* { return &(static_cast<T*>(object)->*member); }} {}

    /// There is no default: leaving it out is an error.
    FieldBuilder&& required() && {
        info_.required = true;
        return std::move(*this);
    }

    FieldBuilder&& at_least(const Value& limit) && {
        return std::move(*this).constrain(minimum_constraint(text(limit)),
                                          [limit](const Value& v) { return !is_below(v, limit); });
    }

    FieldBuilder&& at_most(const Value& limit) && {
        return std::move(*this).constrain(maximum_constraint(text(limit)),
                                          [limit](const Value& v) { return !is_below(limit, v); });
    }

    FieldBuilder&& positive() && {
        return std::move(*this).constrain(
            above_constraint(text(zero_of<Value>())),
            [](const Value& v) { return is_below(zero_of<Value>(), v); });
    }

    FieldBuilder&& non_negative() && {
        return std::move(*this).constrain(
            minimum_constraint(text(zero_of<Value>())),
            [](const Value& v) { return !is_below(v, zero_of<Value>()); });
    }

    FieldBuilder&& one_of(std::initializer_list<Value> values) && {
        std::vector<std::string> texts;
        for (const Value& value : values) {
            texts.push_back(text(value));
        }
        return std::move(*this).constrain(one_of_constraint(std::move(texts)),
                                          [allowed = std::vector<Value>(values)](const Value& v) {
                                              for (const Value& value : allowed) {
                                                  if (value == v) {
                                                      return true;
                                                  }
                                              }
                                              return false;
                                          });
    }

    /// Any other condition; `what` completes "must be ...".
    template <std::predicate<const Value&> Holds>
    FieldBuilder&& that(std::string what, Holds holds) && {
        return std::move(*this).constrain(other_constraint(std::move(what)), std::move(holds));
    }

    // NOLINTNEXTLINE(google-explicit-constructor): stands where a Field is asked for
    operator Field<T>() && { return Field<T>{std::move(info_)}; }

private:
    static std::string text(const Value& value) { return Converter<Value>::write(value); }

    template <class Holds>
    FieldBuilder&& constrain(ConstraintDescription description, Holds holds) && {
        info_.constraints.push_back(
            {std::move(description), [holds = std::move(holds)](const void* member) {
                 return first_violation(*static_cast<const M*>(member), holds);
             }});
        return std::move(*this);
    }

    FieldInfo info_;
};

/// A parameter `key` that is stored in `member`; its default is the member's initialiser.
template <class T, class M>
[[nodiscard]] FieldBuilder<T, M> field(std::string key, M T::*member, std::string help) {
    return {std::move(key), member, std::move(help)};
}

/// Reads a map into `out`, whose values are the defaults. Reports unknown keys, missing required
/// ones, wrong types and violated constraints, all of them; adds the parameters that are not there
/// to the map, with their defaults. False when something was wrong.
template <class T>
bool read(Node& node, const Fields<T>& fields, T& out, Diagnostics& diagnostics) {
    if constexpr (HasLocation<T>) {
        out.location = node.key_location();
    }
    return read_fields(node, fields.infos(), &out, {}, diagnostics);
}

/// What can be said about parameters without a file.
template <class T>
[[nodiscard]] std::vector<FieldDescription> describe(const Fields<T>& fields, int depth = 0) {
    T defaults{};
    return describe_fields(fields.infos(), &defaults, depth);
}

}  // namespace idlesim::config
