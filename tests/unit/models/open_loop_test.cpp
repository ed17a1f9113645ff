// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "models/run.hpp"
#include "models/scenario.hpp"
#include "models/service_time.hpp"
#include "sim/config/load.hpp"
#include "tests/catch.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/plain_scenario.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

PlatformSpec server_platform() {
    PlatformSpec platform = test::plain_platform();
    test::set_cost(platform, "device_handler", 10ns);
    return platform;
}

RunResult run_open_loop(const std::string& workload, const std::string& strategy = "hlt") {
    RunOptions options;
    options.sample_rows = 0;
    return run(test::plain_scenario(
                   server_platform(), strategy, "6.1", "{ kind: open_loop, " + workload + " }"),
               options);
}

/// What is wrong with a workload, as a user sees it.
std::string complaint(const std::string& workload) {
    Scenario scenario = test::plain_scenario(
        server_platform(), "hlt", "6.1", "{ kind: open_loop, " + workload + " }");
    config::Diagnostics diagnostics;
    scenario.workload.make()->check(scenario.platform, scenario.workload.location, diagnostics);
    return diagnostics.render();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

bool has_step(const RunResult& result, const std::string& name) {
    const auto& steps = result.samples.steps();
    const auto step = std::find(steps.begin(), steps.end(), name);
    return step != steps.end() &&
           result.samples.has_step(static_cast<std::size_t>(step - steps.begin()));
}

std::vector<Duration> gaps(const std::string& process, int count) {
    config::Diagnostics diagnostics;
    config::Node node = config::load_text(process, "process", diagnostics);
    Choice<ArrivalProcess> choice;
    REQUIRE(config::Converter<Choice<ArrivalProcess>>::read(node, choice, diagnostics));
    const auto made = choice.make();
    RandomStream stream{1, "test"};
    std::vector<Duration> result;
    Duration sum{};
    for (int i = 0; i < count; ++i) {
        result.push_back(made->next_gap(stream));
        sum += result.back();
    }
    const double rate = count / std::chrono::duration<double>(sum).count();
    INFO(process << ": " << rate << " a second, said " << made->rate());
    CHECK(std::abs(rate / made->rate() - 1.0) < 0.1);
    return result;
}

}  // namespace

TEST_CASE("the steps of every request add up to its latency", "[open_loop]") {
    for (const char* layout : {"cpus: [0, 1]",
                               "cpus: [0, 1], interrupts: spread",
                               "cpus: [0, 1], queue: shared",
                               "cpus: [0, 1, 4, 5], queue: shared, workers: 9",
                               "cpus: [0], interrupts: single, interrupt_cpu: 2"}) {
        for (const char* strategy : {"hlt", "mwait_c1", "poll"}) {
            const RunResult result =
                run_open_loop(std::string{"arrivals: { process: batch, rate: 20 kHz }, requests: "
                                          "3000, service: { mean: 30 us }, "} +
                                  layout,
                              strategy);
            INFO(layout << ", " << strategy);
            REQUIRE(result.samples.count() == 3000);
            REQUIRE(result.samples.row_count() == 3000);
            for (std::int64_t i = 0; i < 3000; ++i) {
                const SampleRow row = result.samples.row(i);
                Duration sum{};
                for (const PackedPart& part : row.parts) {
                    sum += part.duration();
                }
                REQUIRE(sum == row.value);
            }
            CHECK(has_step(result, "service"));
            CHECK(has_step(result, "queued"));
        }
    }
}

TEST_CASE("requests that are taken by others than they wake are measured all the same",
          "[open_loop]") {
    // Wake-ups under way all the time, and workers that come back for more before they arrive.
    PlatformSpec slow = server_platform();
    test::set_cost(slow, "icr_write", 3us);
    test::set_cost(slow, "ipi_delivery", 5us);
    test::set_cost(slow, "line_transfer_cross_package", 5us);
    for (const char* strategy : {"hlt", "mwait_c1"}) {
        const RunResult result =
            run(test::plain_scenario(slow,
                                     strategy,
                                     "6.1",
                                     "{ kind: open_loop, cpus: [0, 1, 2, 3, 4, 5, 6, 7], queue: "
                                     "shared, arrivals: { process: poisson, rate: 300 kHz }, "
                                     "service: { mean: 15 us }, requests: 30000 }"),
                RunOptions{});
        CHECK(result.samples.count() == 30'000);
        CHECK(has_step(result, "queued"));
    }
}

TEST_CASE("a request that finds its CPU asleep pays for the way out of idle", "[open_loop]") {
    const std::string rare =
        "arrivals: { process: poisson, rate: 1 kHz }, requests: 500, service: { mean: 5 us }";
    const RunResult result = run_open_loop(rare);
    CHECK(has_step(result, "hlt_exit"));
    CHECK(has_step(result, "pipe_take_return"));
    CHECK_FALSE(has_step(result, "ipi_delivery"));  // its interrupt comes to the worker's CPU
}

TEST_CASE("where the interrupt comes to another CPU the worker is woken from there",
          "[open_loop]") {
    const std::string elsewhere =
        "arrivals: { process: poisson, rate: 1 kHz }, requests: 500, service: { mean: 5 us }, "
        "interrupts: single, interrupt_cpu: 1";
    CHECK(has_step(run_open_loop(elsewhere, "hlt"), "ipi_delivery"));
    CHECK(has_step(run_open_loop(elsewhere, "mwait_c1"), "line_transfer"));
}

TEST_CASE("as many requests are served as arrive", "[open_loop]") {
    const RunResult result = run_open_loop(
        "arrivals: { process: poisson, rate: 10 kHz }, requests: 20000, service: { mean: 20 us }");
    const auto rate =
        std::find_if(result.series.begin(), result.series.end(), [](const ScalarSeries& series) {
            return series.metric == "throughput";
        });
    REQUIRE(rate != result.series.end());
    CHECK(std::abs(rate->values.front() / 10'000 - 1.0) < 0.03);
}

TEST_CASE("requests of the warm-up are not measured", "[open_loop]") {
    CHECK(run_open_loop("arrivals: poisson, warmup: 700, requests: 300").samples.count() == 300);
}

TEST_CASE("arrival processes keep the rate that they say", "[open_loop]") {
    const std::vector<Duration> batches =
        gaps("{ process: batch, rate: 1 kHz, mean_size: 5 }", 20'000);
    const auto together = std::count(batches.begin(), batches.end(), Duration::zero());
    CHECK(std::abs(static_cast<double>(together) / 20'000 - 0.8) < 0.02);
    gaps("{ process: poisson, rate: 3 kHz }", 20'000);
    gaps("{ process: mmpp, low_rate: 1 kHz, high_rate: 20 kHz, low_time: 5 ms, high_time: 1 ms }",
         100'000);
    gaps("{ process: on_off, rate: 20 kHz, on: 1 ms, off: 3 ms }", 100'000);
}

TEST_CASE("nothing arrives while a regular on-off process is off", "[open_loop]") {
    Duration at{};
    for (const Duration gap :
         gaps("{ process: on_off, rate: 20 kHz, on: 2 ms, off: 3 ms, regular: true }", 20'000)) {
        at += gap;
        REQUIRE(at % Duration{5ms} <= Duration{2ms});
    }
}

TEST_CASE("service times have the mean and the variation that they are given", "[open_loop]") {
    const auto check_shape = [](ServiceShape shape, double cv, double long_share) {
        ServiceTime service;
        service.distribution = shape;
        service.mean = 10us;
        service.cv = cv;
        service.long_share.value = long_share;
        const Distribution distribution = distribution_of(service);
        RandomStream stream{1, "service"};
        constexpr int kDraws = 200'000;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < kDraws; ++i) {
            const auto value = static_cast<double>(distribution.sample(stream).count()) / 1e6;
            sum += value;
            squares += value * value;
        }
        const double mean = sum / kDraws;
        INFO(static_cast<int>(shape) << ": mean " << mean);
        CHECK(std::abs(mean - 10.0) < 0.2);
        CHECK(std::abs(std::sqrt(squares / kDraws - mean * mean) / mean - cv) < 0.05 * cv);
    };
    check_shape(ServiceShape::gamma, 0.7, 0.05);
    check_shape(ServiceShape::log_normal, 1.2, 0.05);
    check_shape(ServiceShape::two_point, 3.0, 0.05);
}

TEST_CASE("what does not fit together is refused with a reason", "[open_loop]") {
    CHECK(contains(complaint("arrivals: poisson, cpus: []"), "no CPU to serve"));
    CHECK(contains(complaint("arrivals: poisson, cpus: [1, 1]"), "stands twice"));
    CHECK(contains(complaint("arrivals: poisson, queue: shared, interrupts: queue"),
                   "a shared queue belongs to no CPU"));
    CHECK(contains(complaint("arrivals: poisson, workers: 3"), "choose queue: shared"));
    CHECK(contains(complaint("arrivals: poisson, service: { distribution: constant, cv: 2 }"),
                   "leave it out"));
    CHECK(contains(
        complaint(
            "arrivals: poisson, service: { distribution: two_point, cv: 9, long_share: 50 % }"),
        "a cv of 1 at most"));
    CHECK(contains(complaint("arrivals: { process: poisson, rate: 100 kHz }"), "warning"));
    CHECK(complaint("arrivals: poisson").empty());
}

}  // namespace idlesim
