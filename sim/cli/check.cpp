// SPDX-License-Identifier: Apache-2.0
#include "models/lost_wakeup.hpp"
#include "sim/cli/find_input.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/config/load.hpp"
#include "sim/experiment/calibration.hpp"
#include "sim/experiment/platform_file.hpp"
#include "sim/experiment/sweep.hpp"

#include <map>
#include <optional>

#include <fmt/format.h>

namespace idlesim {
namespace {

std::string check_platform(config::Node& root, config::Diagnostics& diagnostics) {
    PlatformSpec platform;
    if (config::read(
            root, parameters(static_cast<const PlatformSpec*>(nullptr)), platform, diagnostics)) {
        check(platform, diagnostics);
    }
    return fmt::format(
        "platform with {} CPUs and {} costs", platform.topology.cpus(), platform.costs.size());
}

bool is_platform(const config::Node& root) {
    return root.is_map() && root.find("arms") == nullptr &&
           (root.find("costs") != nullptr || root.find("extends") != nullptr);
}

/// Tries the idle entries that users have written themselves: those of the code are tested.
void check_programs(const Experiment& experiment, config::Diagnostics& diagnostics) {
    for (const Arm& arm : experiment.arms) {
        const std::optional<IdleChoice>& idle = arm.scenario.idle;
        if (!idle || idle->kind != "program" || !idle->make) {
            continue;
        }
        if (const std::optional<LostWakeup> lost = find_lost_wakeup(*idle->make())) {
            diagnostics.error(
                idle->location,
                fmt::format(
                    "this program loses a wake-up ({}): {}", lost->event, lost->interleaving));
        }
    }
}

/// Reports what is wrong with a file and says what it is.
std::string check_file(const std::string& path,
                       const LoadOptions& options,
                       config::Diagnostics& diagnostics) {
    // What kind of file it is shows in its keys; complaints about it come from its reader.
    config::Diagnostics ignored;
    config::Node root = config::load_file(path, ignored);
    if (root.is_map() && root.find("experiments") != nullptr) {
        const Calibration calibration = load_calibration(path, options, diagnostics);
        return fmt::format("calibration of {} parameters", calibration.settings.parameters.size());
    }
    if (is_sweep(root)) {
        const Sweep sweep = load_sweep(path, options, diagnostics);
        return fmt::format("sweep of {} points", sweep.points.count());
    }
    if (is_platform(root)) {
        std::map<std::string, std::string> portable_names;
        root = load_platform(path, diagnostics, portable_names);
        return check_platform(root, diagnostics);
    }
    const Experiment experiment = load_experiment(path, options, diagnostics);
    check_programs(experiment, diagnostics);
    return fmt::format("experiment with {} arms and {} targets",
                       experiment.arms.size(),
                       experiment.settings.targets.size());
}

int check_files(const Arguments& arguments) {
    if (arguments.words.empty()) {
        throw UsageError{"check takes files: idlesim check FILE.yaml ..."};
    }
    config::Diagnostics diagnostics;
    std::string text;
    for (const std::string& word : arguments.words) {
        const std::string path = find_input(word, "experiments").string();
        const std::string what = check_file(path, arguments.load, diagnostics);
        text += fmt::format("{}: {}\n", path, what);
    }
    diagnostics.throw_if_errors();
    fmt::print(stderr, "{}", diagnostics.render());
    if (!arguments.quiet) {
        fmt::print("{}", text);
    }
    return kSuccess;
}

}  // namespace

Verb check_verb() {
    return {
        "check",
        "FILE.yaml ...",
        "Says everything that is wrong with a file, without simulating: an experiment, a platform, "
        "a sweep or a\ncalibration. Of a strategy that it holds also whether it can lose a "
        "wake-up.",
        {"set", "quiet"},
        check_files};
}

}  // namespace idlesim
