// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/scenario.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/node.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/recording.hpp"
#include "sim/experiment/sweep_points.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace idlesim {

/// Platform files as trees, each read once. Safe to use from several threads.
class PlatformCache {
public:
    /// An invalid node, reported, when there is no such platform.
    [[nodiscard]] config::Node tree(const config::Node& name,
                                    const std::filesystem::path& naming_file,
                                    config::Diagnostics& diagnostics);

    /// What each file that was read is called on every machine.
    [[nodiscard]] std::map<std::string, std::string> portable_names() const;

private:
    mutable std::mutex mutex_;
    std::map<std::string, config::Node> trees_;
    std::map<std::string, std::string> portable_names_;
};

/// A point that can be run.
struct ResolvedPoint {
    std::vector<Scenario> arms;
    std::uint64_t seed = 1;
    int replications = 1;
    /// Of every value that counts: what was stored under another hash is another experiment's.
    std::uint64_t content = 0;
    /// Idle states of the first arm's platform, POLL first.
    std::vector<std::string> cstates;
};

/// The experiment that a sweep varies. It is read once; a point is made from its tree.
class SweepBase {
public:
    /// `sweep_path` is the file that names or holds the experiment.
    void load(const SweepSettings& settings,
              const std::filesystem::path& sweep_path,
              const LoadOptions& options,
              config::Diagnostics& diagnostics);

    [[nodiscard]] const std::vector<std::string>& arms() const { return arms_; }

    [[nodiscard]] std::size_t baseline() const { return baseline_; }

    /// The arms with the point's values in them. Incomplete after an error. From any thread.
    [[nodiscard]] ResolvedPoint resolve(const std::vector<PathValue>& values,
                                        config::Diagnostics& diagnostics) const;

    /// A point that resolve() found right, as an experiment of so many replications.
    [[nodiscard]] Experiment experiment(const std::string& name,
                                        int replications,
                                        const std::vector<PathValue>& values,
                                        config::Diagnostics& diagnostics) const;

private:
    /// An experiment with a point's values in it, and the tree of each arm; no arms after an error.
    struct Composition {
        config::Node root;
        std::vector<config::Node> arms;
    };

    [[nodiscard]] Composition compose(const std::vector<PathValue>& values,
                                      config::Diagnostics& diagnostics) const;
    void find_arms(config::Diagnostics& diagnostics);
    bool put(config::Node& root, const PathValue& value, config::Diagnostics& diagnostics) const;
    bool extend(config::Node& map, config::Diagnostics& diagnostics) const;
    bool graft(config::Node& map, config::Diagnostics& diagnostics) const;

    std::filesystem::path path_;  ///< of the file that names the platform
    std::filesystem::path sweep_path_;
    config::Node root_;
    LoadOptions options_;
    std::vector<SweepColumn> set_columns_;
    std::vector<config::Node> set_values_;
    std::vector<std::string> arms_;
    std::size_t baseline_ = 0;
    std::set<std::string> own_platform_;  ///< arms that extend a platform
    std::shared_ptr<PlatformCache> platforms_ = std::make_shared<PlatformCache>();
    std::shared_ptr<Recordings> recordings_ = std::make_shared<Recordings>();
};

}  // namespace idlesim
