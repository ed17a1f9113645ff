// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/experiment.hpp"

#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "sim/config/override.hpp"
#include "sim/config/suggest.hpp"
#include "sim/engine/check.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/experiment/effective_tree.hpp"
#include "sim/experiment/platform_file.hpp"
#include "sim/experiment/recording.hpp"
#include "sim/experiment/scenario_tree.hpp"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;
using config::Diagnostics;
using config::Node;

const Node* child(const Node& root, std::string_view map, std::string_view key) {
    const Node* node = root.is_map() ? root.find(map) : nullptr;
    return node != nullptr && node->is_map() ? node->find(key) : nullptr;
}

bool concerns(const Node& overlay, const Node& root) {
    const Node* wanted = child(overlay, "workload", "kind");
    const Node* kind = child(root, "workload", "kind");
    return wanted == nullptr || kind == nullptr || wanted->text() == kind->text();
}

class Loader {
public:
    Loader(const fs::path& path, const LoadOptions& options, Diagnostics& diagnostics)
        : options_{options}, diagnostics_{diagnostics} {
        experiment_.path = path;
        experiment_.portable_names[path.string()] = path.filename().string();
    }

    Experiment load();

private:
    void apply_sets(bool to_platform_name);
    bool graft_platform(Node& map);
    void read_settings();
    void read_arms();
    void read_arm(const Node& overlay);
    void find_baseline();

    const LoadOptions& options_;
    Diagnostics& diagnostics_;
    Experiment experiment_;
    Recordings recordings_;
};

Experiment Loader::load() {
    Node& root = experiment_.root;
    root = config::load_file(experiment_.path.string(), diagnostics_);
    if (root.is_invalid()) {
        return std::move(experiment_);
    }
    if (!root.is_map()) {
        diagnostics_.error(root.location(),
                           "an experiment is a map with title, platform, workload and arms");
        return std::move(experiment_);
    }
    apply_sets(true);
    graft_platform(root);
    apply_sets(false);
    for (const Node& overlay : options_.overlays) {
        if (concerns(overlay, root)) {
            config::merge(root, overlay);
        }
    }
    if (options_.brief) {
        if (const Node* overlay = child(root, "prior", "overlay")) {
            config::merge(root, Node{*overlay});
        }
    }
    read_settings();
    read_arms();
    return std::move(experiment_);
}

// A platform that is named by --set must be found before values inside of it can be set.
void Loader::apply_sets(bool to_platform_name) {
    int index = 0;
    for (const std::string& set : options_.sets) {
        ++index;
        if (set.starts_with("platform=") == to_platform_name) {
            config::apply_set(experiment_.root, set, index, diagnostics_);
        }
    }
    if (to_platform_name) {
        return;
    }
    if (options_.seed) {
        config::apply_set(
            experiment_.root, fmt::format("seed={}", *options_.seed), ++index, diagnostics_);
    }
    if (options_.replications) {
        config::apply_set(experiment_.root,
                          fmt::format("replications={}", *options_.replications),
                          ++index,
                          diagnostics_);
    }
}

/// Puts the platform's tree where its name or path stands; false when there was no name.
bool Loader::graft_platform(Node& map) {
    const Node* named = map.find("platform");
    if (named != nullptr && named->is_map() && named->find("extends") != nullptr) {
        Node extended =
            extend_platform(*named, experiment_.path, diagnostics_, experiment_.portable_names);
        map.insert("platform", config::Location{named->key_location()}, std::move(extended));
        return true;
    }
    if (named == nullptr || !named->is_scalar()) {
        return false;
    }
    const config::Location key = named->key_location();
    Node platform =
        named_platform(*named, experiment_.path, diagnostics_, experiment_.portable_names);
    map.insert("platform", key, std::move(platform));
    return true;
}

void Loader::read_settings() {
    std::vector<std::string> others = scenario_keys();
    others.emplace_back("arms");
    experiment_.settings.name = experiment_.path.stem().string();
    config::read_fields(experiment_.root,
                        parameters(static_cast<const ExperimentSettings*>(nullptr)).infos(),
                        &experiment_.settings,
                        others,
                        diagnostics_);
}

void Loader::read_arms() {
    Node* arms = experiment_.root.find("arms");
    if (arms == nullptr) {
        diagnostics_.error(experiment_.root.location(), "missing key 'arms'");
        return;
    }
    if (!config::expect_map(*arms, diagnostics_)) {
        return;
    }
    if (arms->children().empty()) {
        diagnostics_.error(arms->location(), "arms: an experiment has at least one arm");
    }
    for (const Node& overlay : arms->children()) {
        read_arm(overlay);
    }
    find_baseline();
    std::vector<std::string> names;
    for (const Arm& arm : experiment_.arms) {
        names.push_back(arm.name);
    }
    for (const Target& target : experiment_.settings.targets) {
        check(target, names, diagnostics_);
    }
}

void Loader::read_arm(const Node& overlay) {
    Arm arm;
    arm.name = overlay.key();
    arm.location = overlay.key_location();
    if (!overlay.is_null() && !config::expect_map(overlay, diagnostics_)) {
        return;
    }
    Node changes = overlay;
    const bool has_own_platform = changes.is_map() && graft_platform(changes);
    arm.tree = arm_tree(experiment_.root, changes, has_own_platform);
    if (config::read(arm.tree, scenario_fields(), arm.scenario, diagnostics_)) {
        read_recording(arm.scenario, experiment_.path, recordings_, diagnostics_);
        check(arm.scenario, diagnostics_);
    }
    put_in_order(arm.tree);
    experiment_.arms.push_back(std::move(arm));
}

void Loader::find_baseline() {
    const config::Located<std::string>& baseline = experiment_.settings.baseline;
    if (baseline.value.empty()) {
        return;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < experiment_.arms.size(); ++i) {
        names.push_back(experiment_.arms[i].name);
        if (names.back() == baseline.value) {
            experiment_.baseline = i;
            return;
        }
    }
    diagnostics_.error(baseline.location,
                       fmt::format("unknown arm '{}'{}",
                                   baseline.value,
                                   config::suggestion_text(baseline.value, "arms", names)));
}

Node* find_mutable(Node& root, std::string_view path) {
    Node* node = &root;
    while (node != nullptr && !path.empty()) {
        const std::size_t dot = path.find('.');
        node = node->is_map() ? node->find(path.substr(0, dot)) : nullptr;
        path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
    }
    return node;
}

}  // namespace

std::size_t Experiment::arm_index(std::string_view name) const {
    for (std::size_t i = 0; i < arms.size(); ++i) {
        if (arms[i].name == name) {
            return i;
        }
    }
    IDLESIM_CHECK(false, "an arm was asked for that does not exist");
    return 0;
}

Experiment load_experiment(const fs::path& path,
                           const LoadOptions& options,
                           Diagnostics& diagnostics) {
    return Loader{path, options, diagnostics}.load();
}

Experiment load_experiment(const fs::path& path, const LoadOptions& options) {
    Diagnostics diagnostics;
    Experiment experiment = load_experiment(path, options, diagnostics);
    diagnostics.throw_if_errors();
    if (const std::string warnings = diagnostics.render(); !warnings.empty()) {
        fmt::print(stderr, "{}", warnings);
    }
    return experiment;
}

const Node* find_path(const Node& root, std::string_view path) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the copy of a search is worse
    return find_mutable(const_cast<Node&>(root), path);
}

Scenario scenario_with(const Arm& arm, const std::vector<Override>& overrides) {
    Diagnostics diagnostics;
    Node tree = arm.tree;
    for (const Override& change : overrides) {
        Node* node = find_mutable(tree, change.path);
        if (node == nullptr || !node->is_scalar()) {
            throw config::ConfigError{
                fmt::format("arm {} has no value {}\n", arm.name, change.path)};
        }
        const std::string key = node->key();
        const config::Location key_location = node->key_location();
        const std::size_t dot = change.path.rfind('.');
        Node* parent =
            dot == std::string::npos ? &tree : find_mutable(tree, change.path.substr(0, dot));
        parent->insert(key, key_location, Node::scalar(change.text, false, node->location()));
    }
    Scenario scenario;
    if (config::read(tree, scenario_fields(), scenario, diagnostics)) {
        scenario.recorded = arm.scenario.recorded;
        check(scenario, diagnostics);
    }
    if (diagnostics.has_errors()) {
        throw ImpossibleValues{diagnostics.render()};
    }
    return scenario;
}

std::string Experiment::effective_text() const {
    return config::write_effective(effective_tree(*this));
}

}  // namespace idlesim
