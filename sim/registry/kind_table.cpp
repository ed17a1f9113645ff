// SPDX-License-Identifier: Apache-2.0
#include "sim/registry/kind_table.hpp"

#include "sim/config/converter.hpp"
#include "sim/config/excerpt.hpp"
#include "sim/config/suggest.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// The scalar `kind` becomes the map {kind_key: kind}, with all places kept.
void expand(config::Node& node, std::string_view kind_key) {
    config::Node kind = config::Node::scalar(node.text(), node.quoted(), node.location());
    const config::Location where = node.location();
    node.become_map(where);
    node.insert(std::string{kind_key}, where, std::move(kind));
}

}  // namespace

void KindTable::add(std::string name, Kind kind) {
    const auto [place, is_new] = kinds_.emplace(std::move(name), std::move(kind));
    if (!is_new) {
        throw std::logic_error(fmt::format("'{}' is registered twice", place->first));
    }
}

std::vector<std::string> KindTable::names() const {
    std::vector<std::string> result;
    for (const auto& [name, kind] : kinds_) {
        result.push_back(name);
    }
    return result;
}

const KindTable::Kind& KindTable::at(std::string_view name) const {
    const auto kind = kinds_.find(name);
    if (kind == kinds_.end()) {
        throw std::out_of_range(fmt::format("unknown kind '{}'{}",
                                            config::printable(name),
                                            config::suggestion_text(name, "kinds", names())));
    }
    return kind->second;
}

config::TypeDescription KindTable::describe(std::string_view kind_key, int depth) const {
    config::TypeDescription result;
    result.form = config::TypeDescription::Form::choice;
    result.name = "choice";
    result.kind_key = kind_key;
    for (const auto& [name, kind] : kinds_) {
        config::KindDescription description{name, kind.help, {}};
        if (depth < config::kDeepestDescription) {
            description.fields = kind.describe(depth + 1);
        }
        result.kinds.push_back(std::move(description));
    }
    return result;
}

bool KindTable::read(config::Node& node,
                     std::string_view kind_key,
                     std::string& kind,
                     void* make,
                     config::Diagnostics& diagnostics) const {
    if (node.is_scalar()) {
        expand(node, kind_key);
    }
    if (!config::expect_map(node, diagnostics)) {
        return false;
    }
    const config::Node* name = node.find(kind_key);
    if (name == nullptr) {
        diagnostics.error(node.key_location(),
                          fmt::format("key '{}' is missing{}{}",
                                      kind_key,
                                      node.label().empty() ? "" : " in '" + node.label() + "'",
                                      config::suggestion_text({}, "values", names())));
        return false;
    }
    if (!config::expect_scalar(*name, "a name", diagnostics)) {
        return false;
    }
    const auto found = kinds_.find(name->text());
    if (found == kinds_.end()) {
        config::report(*name,
                       fmt::format("unknown value '{}'{}",
                                   config::printable(name->text()),
                                   config::suggestion_text(name->text(), "values", names())),
                       diagnostics);
        return false;
    }
    kind = found->first;
    return found->second.read(node, {std::string{kind_key}}, make, diagnostics);
}

void KindTable::read_default(std::string_view name, void* make) const {
    const Kind& kind = at(name);
    config::Node map = config::Node::map(config::default_location());
    config::Diagnostics diagnostics;
    kind.read(map, {}, make, diagnostics);
    diagnostics.throw_if_errors();
}

namespace config {

std::optional<Node> kind_node(const std::string& kind) {
    return kind.empty() ? std::nullopt
                        : std::optional{Node::scalar(kind, false, default_location())};
}

}  // namespace config
}  // namespace idlesim
