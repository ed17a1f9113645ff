// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/scenario_tree.hpp"

#include "sim/config/override.hpp"
#include "sim/config/suggest.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/experiment/platform_file.hpp"

#include <utility>

#include <fmt/format.h>

namespace idlesim {

using config::Node;

const config::Fields<Scenario>& scenario_fields() {
    return parameters(static_cast<const Scenario*>(nullptr));
}

std::vector<std::string> scenario_keys() {
    std::vector<std::string> keys;
    for (const config::FieldInfo& info : scenario_fields().infos()) {
        keys.push_back(info.key);
    }
    return keys;
}

Node named_platform(const Node& name,
                    const std::filesystem::path& naming_file,
                    config::Diagnostics& diagnostics,
                    std::map<std::string, std::string>& portable_names) {
    const auto found = find_data_file(name.text(), naming_file, kPlatformFolder);
    if (!found) {
        diagnostics.error(
            name.location(),
            fmt::format("there is no platform '{}'{}",
                        name.text(),
                        config::suggestion_text(
                            name.text(), "platforms", data_file_names(kPlatformFolder))));
        return Node::invalid(name.location());
    }
    const std::string shown = displayed(found->path);
    portable_names[shown] = found->portable_name;
    return load_platform(shown, diagnostics, portable_names);
}

Node arm_tree(const Node& experiment, const Node& arm, bool has_own_platform) {
    Node tree = Node::map(experiment.location());
    for (const std::string& key : scenario_keys()) {
        const Node* part = experiment.find(key);
        if (part != nullptr && !(has_own_platform && key == "platform")) {
            tree.insert(key, part->key_location(), *part);
        }
    }
    if (arm.is_map()) {
        config::merge(tree, arm);
    }
    return tree;
}

void put_in_order(Node& scenario) {
    Node ordered = Node::map(scenario.location());
    for (const std::string& key : scenario_keys()) {
        if (const Node* part = scenario.find(key)) {
            ordered.insert(key, part->key_location(), *part);
        }
    }
    scenario = std::move(ordered);
}

}  // namespace idlesim
