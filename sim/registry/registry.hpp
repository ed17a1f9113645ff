// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/field.hpp"
#include "sim/registry/kind_table.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace idlesim {

/// Which implementation of an interface a configuration names, with its parameters read: a plain
/// value that can be copied. make() builds a fresh object each time.
template <class Interface>
class Choice {
public:
    std::string kind;
    std::function<std::unique_ptr<Interface>()> make;
    config::Location location{};
};

/// The implementations of an interface that are linked into the program, sorted by name.
template <class Interface>
class Registry {
public:
    [[nodiscard]] static std::vector<std::string> names() { return table().names(); }

    /// One line of help; std::out_of_range for an unknown kind, as for the next two.
    [[nodiscard]] static const std::string& help(std::string_view kind) {
        return table().at(kind).help;
    }

    [[nodiscard]] static std::vector<config::FieldDescription> describe(std::string_view kind) {
        return table().at(kind).describe(0);
    }

    /// The kind with its default parameters. Throws config::ConfigError when a parameter of the
    /// kind has no default.
    [[nodiscard]] static Choice<Interface> choice(std::string_view kind) {
        Choice<Interface> result;
        table().read_default(kind, &result.make);
        result.kind = kind;
        result.location = config::default_location();
        return result;
    }

    /// The kinds without their types; a function-local static, so that it exists whenever the
    /// first registration runs.
    [[nodiscard]] static KindTable& table() {
        static KindTable kinds;
        return kinds;
    }
};

/// A static object in the .cpp of an implementation makes it known under its name. Impl is built
/// from its Impl::Params. The same name twice ends the program before main().
template <class Interface, class Impl>
struct Register {
    using Params = typename Impl::Params;

    Register(std::string name, std::string help, config::Fields<Params> fields = {}) {
        Registry<Interface>::table().add(
            std::move(name),
            {std::move(help),
             [fields](int depth) { return config::describe(fields, depth); },
             [fields](config::Node& map,
                      const std::vector<std::string>& others,
                      void* make,
                      config::Diagnostics& diagnostics) {
                 Params params{};
                 if constexpr (config::HasLocation<Params>) {
                     params.location = map.key_location();
                 }
                 if (!config::read_fields(map, fields.infos(), &params, others, diagnostics)) {
                     return false;
                 }
                 *static_cast<std::function<std::unique_ptr<Interface>()>*>(make) =
                     [params]() -> std::unique_ptr<Interface> {
                     return std::make_unique<Impl>(params);
                 };
                 return true;
             }});
    }
};

/// Reads the kind under `kind_key` and that kind's own parameters from the same map. A scalar is
/// the kind with its defaults, and becomes such a map. An unknown kind is reported with the nearest
/// or all names.
template <class Interface>
bool read_choice(config::Node& node,
                 std::string_view kind_key,
                 Choice<Interface>& out,
                 config::Diagnostics& diagnostics) {
    out.location = node.key_location();
    return Registry<Interface>::table().read(node, kind_key, out.kind, &out.make, diagnostics);
}

namespace config {

template <class Interface>
struct Converter<Choice<Interface>> {
    static constexpr bool kHasParameters = true;

    static bool read(Node& node, Choice<Interface>& out, Diagnostics& diagnostics) {
        return read_choice(node, Interface::kKindKey, out, diagnostics);
    }

    static std::optional<Node> to_node(const Choice<Interface>& choice) {
        return kind_node(choice.kind);
    }

    static TypeDescription describe(int depth) {
        return Registry<Interface>::table().describe(Interface::kKindKey, depth);
    }
};

}  // namespace config
}  // namespace idlesim
