// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/calibration.hpp"

#include "sim/experiment/prior.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <set>

using namespace idlesim;

namespace {

const std::string kRoot = IDLESIM_SOURCE_DIR;

std::string calibration_text(const std::string& parameters) {
    return "title: t\nplatform: amd-zen3-server\nexperiments: [" + kRoot +
           "/experiments/01_zen3_ipi_wake.yaml]\nreplications: 1\n"
           "overlay: { workload: { kind: ipi_wake, wakeups: 50 } }\nparameters:\n" +
           parameters;
}

std::string complaint(const std::string& parameters) {
    const ScratchFolder folder;
    folder.write("c.yaml", calibration_text(parameters));
    config::Diagnostics diagnostics;
    const Calibration ignored =
        load_calibration(folder.path() / "c.yaml", LoadOptions{}, diagnostics);
    return diagnostics.render();
}

}  // namespace

TEST_CASE("a calibration replaces values of the platform and keeps the rest", "[experiment]") {
    const ScratchFolder folder;
    folder.write("c.yaml",
                 calibration_text("  - { path: platform.costs.hlt_exit.value, "
                                  "range: [100 ns, 900 ns] }\n"));
    const Calibration calibration = load_calibration(folder.path() / "c.yaml", LoadOptions{});
    REQUIRE(calibration.bounds()[0].low == 100'000.0);
    REQUIRE(calibration.bounds()[0].initial == 500'000.0);
    REQUIRE_FALSE(calibration.fit_targets().empty());
    const std::string fitted = fitted_platform(calibration, {123'400});
    REQUIRE(fitted.find("123.4 ns") != std::string::npos);
    REQUIRE(fitted.find("# SPDX-License-Identifier") == 0);
}

TEST_CASE("calibrations that make no sense are refused", "[experiment]") {
    REQUIRE(complaint("  - { path: platform.costs.none.value, range: [1 ns, 2 ns] }\n")
                .find("has no value") != std::string::npos);
    REQUIRE(complaint("  - { path: workload.wakeups, range: [1, 2] }\n").find("must begin with") !=
            std::string::npos);
    REQUIRE(complaint("  - { path: platform.costs.hlt_exit.value, range: [2 ns, 1 ns] }\n")
                .find("[lowest, highest]") != std::string::npos);
    REQUIRE(complaint("  - { path: platform.costs.hlt_exit.value, range: [1 ns, 2] }\n")
                .find("[lowest, highest]") != std::string::npos);
}

TEST_CASE("more parameters than fit targets are refused", "[experiment]") {
    const ScratchFolder folder;
    folder.write(
        "c.yaml",
        calibration_text("  - { path: platform.costs.hlt_exit.value, range: [1 ns, 2 ns] }\n"));
    config::Diagnostics diagnostics;
    LoadOptions options;
    options.sets = {"targets=[]"};
    const Calibration ignored = load_calibration(folder.path() / "c.yaml", options, diagnostics);
    REQUIRE(diagnostics.render().find("1 parameters cannot be fitted to 0 targets") !=
            std::string::npos);
}

TEST_CASE("draws of the assumed costs cover every range evenly and never change", "[experiment]") {
    const Experiment experiment =
        load_experiment(kRoot + "/experiments/01_zen3_ipi_wake.yaml", LoadOptions{});
    const PlatformSpec& platform = experiment.arms.front().scenario.platform;
    const auto draws = prior_draws(platform, 8);
    const std::vector<AssumedCost> costs = assumed_costs(platform);
    REQUIRE(draws.size() == 8);
    REQUIRE(draws.front().size() == costs.size());
    REQUIRE_FALSE(costs.empty());
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const double low = std::get<Quantity>(parse_quantity(costs[i].low)).value;
        const double high = std::get<Quantity>(parse_quantity(costs[i].high)).value;
        std::set<int> strata;
        for (const std::vector<Override>& draw : draws) {
            const double value = std::get<Quantity>(parse_quantity(draw[i].text)).value;
            strata.insert(static_cast<int>(8 * (value - low) / (high - low)));
        }
        INFO(costs[i].path);
        // A value at the edge of a stratum may be rounded into its neighbour.
        REQUIRE(strata.size() >= 7);
    }
    REQUIRE(prior_draws(platform, 8).back().back().text == draws.back().back().text);
}
