// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/scenario.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"
#include "sim/experiment/target.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace idlesim {

/// A part of a configuration that is kept as it is, to be laid over another later.
struct RawTree {
    config::Node node;
};

/// How many rows samples.csv may have: a number, or all.
struct SampleRows {
    std::int64_t limit = 100'000;  ///< 0: all
};

struct OutputSettings {
    SampleRows samples;
    config::Location location;
};

const config::Fields<OutputSettings>& parameters(const OutputSettings*);

/// How a target's range over the platform's assumed costs is found: joint draws, each of them one
/// short run.
struct PriorSettings {
    int draws = 32;
    RawTree overlay;  ///< what makes the runs short, laid over the experiment
    config::Location location;
};

const config::Fields<PriorSettings>& parameters(const PriorSettings*);

/// What an experiment says beside the scenario of its arms.
struct ExperimentSettings {
    std::string name;
    std::string title;
    std::string description;
    config::Located<std::string> baseline;
    int replications = 10;
    std::uint64_t seed = 1;
    OutputSettings output;
    config::Located<std::string> calibration;
    PriorSettings prior;
    std::vector<Target> targets;
};

const config::Fields<ExperimentSettings>& parameters(const ExperimentSettings*);

struct Arm {
    std::string name;
    config::Location location;
    config::Node tree;  ///< the experiment with the arm laid over it, defaults included
    Scenario scenario;
};

/// What the command line adds to a file.
struct LoadOptions {
    std::vector<std::string> sets;  ///< "path=value"
    std::optional<std::uint64_t> seed;
    std::optional<int> replications;
    /// Laid over what file and sets say; one whose workload names a kind only where that is the
    /// kind of the experiment's workload.
    std::vector<config::Node> overlays;
    /// Lay the experiment's own `prior.overlay` over it too: short runs.
    bool brief = false;
};

/// An experiment, read and checked.
struct Experiment {
    std::filesystem::path path;
    ExperimentSettings settings;
    std::vector<Arm> arms;
    std::size_t baseline = 0;
    /// Settings with their defaults.
    config::Node root;
    /// Name of each file as messages show it, and as it is the same on every machine.
    std::map<std::string, std::string> portable_names;

    [[nodiscard]] std::size_t arm_index(std::string_view name) const;

    /// Every value that counted, with its origin: an experiment that gives the same results. What
    /// all arms have in common stands above them.
    [[nodiscard]] std::string effective_text() const;
};

/// Reads `path`, finds its platform, lays the arms over it and checks everything; reports all that
/// is wrong together. The result is complete only when there were no errors.
[[nodiscard]] Experiment load_experiment(const std::filesystem::path& path,
                                         const LoadOptions& options,
                                         config::Diagnostics& diagnostics);

/// The same; throws config::ConfigError when something is wrong. Warnings go to standard error.
[[nodiscard]] Experiment load_experiment(const std::filesystem::path& path,
                                         const LoadOptions& options);

/// A scalar somewhere in an arm's tree replaced by another text.
struct Override {
    std::string path;  ///< "platform.costs.hlt_exit.value"
    std::string text;
};

/// Values that do not make a scenario: of the wrong kind, or contradicting each other.
class ImpossibleValues : public config::ConfigError {
public:
    using config::ConfigError::ConfigError;
};

/// The arm's scenario with other values. Throws config::ConfigError for a path that does not
/// exist, ImpossibleValues when the result does not pass its checks.
[[nodiscard]] Scenario scenario_with(const Arm& arm, const std::vector<Override>& overrides);

/// Node at a path of keys joined by dots, or nullptr.
[[nodiscard]] const config::Node* find_path(const config::Node& root, std::string_view path);

}  // namespace idlesim

namespace idlesim::config {

template <>
struct Converter<RawTree> {
    static bool read(const Node& node, RawTree& out, Diagnostics& diagnostics);
    static std::optional<Node> to_node(const RawTree& tree);
    static TypeDescription describe(int depth);
};

template <>
struct Converter<SampleRows> {
    static bool read(const Node& node, SampleRows& out, Diagnostics& diagnostics);
    static std::string write(const SampleRows& rows);

    static std::string type_name() { return "whole number or all"; }
};

}  // namespace idlesim::config
