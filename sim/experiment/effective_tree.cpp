// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/effective_tree.hpp"

#include "sim/config/effective.hpp"
#include "sim/experiment/experiment.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace idlesim {
namespace {

using config::Node;

void make_portable(Node& node, const std::map<std::string, std::string>& names) {
    config::Location where = node.location();
    if (const auto found = names.find(where.file); found != names.end()) {
        where.file = found->second;
        node.set_location(std::move(where));
    }
    for (Node& child : node.children()) {
        make_portable(child, names);
    }
}

void insert_child(Node& map, const Node& child) {
    map.insert(child.key(), child.key_location(), child);
}

}  // namespace

Node common_part(const std::vector<const Node*>& maps) {
    Node common = Node::map(maps.front()->location());
    for (const Node& child : maps.front()->children()) {
        std::vector<const Node*> same;
        for (const Node* map : maps) {
            if (const Node* other = map->find(child.key())) {
                same.push_back(other);
            }
        }
        if (same.size() < maps.size()) {
            continue;
        }
        const bool all_maps =
            std::all_of(same.begin(), same.end(), [](const Node* n) { return n->is_map(); });
        const std::string text = config::write_flow(child);
        if (std::all_of(same.begin(), same.end(), [&](const Node* n) {
                return config::write_flow(*n) == text;
            })) {
            insert_child(common, child);
        } else if (all_maps) {
            if (Node part = common_part(same); !part.children().empty()) {
                common.insert(child.key(), child.key_location(), std::move(part));
            }
        }
    }
    return common;
}

Node remainder(const Node& whole, const Node& common) {
    Node rest = Node::map(whole.location());
    for (const Node& child : whole.children()) {
        const Node* shared = common.find(child.key());
        if (shared == nullptr) {
            insert_child(rest, child);
        } else if (child.is_map()) {
            if (Node part = remainder(child, *shared); !part.children().empty()) {
                rest.insert(child.key(), child.key_location(), std::move(part));
            }
        }
    }
    return rest;
}

Node effective_tree(const Experiment& experiment) {
    std::vector<const Node*> trees;
    for (const Arm& arm : experiment.arms) {
        trees.push_back(&arm.tree);
    }
    const Node common = common_part(trees);
    const Node* written_arms = experiment.root.find("arms");
    Node arms = Node::map(written_arms->location());
    for (const Arm& arm : experiment.arms) {
        arms.insert(arm.name, arm.location, remainder(arm.tree, common));
    }

    Node tree = Node::map(experiment.root.location());
    const auto copy_setting = [&](const char* key) {
        insert_child(tree, *experiment.root.find(key));
    };
    copy_setting("name");
    copy_setting("title");
    copy_setting("description");
    for (const Node& part : common.children()) {
        insert_child(tree, part);
    }
    tree.insert("arms", written_arms->key_location(), std::move(arms));
    for (const char* key :
         {"baseline", "replications", "seed", "output", "calibration", "prior", "targets"}) {
        copy_setting(key);
    }
    make_portable(tree, experiment.portable_names);
    return tree;
}

}  // namespace idlesim
