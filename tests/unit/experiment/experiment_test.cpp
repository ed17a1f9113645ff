// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/experiment.hpp"

#include "sim/config/load.hpp"
#include "sim/experiment/platform_file.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <filesystem>

using namespace idlesim;

namespace {

std::string platform_text() {
    std::ifstream file{std::string{IDLESIM_SOURCE_DIR} + "/configs/platforms/amd-zen3-server.yaml"};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

constexpr const char* kExperiment =
    "title: t\n"
    "platform: machine.yaml\n"
    "workload: { kind: ipi_wake, source_cpu: 0, target_cpu: 2, wakeups: 100 }\n"
    "arms:\n"
    "  hlt: { idle: { strategy: hlt } }\n"
    "  mwait: { idle: { strategy: mwait_c1 }, kernel: { hz: 1000 } }\n";

class Files {
public:
    Files() {
        folder_.write("machine.yaml", platform_text());
        folder_.write("e.yaml", kExperiment);
    }

    [[nodiscard]] Experiment load(const LoadOptions& options = {}) const {
        return load_experiment(folder_.path() / "e.yaml", options);
    }

    /// What is wrong with the experiment, as a user sees it.
    [[nodiscard]] std::string complaints() const {
        config::Diagnostics diagnostics;
        const Experiment ignored =
            load_experiment(folder_.path() / "e.yaml", LoadOptions{}, diagnostics);
        return diagnostics.render();
    }

    [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

private:
    ScratchFolder folder_;
};

}  // namespace

TEST_CASE("a platform is found beside the experiment, arms are laid over it", "[experiment]") {
    const Experiment experiment = Files{}.load();
    REQUIRE(experiment.settings.name == "e");
    REQUIRE(experiment.settings.replications == 10);
    REQUIRE(experiment.arms.size() == 2);
    REQUIRE(experiment.arms[0].scenario.idle->kind == "hlt");
    REQUIRE(experiment.arms[1].scenario.idle->kind == "mwait_c1");
    REQUIRE(experiment.arms[0].scenario.kernel.hz == 250);
    REQUIRE(experiment.arms[1].scenario.kernel.hz == 1000);
    REQUIRE(experiment.arms[1].scenario.platform.name == "amd-zen3-server");
    REQUIRE(experiment.baseline == 0);
}

TEST_CASE("--set reaches everything: base, platform and arms", "[experiment]") {
    LoadOptions options;
    options.sets = {"kernel.hz=100",
                    "arms.mwait.kernel.hz=300",
                    "platform.topology.packages=1",
                    "baseline=mwait"};
    options.seed = 77;
    options.replications = 3;
    const Experiment experiment = Files{}.load(options);
    REQUIRE(experiment.arms[0].scenario.kernel.hz == 100);
    REQUIRE(experiment.arms[1].scenario.kernel.hz == 300);
    REQUIRE(experiment.arms[0].scenario.platform.topology.packages == 1);
    REQUIRE(experiment.baseline == 1);
    REQUIRE(experiment.settings.seed == 77);
    REQUIRE(experiment.settings.replications == 3);
}

TEST_CASE("the platform may be chosen and then changed on the command line", "[experiment]") {
    LoadOptions options;
    options.sets = {"platform.topology.packages=1", "platform=amd-zen3-server"};
    REQUIRE(Files{}.load(options).arms[0].scenario.platform.topology.packages == 1);
}

TEST_CASE("all errors are reported together, each with its place", "[experiment]") {
    const Files files;
    files.folder().write("e.yaml",
                         "title: t\nplatform: machine.yaml\nworklaod: {}\narms:\n"
                         "  a: { idle: { strategy: hltt } }\nbaseline: b\n"
                         "targets: [{ arm: c, metric: wake_latency, stat: p50, documented: 1 ns, "
                         "tolerance: 1 %, source: s }]\n");
    const std::string text = files.complaints();
    INFO(text);
    REQUIRE(text.find("e.yaml:3:1: error: unknown key 'worklaod'; did you mean 'workload'?") !=
            std::string::npos);
    REQUIRE(text.find("'hltt'") != std::string::npos);
    REQUIRE(text.find("unknown arm 'b'") != std::string::npos);
    REQUIRE(text.find("unknown arm 'c'") != std::string::npos);
}

TEST_CASE("what makes a power budget useless is told at its place", "[experiment]") {
    const Files files;
    files.folder().write("e.yaml",
                         "title: t\n"
                         "platform:\n"
                         "  extends: intel-xeon-silver-4114\n"
                         "  firmware: { turbo: true }\n"
                         "  power:\n"
                         "    budget:\n"
                         "      interval: { value: 0 ns }\n"
                         "      step: 1 kHz\n"
                         "      turbo:\n"
                         "        - { active_cores: 4, clock: 2 GHz, basis: assumed, source: s }\n"
                         "        - { active_cores: 2, clock: 3 GHz, basis: assumed, source: s }\n"
                         "workload: { kind: poll_loop, cpu: 0, idle_cores: 10 }\n"
                         "arms: { a: {}, b: { platform: { power: { budget: null } } } }\n");
    const std::string text = files.complaints();
    INFO(text);
    for (const char* expected :
         {"e.yaml:7:7: error: power.budget.interval: expected a time above 0",
          "e.yaml:6:5: error: power.budget.step: expected at least 1 MHz",
          "e.yaml:11:11: error: power.budget.turbo: expected rows with more",
          "e.yaml:4:3: error: firmware.turbo: the platform has no power",
          "idle_cores: its package has 9 other cores"}) {
        CHECK(text.find(expected) != std::string::npos);
    }
}

TEST_CASE("watts that are assumed say in which range", "[experiment]") {
    const Files files;
    files.folder().write(
        "e.yaml",
        "title: t\n"
        "platform:\n"
        "  extends: intel-icx-server\n"
        "  power:\n"
        "    core_running: { value: 4 W, basis: assumed, range: null, source: s }\n"
        "workload: { kind: ipi_wake, source_cpu: 0, target_cpu: 2 }\n"
        "arms: { a: {} }\n");
    CHECK(files.complaints().find("e.yaml:5:5: error: power.core_running: an assumed number needs "
                                  "a range") != std::string::npos);
}

TEST_CASE("every shipped machine reports energy", "[experiment]") {
    const std::filesystem::path folder{std::string{IDLESIM_SOURCE_DIR} + "/configs/platforms"};
    for (const auto& entry : std::filesystem::directory_iterator{folder}) {
        const PlatformSpec platform = read_platform_file(entry.path());
        const std::string name = entry.path().stem().string();
        INFO(name);
        CHECK(platform.power.has_value());
    }
}

TEST_CASE("an unknown platform is answered with the nearest name", "[experiment]") {
    const Files files;
    LoadOptions options;
    options.sets = {"platform=amd-zen3-servr"};
    REQUIRE_THROWS_WITH(files.load(options),
                        Catch::Matchers::ContainsSubstring("did you mean 'amd-zen3-server'?"));
}

TEST_CASE("an overlay with a kind of workload spares experiments of another kind", "[experiment]") {
    config::Diagnostics diagnostics;
    LoadOptions options;
    options.overlays = {
        config::load_text("{workload: {kind: other, x: 1}, kernel: {hz: 300}}", "o", diagnostics),
        config::load_text("{workload: {kind: ipi_wake, wakeups: 5}}", "o", diagnostics)};
    const Experiment experiment = Files{}.load(options);
    REQUIRE(experiment.arms[0].scenario.kernel.hz == 250);
    REQUIRE(find_path(experiment.arms[0].tree, "workload.wakeups")->text() == "5");
}

TEST_CASE("a brief experiment is the one that its prior overlay makes", "[experiment]") {
    const Files files;
    files.folder().write(
        "e.yaml", std::string{kExperiment} + "prior: { overlay: { workload: { wakeups: 7 } } }\n");
    LoadOptions options;
    REQUIRE(find_path(files.load(options).arms[0].tree, "workload.wakeups")->text() == "100");
    options.brief = true;
    REQUIRE(find_path(files.load(options).arms[0].tree, "workload.wakeups")->text() == "7");
}

TEST_CASE("a value of an arm can be overridden, but only one that exists", "[experiment]") {
    const Experiment experiment = Files{}.load();
    const Arm& arm = experiment.arms[0];
    REQUIRE(scenario_with(arm, {{"platform.topology.packages", "1"}}).platform.topology.packages ==
            1);
    REQUIRE(arm.scenario.platform.topology.packages == 2);
    REQUIRE_THROWS_AS(scenario_with(arm, {{"platform.nothing", "1"}}), config::ConfigError);
    REQUIRE_THROWS_AS(scenario_with(arm, {{"platform.topology.packages", "many"}}),
                      config::ConfigError);
}

TEST_CASE("the effective text is an experiment with the same arms", "[experiment]") {
    const Files files;
    const std::string text = files.load().effective_text();
    REQUIRE(text.find("# machine.yaml:") != std::string::npos);
    REQUIRE(text.find("# e.yaml:3:") != std::string::npos);
    files.folder().write("again/f.yaml", text);
    const Experiment again = load_experiment(files.folder().path() / "again/f.yaml", LoadOptions{});
    REQUIRE(again.settings.name == "e");
    REQUIRE(again.arms[1].scenario.kernel.hz == 1000);
    REQUIRE(again.arms[0].scenario.platform.costs.size() ==
            files.load().arms[0].scenario.platform.costs.size());
}
