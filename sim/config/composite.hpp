// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/converter.hpp"
#include "sim/config/field_info.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Types that are made of others: optional, vector, map with free keys, struct with parameters,
// enum with names.

namespace idlesim::config {

template <class T>
class Fields;

/// A map whose keys are names that the user chooses, in file order.
template <class X>
struct OrderedMap {
    struct Entry {
        std::string key;
        Location key_location;
        X value{};
    };

    std::vector<Entry> entries;

    [[nodiscard]] bool empty() const { return entries.empty(); }

    [[nodiscard]] std::size_t size() const { return entries.size(); }

    [[nodiscard]] auto begin() const { return entries.begin(); }

    [[nodiscard]] auto end() const { return entries.end(); }

    [[nodiscard]] const X* find(std::string_view key) const {
        for (const Entry& entry : entries) {
            if (entry.key == key) {
                return &entry.value;
            }
        }
        return nullptr;
    }
};

/// A value that remembers where it was written, for checks that come later.
template <class X>
struct Located {
    X value{};
    Location location{};

    friend bool operator==(const Located& a, const Located& b) { return a.value == b.value; }

    friend bool operator<(const Located& a, const Located& b) { return a.value < b.value; }
};

/// Names of an enum's constants. Specialise it with
/// `static constexpr std::pair<std::string_view, E> values[] = {{"low", E::low}, ...};`
template <class E>
struct EnumNames;

/// A struct S is a nested map when `const Fields<S>& parameters(const S*)` stands beside it. It
/// must be declared before the first field() of that type.
template <class S>
concept HasParameters = std::is_class_v<S> && requires(const S* s) {
    { parameters(s) } -> std::same_as<const Fields<S>&>;
};

/// A struct with a member `Location location` learns where it was read from.
template <class S>
concept HasLocation = requires(S s) {
    { s.location } -> std::same_as<Location&>;
};

template <class X>
std::optional<Node> to_node(const X& value) {
    if constexpr (requires { Converter<X>::to_node(value); }) {
        return Converter<X>::to_node(value);
    } else {
        return default_node(Converter<X>::write(value));
    }
}

template <class X>
TypeDescription describe_type(int depth) {
    if constexpr (requires { Converter<X>::describe(depth); }) {
        return Converter<X>::describe(depth);
    } else {
        TypeDescription description;
        description.name = Converter<X>::type_name();
        return description;
    }
}

template <class X>
const TypeOperations& type_operations() {
    static constexpr TypeOperations kOperations{
        [](Node& node, void* value, Diagnostics& diagnostics) {
            return Converter<X>::read(node, *static_cast<X*>(value), diagnostics);
        },
        [](const void* value) { return to_node(*static_cast<const X*>(value)); },
        [](int depth) { return describe_type<X>(depth); },
        requires {Converter<X>::kHasParameters;
}
};  // namespace idlesim::config

return kOperations;
}

// The parts of composite conversions that don't depend on the type.

[[nodiscard]] TypeDescription list_of(TypeDescription item);
[[nodiscard]] TypeDescription dictionary_of(TypeDescription item);
[[nodiscard]] TypeDescription optional_of(TypeDescription item);
[[nodiscard]] TypeDescription enumeration(std::vector<std::string> names);
[[nodiscard]] TypeDescription structure(std::vector<FieldDescription> fields);
void label_items(Node& sequence);
/// Index of the name that the scalar spells, or -1 after reporting.
int read_name(const Node& node, const std::vector<std::string>& names, Diagnostics& diagnostics);
/// Whether somebody wrote "null" or "~"; `key:` with nothing behind it is no null but an error.
[[nodiscard]] bool is_written_null(const Node& node);

template <class X>
struct Converter<std::optional<X>> {
    static bool read(Node& node, std::optional<X>& out, Diagnostics& diagnostics) {
        if (is_written_null(node)) {
            out.reset();
            return true;
        }
        return Converter<X>::read(node, out.emplace(), diagnostics);
    }

    static std::optional<Node> to_node(const std::optional<X>& value) {
        return value ? config::to_node(*value) : default_node("null");
    }

    static TypeDescription describe(int depth) { return optional_of(describe_type<X>(depth)); }
};

template <class X>
struct Converter<std::vector<X>> {
    static bool read(Node& node, std::vector<X>& out, Diagnostics& diagnostics) {
        if (!expect_sequence(node, diagnostics)) {
            return false;
        }
        label_items(node);
        out.clear();
        bool good = true;
        for (Node& item : node.children()) {
            X value{};
            good = Converter<X>::read(item, value, diagnostics) && good;
            out.push_back(std::move(value));
        }
        return good;
    }

    static std::optional<Node> to_node(const std::vector<X>& values) {
        Node node = Node::sequence(default_location());
        for (const auto& value : values) {
            if (std::optional<Node> item = config::to_node<X>(value)) {
                node.append(std::move(*item));
            }
        }
        return node;
    }

    static TypeDescription describe(int depth) { return list_of(describe_type<X>(depth)); }
};

template <class X>
struct Converter<OrderedMap<X>> {
    static bool read(Node& node, OrderedMap<X>& out, Diagnostics& diagnostics) {
        if (!expect_map(node, diagnostics)) {
            return false;
        }
        out.entries.clear();
        bool good = true;
        for (Node& child : node.children()) {
            X value{};
            good = Converter<X>::read(child, value, diagnostics) && good;
            out.entries.push_back({child.key(), child.key_location(), std::move(value)});
        }
        return good;
    }

    static std::optional<Node> to_node(const OrderedMap<X>& map) {
        Node node = Node::map(default_location());
        for (const auto& entry : map.entries) {
            if (std::optional<Node> value = config::to_node(entry.value)) {
                node.insert(entry.key, default_location(), std::move(*value));
            }
        }
        return node;
    }

    static TypeDescription describe(int depth) { return dictionary_of(describe_type<X>(depth)); }
};

template <class X>
struct Converter<Located<X>> {
    static bool read(Node& node, Located<X>& out, Diagnostics& diagnostics) {
        out.location = node.location();
        return Converter<X>::read(node, out.value, diagnostics);
    }

    static std::optional<Node> to_node(const Located<X>& value) {
        return config::to_node(value.value);
    }

    static TypeDescription describe(int depth) { return describe_type<X>(depth); }
};

template <class S>
requires HasParameters<S>

struct Converter<S> {
    static constexpr bool kHasParameters = true;

    static bool read(Node& node, S& out, Diagnostics& diagnostics) {
        if constexpr (HasLocation<S>) {
            out.location = node.key_location();
        }
        const Fields<S>& fields = parameters(static_cast<const S*>(nullptr));
        return read_fields(node, fields.infos(), &out, {}, diagnostics);
    }

    static std::optional<Node> to_node(const S& value) {
        S copy = value;
        const Fields<S>& fields = parameters(static_cast<const S*>(nullptr));
        return fields_to_node(fields.infos(), &copy);
    }

    static TypeDescription describe(int depth) {
        if (depth >= kDeepestDescription) {
            return structure({});
        }
        S defaults{};
        const Fields<S>& fields = parameters(static_cast<const S*>(nullptr));
        return structure(describe_fields(fields.infos(), &defaults, depth + 1));
    }
};

template <class E>
requires std::is_enum_v<E>

struct Converter<E> {
    static bool read(const Node& node, E& out, Diagnostics& diagnostics) {
        const int index = read_name(node, names(), diagnostics);
        if (index < 0) {
            return false;
        }
        out = std::data(EnumNames<E>::values)[index].second;
        return true;
    }

    static std::string write(const E& value) {
        for (const auto& [name, constant] : EnumNames<E>::values) {
            if (constant == value) {
                return std::string{name};
            }
        }
        return {};
    }

    static TypeDescription describe(int /*depth*/) { return enumeration(names()); }

private:
    static std::vector<std::string> names() {
        std::vector<std::string> result;
        for (const auto& [name, constant] : EnumNames<E>::values) {
            result.emplace_back(name);
        }
        return result;
    }
};

// Constraints look inside of containers.

template <class M>
struct ConstrainedValueOf {
    using Type = M;
};

template <class X>
struct ConstrainedValueOf<std::optional<X>> : ConstrainedValueOf<X> {};

template <class X>
struct ConstrainedValueOf<std::vector<X>> : ConstrainedValueOf<X> {};

template <class X>
struct ConstrainedValueOf<Located<X>> : ConstrainedValueOf<X> {};

template <class M>
using ConstrainedValue = typename ConstrainedValueOf<M>::Type;

template <class X>
bool is_below(const X& a, const X& b) {
    return a < b;
}

template <class X>
X zero_of() {
    return X{};
}

template <>
inline Frequency zero_of<Frequency>() {
    return {0, 1};
}

template <class M, class Holds>
int first_violation(const M& value, const Holds& holds) {
    return holds(value) ? -1 : 0;
}

template <class X, class Holds>
int first_violation(const std::optional<X>& value, const Holds& holds) {
    return value ? first_violation(*value, holds) : -1;
}

template <class X, class Holds>
int first_violation(const Located<X>& value, const Holds& holds) {
    return first_violation(value.value, holds);
}

template <class X, class Holds>
int first_violation(const std::vector<X>& values, const Holds& holds) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (first_violation(static_cast<const X&>(values[i]), holds) >= 0) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

}  // namespace idlesim::config
