// SPDX-License-Identifier: Apache-2.0
#include "models/run.hpp"
#include "sim/config/load.hpp"
#include "sim/experiment/experiment.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// What is not as usual: further words of YAML.
struct Setting {
    std::string intel_idle;
    std::string topology;
    std::string platform;
    std::string kernel = "cpuidle: intel_idle";
};

/// Eight CPUs of the shipped Skylake-SP, C1 only, threads on cores of their own while there are
/// any; `workload` is further words of YAML.
RunResult measured(const std::string& workload, const Setting& setting = {}) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / "idlesim_specjbb_test.yaml";
    std::ofstream{file} << fmt::format(
        "title: t\n"
        "platform: {{ extends: intel-skx-server, name: x, topology: {{ packages: 1, cores_per_llc: "
        "4{} }}{} }}\n"
        "kernel: {{ version: \"6.7\", hz: 250, {}, intel_idle: {{ max_cstate: 1{} }} }}\n"
        "workload: {{ kind: specjbb, collections: 30, requests_per_collection: 4000, {} }}\n"
        "placement: idle_core_first\narms:\n  only: {{}}\n",
        setting.topology,
        setting.platform,
        setting.kernel,
        setting.intel_idle,
        workload);
    const Experiment experiment = load_experiment(file, {});
    std::filesystem::remove(file);
    return run(experiment.arms.front().scenario, {});
}

RunResult measured_with_ibrs_off(const std::string& workload, Setting setting = {}) {
    setting.intel_idle = ", ibrs_off: true";
    return measured(workload, setting);
}

/// The median: a collection whose workers happened to share a core does not count.
double value(const RunResult& result, const std::string& metric) {
    for (const ScalarSeries& series : result.series) {
        if (series.metric == metric) {
            std::vector<double> values = series.values;
            std::sort(values.begin(), values.end());
            return values[values.size() / 2];
        }
    }
    return 0;
}

}  // namespace

TEST_CASE("the weighted estimator agrees with the plain one", "[specjbb]") {
    const auto curve = [](const std::string& estimator) {
        const RunResult result = measured(
            "collection_work: 100 ms, agreements: [10 ms, 20 ms], steady_sample: 400, estimator: " +
            estimator);
        return *result.load_curve;
    };
    const LoadCurve plain = curve("plain");
    const LoadCurve weighted = curve("weighted");
    CHECK(weighted.high_bound == plain.high_bound);
    for (std::size_t i = 0; i < plain.agreements.size(); ++i) {
        CHECK(weighted.agreements[i].rate == Approx(plain.agreements[i].rate).epsilon(0.06));
    }
}

// Three workers and the VM thread have a core each.
TEST_CASE("pauses are shorter with ibrs_off while workers have idle siblings", "[specjbb]") {
    const std::string few =
        "collection_work: 100 ms, measure: capacity, collector_workers: 3, collector_branches: 40";
    const double on = value(measured(few), "collection_pause");
    const double off = value(measured_with_ibrs_off(few), "collection_pause");
    CHECK(on / off > 1.05);
}

TEST_CASE("with a collector worker on every CPU nobody idles and nothing is gained", "[specjbb]") {
    const std::string all =
        "collection_work: 100 ms, measure: capacity, collector_workers: 8, collector_branches: 40";
    const double on = value(measured(all), "collection_pause");
    const double off = value(measured_with_ibrs_off(all), "collection_pause");
    CHECK(on / off == Approx(1.0).margin(0.01));
}

TEST_CASE("a collector without indirect branches does not feel its sibling's IBRS", "[specjbb]") {
    const std::string none =
        "collection_work: 100 ms, measure: capacity, collector_workers: 3, collector_branches: 0";
    const double on = value(measured(none), "collection_pause");
    const double off = value(measured_with_ibrs_off(none), "collection_pause");
    CHECK(on / off == Approx(1.0).margin(0.005));
}

TEST_CASE("without SMT, without legacy IBRS and without sleep nothing is gained", "[specjbb]") {
    const std::string few =
        "collection_work: 100 ms, measure: capacity, collector_workers: 3, collector_branches: 40";
    Setting one_thread;
    one_thread.topology = ", threads_per_core: 1";
    Setting enhanced;
    enhanced.platform = ", cpuid: { legacy_ibrs: false }";
    Setting polling;
    polling.kernel = "cpuidle: none, idle: poll";
    for (const Setting& setting : {one_thread, enhanced, polling}) {
        const double on = value(measured(few, setting), "collection_pause");
        const double off = value(measured_with_ibrs_off(few, setting), "collection_pause");
        INFO(setting.topology << setting.platform << setting.kernel);
        CHECK(on / off == Approx(1.0).margin(0.001));
    }
}

// Not an event differs, so neither may the whole curve.
TEST_CASE("a machine with nothing to clear has the same curve with ibrs_off", "[specjbb]") {
    const std::string brief = "collection_work: 100 ms, agreements: [25 ms], steady_sample: 400";
    Setting enhanced;
    enhanced.platform = ", cpuid: { legacy_ibrs: false }";
    CHECK(measured(brief, enhanced).load_curve->critical_rate ==
          measured_with_ibrs_off(brief, enhanced).load_curve->critical_rate);
}

// Four cores with one or two of them shared.
TEST_CASE("workers share a collection evenly, however fast each of them is", "[specjbb]") {
    const double pause = value(measured_with_ibrs_off("collection_work: 100 ms, collection_cv: 0, "
                                                      "measure: capacity, collector_workers: 5"),
                               "collection_pause");
    constexpr double kYield = 1.25;
    const double one_shared = 100 / (3 + kYield);
    const double two_shared = 100 / (1 + 2 * kYield);
    CHECK(std::min(std::abs(pause / one_shared - 1), std::abs(pause / two_shared - 1)) < 0.006);
}

TEST_CASE("max-jOPS is one over the work of a request where nothing else happens", "[specjbb]") {
    // Eight threads at 1.25 / 2 of their speed alone, 600 us each, and a pause of no length.
    const RunResult result =
        measured("measure: capacity, collection_work: 1 us, mutator_branches: 0, service_cv: 0");
    const double alone = 1e6 / 600;
    CHECK(value(result, "max_jops") == Approx(8 * 1.25 / 2 * alone).epsilon(0.02));
}

}  // namespace idlesim
