// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_base.hpp"

#include "sim/config/effective.hpp"
#include "sim/config/load.hpp"
#include "sim/config/override.hpp"
#include "sim/config/suggest.hpp"
#include "sim/engine/hash.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/experiment/platform_file.hpp"
#include "sim/experiment/scenario_tree.hpp"
#include "sim/experiment/sweep_path.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;
using config::Diagnostics;
using config::Node;

constexpr std::string_view kPlatform = "platform";

/// "platform" and "arms.x.platform" name a file, which must be read before values in it can be
/// set.
bool names_platform(std::string_view path) {
    return path == kPlatform || (path.starts_with("arms.") && path.ends_with(".platform") &&
                                 std::count(path.begin(), path.end(), '.') == 2);
}

std::vector<std::string> cstates_of(const Node& arm) {
    std::vector<std::string> names{"POLL"};
    const Node* driver = find_path(arm, "kernel.cpuidle");
    const bool acpi = driver != nullptr && driver->text() == "acpi_idle";
    const Node* states = find_path(arm, acpi ? "platform.acpi_states" : "platform.idle_states");
    if (states == nullptr || !states->is_map()) {
        return names;
    }
    for (const Node& state : states->children()) {
        if (state.key() != names.front()) {
            names.push_back(state.key());
        }
    }
    return names;
}

/// Adds the defaults of a platform, so that not every point has to. What is wrong with it is left
/// to be said when a point is made.
void complete(Node& platform) {
    Node whole = platform;
    PlatformSpec spec;
    Diagnostics unheard;
    if (config::read(whole, parameters(static_cast<const PlatformSpec*>(nullptr)), spec, unheard)) {
        platform = std::move(whole);
    }
}

/// Reads the file that `experiment` names; an inline experiment is used as it is.
Node read_experiment(const SweepSettings& settings, fs::path& path, Diagnostics& diagnostics) {
    const Node& written = settings.experiment.node;
    if (written.is_map()) {
        return written;
    }
    if (!config::expect_scalar(written, "an experiment's name, or a map", diagnostics)) {
        return Node::invalid(written.location());
    }
    const auto found = find_data_file(written.text(), path, "experiments");
    if (!found) {
        diagnostics.error(
            written.location(),
            fmt::format("there is no experiment '{}'{}",
                        written.text(),
                        config::suggestion_text(
                            written.text(), "experiments", data_file_names("experiments"))));
        return Node::invalid(written.location());
    }
    path = found->path;
    return config::load_file(displayed(found->path), diagnostics);
}

}  // namespace

Node PlatformCache::tree(const Node& name, const fs::path& naming_file, Diagnostics& diagnostics) {
    const std::lock_guard lock{mutex_};
    if (const auto known = trees_.find(name.text()); known != trees_.end()) {
        return known->second;
    }
    const int errors = diagnostics.errors();
    Node tree = named_platform(name, naming_file, diagnostics, portable_names_);
    if (diagnostics.errors() == errors) {
        complete(tree);
        trees_[name.text()] = tree;
    }
    return tree;
}

std::map<std::string, std::string> PlatformCache::portable_names() const {
    const std::lock_guard lock{mutex_};
    return portable_names_;
}

void SweepBase::load(const SweepSettings& settings,
                     const fs::path& sweep_path,
                     const LoadOptions& options,
                     Diagnostics& diagnostics) {
    path_ = sweep_path;
    sweep_path_ = sweep_path;
    options_ = options;
    root_ = read_experiment(settings, path_, diagnostics);
    if (!root_.is_map()) {
        return;
    }
    // What a sweep does not use, and what every point would have to copy.
    for (const char* key : {"targets", "prior", "calibration", "output"}) {
        root_.erase(key);
    }
    if (root_.find("title") == nullptr) {
        root_.insert(
            "title", root_.location(), Node::scalar(settings.title, true, root_.location()));
    }
    for (const auto& entry : settings.set) {
        set_columns_.push_back({entry.key, entry.key_location, false});
        set_values_.push_back(entry.value.node);
    }
    const config::Location& where = settings.experiment.node.location();
    const auto replace = [&](const char* key, auto number) {
        if (number) {
            root_.insert(key, where, Node::scalar(std::to_string(*number), false, where));
        }
    };
    replace("seed", options.seed ? options.seed : settings.seed);
    replace("replications", options.replications ? options.replications : settings.replications);
    std::vector<std::string> others = scenario_keys();
    others.emplace_back("arms");
    ExperimentSettings experiment;
    config::read_fields(root_,
                        parameters(static_cast<const ExperimentSettings*>(nullptr)).infos(),
                        &experiment,
                        others,
                        diagnostics);
    find_arms(diagnostics);
    if (!experiment.baseline.value.empty()) {
        const auto found = std::find(arms_.begin(), arms_.end(), experiment.baseline.value);
        if (found == arms_.end()) {
            diagnostics.error(experiment.baseline.location,
                              fmt::format("unknown arm '{}'", experiment.baseline.value));
        } else {
            baseline_ = static_cast<std::size_t>(found - arms_.begin());
        }
    }
}

void SweepBase::find_arms(Diagnostics& diagnostics) {
    extend(root_, diagnostics);
    Node* arms = root_.find("arms");
    if (arms == nullptr) {
        diagnostics.error(root_.location(), "the experiment of a sweep needs 'arms'");
        return;
    }
    if (!config::expect_map(*arms, diagnostics)) {
        return;
    }
    if (arms->children().empty()) {
        diagnostics.error(arms->location(), "arms: an experiment has at least one arm");
    }
    for (Node& arm : arms->children()) {
        if (!arm.is_null() && config::expect_map(arm, diagnostics) && extend(arm, diagnostics)) {
            own_platform_.insert(arm.key());
        }
        arms_.push_back(arm.key());
    }
}

bool SweepBase::put(Node& root, const PathValue& value, Diagnostics& diagnostics) const {
    const std::string& path = value.column->path;
    const config::Location& where = value.column->where;
    const std::string first = path.substr(0, path.find_first_of(".["));
    std::vector<std::string> known = scenario_keys();
    for (const char* key : {"arms", "seed", "replications"}) {
        known.emplace_back(key);
    }
    if (std::find(known.begin(), known.end(), first) == known.end()) {
        diagnostics.error(where,
                          fmt::format("an experiment has no '{}' that could be varied{}",
                                      first,
                                      config::suggestion_text(first, "parts", known)));
        return false;
    }
    if (first == "arms") {
        const std::string rest = path.substr(std::min(path.size(), first.size() + 1));
        const std::string arm = rest.substr(0, rest.find('.'));
        if (std::find(arms_.begin(), arms_.end(), arm) == arms_.end()) {
            diagnostics.error(
                where,
                fmt::format(
                    "unknown arm '{}'{}", arm, config::suggestion_text(arm, "arms", arms_)));
            return false;
        }
    }
    return put_at_path(root, path, where, *value.value, diagnostics);
}

/// Puts a whole platform where the map says what it extends; false when it does not.
bool SweepBase::extend(Node& map, Diagnostics& diagnostics) const {
    const Node* own = map.find(kPlatform);
    if (own == nullptr || !own->is_map() || own->find("extends") == nullptr) {
        return false;
    }
    std::map<std::string, std::string> portable_names;
    const config::Location key = own->key_location();
    Node extended = extend_platform(*own, path_, diagnostics, portable_names);
    complete(extended);
    map.insert(std::string{kPlatform}, key, std::move(extended));
    return true;
}

/// Puts a platform's tree where its name stands; false when there was no name.
bool SweepBase::graft(Node& map, Diagnostics& diagnostics) const {
    const Node* named = map.find(kPlatform);
    if (named == nullptr || !named->is_scalar()) {
        return false;
    }
    const config::Location key = named->key_location();
    Node tree = platforms_->tree(*named, path_, diagnostics);
    map.insert(std::string{kPlatform}, key, std::move(tree));
    return true;
}

SweepBase::Composition SweepBase::compose(const std::vector<PathValue>& values,
                                          Diagnostics& diagnostics) const {
    Composition point;
    point.root = root_;
    Node& root = point.root;
    const int errors = diagnostics.errors();
    const auto apply = [&](bool platform_names) {
        for (std::size_t i = 0; i < set_columns_.size(); ++i) {
            if (names_platform(set_columns_[i].path) == platform_names) {
                put(root, {&set_columns_[i], &set_values_[i]}, diagnostics);
            }
        }
        for (std::size_t i = 0; i < options_.sets.size(); ++i) {
            const std::string& set = options_.sets[i];
            if (names_platform(set.substr(0, set.find('='))) == platform_names) {
                config::apply_set(root, set, static_cast<int>(i + 1), diagnostics);
            }
        }
        for (const PathValue& value : values) {
            if (!value.column->label && names_platform(value.column->path) == platform_names) {
                put(root, value, diagnostics);
            }
        }
    };
    apply(true);
    graft(root, diagnostics);
    std::set<std::string> own_platform = own_platform_;
    for (Node& arm : root.find("arms")->children()) {
        if (arm.is_map() && graft(arm, diagnostics)) {
            own_platform.insert(arm.key());
        }
    }
    apply(false);
    if (diagnostics.errors() == errors) {
        for (const Node& arm : root.find("arms")->children()) {
            point.arms.push_back(arm_tree(root, arm, own_platform.contains(arm.key())));
        }
    }
    return point;
}

ResolvedPoint SweepBase::resolve(const std::vector<PathValue>& values,
                                 Diagnostics& diagnostics) const {
    ResolvedPoint point;
    Composition composition = compose(values, diagnostics);
    if (composition.arms.empty()) {
        return point;
    }
    std::string text;
    for (std::size_t i = 0; i < composition.arms.size(); ++i) {
        Node& tree = composition.arms[i];
        if (point.cstates.empty()) {
            point.cstates = cstates_of(tree);
        }
        Scenario scenario;
        if (config::read(tree, scenario_fields(), scenario, diagnostics)) {
            read_recording(scenario, path_, *recordings_, diagnostics);
            check(scenario, diagnostics);
        }
        point.arms.push_back(std::move(scenario));
        text += arms_[i] + ": " + config::write_flow(tree) + '\n';
    }
    const Node& root = composition.root;
    const bool seed_read =
        config::Converter<std::uint64_t>::read(*root.find("seed"), point.seed, diagnostics);
    const Node& replications = *root.find("replications");
    if (config::Converter<int>::read(replications, point.replications, diagnostics) && seed_read &&
        point.replications < 1) {
        config::report(replications, "must be at least 1", diagnostics);
    }
    point.content =
        hash_text(fmt::format("{}seed {} x {}\n", text, point.seed, point.replications));
    return point;
}

Experiment SweepBase::experiment(const std::string& name,
                                 int replications,
                                 const std::vector<PathValue>& values,
                                 Diagnostics& diagnostics) const {
    Experiment experiment;
    Composition composition = compose(values, diagnostics);
    experiment.path = path_;
    experiment.root = std::move(composition.root);
    experiment.baseline = baseline_;
    experiment.portable_names = platforms_->portable_names();
    for (const fs::path& file : {path_, sweep_path_}) {
        experiment.portable_names[displayed(file)] = file.filename().string();
        experiment.portable_names[file.string()] = file.filename().string();
    }
    Node& root = experiment.root;
    root.insert("name", root.location(), Node::scalar(name, true, root.location()));
    const config::Location where = root.find("replications")->location();
    root.insert("replications", where, Node::scalar(std::to_string(replications), false, where));
    std::vector<std::string> others = scenario_keys();
    others.emplace_back("arms");
    config::read_fields(root,
                        parameters(static_cast<const ExperimentSettings*>(nullptr)).infos(),
                        &experiment.settings,
                        others,
                        diagnostics);
    const std::vector<Node>& written = root.find("arms")->children();
    for (std::size_t i = 0; i < composition.arms.size(); ++i) {
        Arm arm{arms_[i], written[i].key_location(), std::move(composition.arms[i]), {}};
        config::read(arm.tree, scenario_fields(), arm.scenario, diagnostics);
        read_recording(arm.scenario, path_, *recordings_, diagnostics);
        put_in_order(arm.tree);
        experiment.arms.push_back(std::move(arm));
    }
    return experiment;
}

}  // namespace idlesim
