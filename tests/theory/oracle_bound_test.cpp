// SPDX-License-Identifier: Apache-2.0
// No governor has both less energy and less added latency than one that knows the future, in runs
// of the whole machine: platforms, wake sources and distances of wakes.
#include "models/run.hpp"
#include "sim/config/load.hpp"
#include "sim/experiment/platform_file.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

struct Outcome {
    double joules = 0;
    double latency = 0;  ///< mean, ps
};

Scenario scenario_of(const std::string& platform,
                     const std::string& driver,
                     const std::string& workload,
                     const std::string& governor) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(
        fmt::format("kernel: {{ version: \"6.12\", hz: 250, cpuidle: {} }}\ngovernor: {}\n"
                    "workload: {}\n",
                    driver,
                    governor,
                    workload),
        "oracle_bound",
        diagnostics);
    std::map<std::string, std::string> ignored;
    root.insert(
        "platform",
        {},
        load_platform(fmt::format("{}/configs/platforms/{}.yaml", IDLESIM_SOURCE_DIR, platform),
                      diagnostics,
                      ignored));
    Scenario scenario;
    config::read(root, parameters(static_cast<const Scenario*>(nullptr)), scenario, diagnostics);
    if (diagnostics.has_errors()) {
        throw std::runtime_error{diagnostics.render()};
    }
    return scenario;
}

/// A burst of wakes and a silence, again and again.
std::shared_ptr<const RecordedWakes> bursts(int wakes, Duration gap, Duration silence) {
    RecordedWakes recorded;
    recorded.devices = {"card"};
    CpuArrivals cpu;
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < wakes; ++i) {
            recorded.length += i + 1 < wakes ? gap : silence;
            cpu.arrivals.push_back({recorded.length, 20us, ArrivalKind::device, 0});
            recorded.length += 20us;
        }
    }
    recorded.cpus.push_back(std::move(cpu));
    return std::make_shared<const RecordedWakes>(std::move(recorded));
}

Outcome outcome_of(const Scenario& scenario) {
    const RunResult result = run(scenario, {});
    Outcome outcome;
    for (const ScalarSeries& series : result.series) {
        outcome.joules = series.metric == "energy" ? series.values.at(0) : outcome.joules;
    }
    for (const std::int64_t value : result.samples.values()) {
        outcome.latency += static_cast<double>(value);
    }
    outcome.latency /= static_cast<double>(result.samples.count());
    return outcome;
}

/// All governors on one piece of work; the shallowest and the deepest fixed state among them.
void check_bound(const std::string& platform,
                 const std::string& driver,
                 const std::string& workload,
                 const std::shared_ptr<const RecordedWakes>& recorded) {
    const auto outcome = [&](const std::string& governor) {
        Scenario scenario = scenario_of(platform, driver, workload, governor);
        scenario.recorded = recorded;
        return outcome_of(scenario);
    };
    const Outcome oracle = outcome("oracle");
    std::vector<std::string> others{"{ governor: fixed, state: 1 }",
                                    "{ governor: fixed, state: 2 }"};
    for (const std::string& name : Registry<Governor>::names()) {
        if (name != "oracle" && name != "fixed" && !name.starts_with("haltpoll")) {
            others.push_back(name);
        }
    }
    for (const std::string& governor : others) {
        const Outcome other = outcome(governor);
        INFO(governor << ": " << other.joules << " J, " << other.latency << " ps; the oracle "
                      << oracle.joules << " J, " << oracle.latency << " ps");
        CHECK_FALSE((other.joules < oracle.joules && other.latency < oracle.latency));
    }
}

}  // namespace

TEST_CASE("no governor beats the oracle in energy and latency, whatever wakes the CPU") {
    const auto [platform, driver] =
        GENERATE(table<std::string, std::string>({{"intel-skx-server", "intel_idle"},
                                                  {"intel-icx-server", "intel_idle"},
                                                  {"intel-spr-server", "intel_idle"},
                                                  {"intel-jsl-client", "intel_idle"},
                                                  {"amd-rome-server", "acpi_idle"}}));
    const std::string source = GENERATE("timer", "device", "remote");
    const auto [wakes, gap, silence] = GENERATE(table<int, Duration, Duration>(
        {{8, 30us, 3ms}, {16, 30us, 40ms}, {4, 200us, 2ms}, {1, 0us, 700us}, {1, 0us, 150us}}));
    INFO(platform << ", " << source << ", " << wakes << " wakes");
    check_bound(platform,
                driver,
                fmt::format("{{ kind: trace_replay, trace: made_up, cpus: [0], source: {}, "
                            "repeat: 10 }}",
                            source),
                bursts(wakes, gap, silence));
}

TEST_CASE("no governor beats the oracle in energy and latency with two periodic tasks") {
    const auto [platform, driver] =
        GENERATE(table<std::string, std::string>({{"intel-skx-server", "intel_idle"},
                                                  {"intel-icx-server", "intel_idle"},
                                                  {"intel-spr-server", "intel_idle"},
                                                  {"amd-rome-server", "acpi_idle"}}));
    INFO(platform);
    check_bound(platform,
                driver,
                "{ kind: periodic, tasks: [0, 1], period: 1 ms, work: 100 us, activations: 200 }",
                nullptr);
}

}  // namespace idlesim
