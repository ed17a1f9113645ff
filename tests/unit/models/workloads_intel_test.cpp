// SPDX-License-Identifier: Apache-2.0
// What the tools that measure Intel's idle path measure, on a platform whose every step is known.
#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_platform.hpp"
#include "tests/support/cpuidle_scene.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

constexpr const char* kInterruptsOff = R"(version: "6.8", irq_enable: "off")";
constexpr const char* kInterruptsOn = R"(version: "6.8", irq_enable: sti_mwait)";

RunResult run_in(const std::string& state,
                 const std::string& workload,
                 const std::string& kernel = "version: \"6.8\"",
                 const PlatformSpec& platform = test::cpuidle_platform()) {
    RunOptions options;
    options.sample_rows = 0;
    return run(test::cpuidle_scenario(platform, workload, kernel, test::fixed_governor(state)),
               options);
}

RunResult run_with_menu(const std::string& workload) {
    return run(test::cpuidle_scenario(test::cpuidle_platform(), workload), RunOptions{});
}

const CpuidleRow& row(const RunResult& result, const std::string& state, int cpu = 0) {
    const auto found =
        std::find_if(result.cpuidle.begin(), result.cpuidle.end(), [&](const CpuidleRow& r) {
            return r.name == state && r.cpu == cpu;
        });
    REQUIRE(found != result.cpuidle.end());
    return *found;
}

const std::vector<double>& series(const RunResult& result, const std::string& metric) {
    const auto found = std::find_if(result.series.begin(),
                                    result.series.end(),
                                    [&](const ScalarSeries& s) { return s.metric == metric; });
    REQUIRE(found != result.series.end());
    return found->values;
}

/// The part of one step in a sample.
Duration part(const RunResult& result, const SampleRow& sample, const std::string& step) {
    for (const PackedPart& p : sample.parts) {
        if (result.samples.steps()[p.step()] == step) {
            return p.duration();
        }
    }
    return Duration::zero();
}

std::string wult(Duration low, Duration high, int points, const std::string& device = "hrt") {
    return fmt::format(
        "{{ kind: wult, device: {}, ldist_min: {} ns, ldist_max: {} ns, datapoints: {} }}",
        device,
        low.count() / 1000,
        high.count() / 1000,
        points);
}

/// Exits that vary, and other interrupts, so that random streams and collisions count.
PlatformSpec lucky_platform() {
    PlatformSpec platform = test::cpuidle_platform();
    for (auto& entry : platform.costs.entries) {
        if (entry.key.ends_with("_exit")) {
            entry.value.jitter = 70ns;
            entry.value.second_mode = SecondMode{{0.25}, 40ns, {}};
        }
    }
    test::set_cost(platform, "background_interval", 300us);
    return platform;
}

}  // namespace

TEST_CASE("wult drops the points whose event has fired before idle entry, and no others",
          "[wult]") {
    constexpr Duration kLow = 10ns;
    constexpr Duration kHigh = 2us;
    constexpr int kPoints = 300;
    const RunResult result = run_in("C1", wult(kLow, kHigh, kPoints), kInterruptsOff);
    const auto& kept = result.wult.launch_distance();
    REQUIRE(kept.size() == kPoints);
    // Every step takes a constant time, so the way from arming to idle entry does, the very first
    // apart, which begins the idle task.
    const Duration way_in = kept[1] - result.wult.silent_time()[1];
    CHECK(way_in > 100ns);
    for (std::size_t i = 1; i < kept.size(); ++i) {
        CHECK(result.wult.silent_time()[i] == kept[i] - way_in);
    }
    // The launch distances that were drawn, those dropped that end on the way in.
    RandomStream stream{1, "wult.ldist", 1};
    const Distribution drawn = Distribution::uniform(kLow, kHigh);
    std::vector<Duration> expected;
    int dropped = 0;
    while (expected.size() < kept.size()) {
        const Duration distance = drawn.sample(stream);
        if (distance > way_in) {
            expected.push_back(distance);
        } else {
            ++dropped;
        }
    }
    CHECK(kept == expected);
    CHECK(dropped > 10);
}

TEST_CASE("every point of wult is one that wult itself would keep", "[wult]") {
    for (const char* device : {"hrt", "tdt", "nic"}) {
        for (const char* kernel : {kInterruptsOff, kInterruptsOn}) {
            INFO(device << ", " << kernel);
            const RunResult result = run_in("C1", wult(10ns, 3us, 500, device), kernel);
            for (std::size_t i = 0; i < result.wult.count(); ++i) {
                CHECK(result.wult.wake_latency()[i] > 0ns);
                CHECK(result.wult.silent_time()[i] > 0ns);
                CHECK(result.wult.interrupt_latency()[i] > 0ns);
            }
        }
    }
}

TEST_CASE("the hook that wult runs at the tracepoints is in neither latency", "[wult]") {
    for (const char* kernel : {kInterruptsOff, kInterruptsOn}) {
        INFO(kernel);
        const std::string workload = wult(20us, 60us, 100);
        PlatformSpec platform = test::cpuidle_platform();
        const RunResult light = run_in("C1", workload, kernel, platform);
        test::set_cost(platform, "wult_hook", 2us);
        const RunResult heavy = run_in("C1", workload, kernel, platform);
        CHECK(light.wult.launch_distance() == heavy.wult.launch_distance());
        CHECK(light.wult.wake_latency() == heavy.wult.wake_latency());
        CHECK(light.wult.interrupt_latency() == heavy.wult.interrupt_latency());
        // At the entry it delays idleness all the same.
        CHECK(light.wult.silent_time()[7] - heavy.wult.silent_time()[7] == 2us - 10ns);
    }
}

TEST_CASE("wult sees interrupts off where the strategy waits with interrupts off", "[wult]") {
    const RunResult off = run_in("C1", wult(20us, 60us, 50), kInterruptsOff);
    const RunResult on = run_in("C1", wult(20us, 60us, 50), kInterruptsOn);
    const RunResult early = run_in("C1", wult(20us, 60us, 50), "version: \"5.16\"");
    for (std::size_t i = 0; i < 50; ++i) {
        CHECK(off.wult.interrupts_off(i));
        CHECK(off.wult.wake_latency()[i] < off.wult.interrupt_latency()[i]);
        CHECK_FALSE(on.wult.interrupts_off(i));
        CHECK(on.wult.interrupt_latency()[i] < on.wult.wake_latency()[i]);
        CHECK_FALSE(early.wult.interrupts_off(i));
    }
    // POLL waits with interrupts on, C6 does not, whatever C1 does.
    CHECK_FALSE(run_in("POLL", wult(20us, 60us, 20), kInterruptsOff).wult.interrupts_off(3));
    CHECK(run_in("C6", wult(20us, 60us, 20), kInterruptsOn).wult.interrupts_off(3));
}

TEST_CASE("the parts of an interrupt latency of wult add up to it", "[wult]") {
    for (const char* device : {"hrt", "tdt", "nic"}) {
        for (const char* kernel : {kInterruptsOff, kInterruptsOn}) {
            INFO(device << ", " << kernel);
            const RunResult result =
                run_in("C1", wult(1us, 60us, 200, device), kernel, lucky_platform());
            REQUIRE(result.samples.row_count() == 200);
            for (std::int64_t i = 0; i < 200; ++i) {
                const SampleRow sample = result.samples.row(i);
                Duration sum{};
                for (const PackedPart& p : sample.parts) {
                    CHECK(p.duration() >= 0ns);
                    sum += p.duration();
                }
                CHECK(sum == sample.value);
                CHECK(sample.value == result.wult.interrupt_latency()[static_cast<std::size_t>(i)]);
                CHECK(part(result, sample, "wult_hook") == 0ns);
                CHECK(part(result, sample, "cc1_exit") >= test::kCc1Exit);
                CHECK(part(result, sample, "pcie_wake") ==
                      (std::string{device} == "nic" ? 10ns : 0ns));
            }
        }
    }
}

TEST_CASE("tdt measures at the entry of the interrupt, hrt at the expiry behind it", "[wult]") {
    const RunResult hrt = run_in("C1", wult(20us, 60us, 50, "hrt"), kInterruptsOn);
    const RunResult tdt = run_in("C1", wult(20us, 60us, 50, "tdt"), kInterruptsOn);
    // irq_entry, rcu_irq_enter, tick_irq_enter, eoi and hrtimer_interrupt lie between.
    for (std::size_t i = 0; i < 50; ++i) {
        CHECK(hrt.wult.interrupt_latency()[i] - tdt.wult.interrupt_latency()[i] == 50ns);
        CHECK(tdt.wult.interrupt_latency()[i] == test::kCc1Exit + 10ns);
    }
}

TEST_CASE("wult's timer is pre-woken from a deep state, its network card is not", "[wult]") {
    PlatformSpec platform = test::cpuidle_platform();
    for (const char* state : {"cc6", "pc6"}) {
        test::hardware_state(platform, state).pre_wake = true;
    }
    const RunResult timer = run_in("C6", wult(900us, 1ms, 20), kInterruptsOff, platform);
    const RunResult card = run_in("C6", wult(900us, 1ms, 20, "nic"), kInterruptsOff, platform);
    for (std::size_t i = 0; i < 20; ++i) {
        CHECK(timer.wult.wake_latency()[i] < 1us);
        CHECK(card.wult.wake_latency()[i] > test::kCc6Exit + test::kPc6Exit);
    }
}

TEST_CASE("wult's residencies of a point add up to its idle time", "[wult]") {
    for (const char* state : {"C1", "C6"}) {
        const RunResult result = run_in(state, wult(100us, 1ms, 50), kInterruptsOff);
        REQUIRE(result.wult.counters() == std::vector<std::string>{"CC6", "PC6"});
        for (std::size_t i = 0; i < 50; ++i) {
            const int core =
                result.wult.cc0()[i] + result.wult.cc1_derived()[i] + result.wult.residency(0)[i];
            CHECK(core >= 9998);  // in hundredths of a percent, each rounded
            CHECK(core <= 10002);
            CHECK(result.wult.residency(1)[i] <= result.wult.residency(0)[i]);
            CHECK((result.wult.residency(0)[i] > 5000) == (std::string{state} == "C6"));
            CHECK((result.wult.cc1_derived()[i] > 9000) == (std::string{state} == "C1"));
        }
    }
}

TEST_CASE("cyclictest polls unless it is told not to ask for latency 0", "[cyclictest]") {
    const std::string head = "{ kind: cyclictest, interval: 1 ms, loops: 100";
    const RunResult latency_0 = run_with_menu(head + " }");
    CHECK(row(latency_0, "POLL").usage >= 100);
    for (const char* state : {"C1", "C1E", "C6"}) {
        CHECK(row(latency_0, state).usage == 0);
    }
    const RunResult default_system = run_with_menu(head + ", default_system: true }");
    CHECK(row(default_system, "C6").usage > 80);
    CHECK(row(default_system, "POLL").usage < 20);
    const RunResult latency_50us = run_with_menu(head + ", latency: 50 us }");
    CHECK(row(latency_50us, "C1E").usage > 80);
    CHECK(row(latency_50us, "C6").usage == 0);
}

TEST_CASE("cyclictest takes no latency limit of the user's away", "[cyclictest]") {
    const Scenario scenario =
        test::cpuidle_scenario(test::cpuidle_platform(),
                               "{ kind: cyclictest, interval: 1 ms, loops: 100, latency: 1 s }",
                               "version: \"6.8\", cpu_dma_latency: 50 us");
    const RunResult result = run(scenario, RunOptions{});
    CHECK(row(result, "C1E").usage > 90);
    CHECK(row(result, "C6").usage == 0);
}

TEST_CASE("cyclictest measures each loop of each thread once", "[cyclictest]") {
    const RunResult result =
        run_in("C1", "{ kind: cyclictest, affinity: [0, 1], loops: 200, default_system: true }");
    CHECK(result.samples.count() == 400);
    // One loop is one sleep, the first apart; the second thread's interval is half as long again.
    CHECK(row(result, "C1", 0).usage >= 230);
    CHECK(row(result, "C1", 0).usage + row(result, "C1", 1).usage <= 404);
}

TEST_CASE("a latency of cyclictest is the exit and every step to the thread", "[cyclictest]") {
    const RunResult result =
        run_in("C1", "{ kind: cyclictest, loops: 50, default_system: true }", kInterruptsOff);
    for (std::int64_t i = 0; i < result.samples.row_count(); ++i) {
        const SampleRow sample = result.samples.row(i);
        Duration sum{};
        for (const PackedPart& p : sample.parts) {
            sum += p.duration();
        }
        CHECK(sum == sample.value);
        CHECK(part(result, sample, "cc1_exit") == test::kCc1Exit);
        CHECK(part(result, sample, "schedule") == 10ns);
        CHECK(part(result, sample, "nanosleep_return") == 10ns);
    }
    // A platform of constants: every latency is the same, but for a tick that is met.
    CHECK(std::count(result.samples.values().begin(),
                     result.samples.values().end(),
                     result.samples.values().at(5)) >= 45);
}

TEST_CASE("dbench's throughput is proportional to the bytes of an operation, exactly", "[dbench]") {
    const std::string head =
        "{ kind: dbench, clients: [0, 1], duration: 50 ms, interval: 10 ms, "
        "bytes_per_operation: ";
    const RunResult once = run_in("C1", head + "4096 }");
    const RunResult twice = run_in("C1", head + "8192 }");
    const auto& low = series(once, "throughput");
    const auto& high = series(twice, "throughput");
    REQUIRE(low.size() == 5);
    REQUIRE(high.size() == 5);
    for (std::size_t i = 0; i < low.size(); ++i) {
        CHECK(low[i] > 0.0);
        CHECK(high[i] == 2.0 * low[i]);
    }
    CHECK(once.fingerprint == twice.fingerprint);
    CHECK(series(once, "wake_rate") == series(twice, "wake_rate"));
}

TEST_CASE("dbench's wake rate and throughput are the same operations", "[dbench]") {
    const RunResult result =
        run_in("C1",
               "{ kind: dbench, clients: [0, 1, 2], duration: 50 ms, interval: 10 ms, "
               "bytes_per_operation: 1000 }");
    for (std::size_t i = 0; i < 5; ++i) {
        // MB/s of 1000 bytes each, by three clients.
        CHECK(series(result, "throughput")[i] * 1000.0 ==
              Approx(series(result, "wake_rate")[i] * 3.0));
    }
}

TEST_CASE("a longer way out of idle costs dbench its share of the cycle", "[dbench]") {
    const std::string workload =
        "{ kind: dbench, clients: [0], burst: 20 us, wait: 20 us, "
        "duration: 400 ms, interval: 400 ms }";
    PlatformSpec platform = test::cpuidle_platform();
    const double before = series(run_in("C1", workload, kInterruptsOff, platform), "wake_rate")[0];
    test::set_cost(platform, "cc1_exit", test::kCc1Exit + 4us);
    const double after = series(run_in("C1", workload, kInterruptsOff, platform), "wake_rate")[0];
    // A cycle takes 1 / rate; the exit makes it 4 us longer.
    CHECK(1.0 / after - 1.0 / before == Approx(4e-6).epsilon(0.02));
}

TEST_CASE("periodic measures every activation of every task", "[periodic]") {
    const RunResult result = run_in(
        "C1",
        "{ kind: periodic, tasks: [0, 1, 4], period: 500 us, work: 30 us, activations: 120 }");
    CHECK(result.samples.count() == 360);
    for (const int cpu : {0, 1, 4}) {
        CHECK(row(result, "C1", cpu).usage >= 119);
        CHECK(row(result, "C1", cpu).usage <= 122);
    }
    CHECK(result.elapsed >= 119 * 500us);
    CHECK(result.elapsed <= 122 * 500us);
}

TEST_CASE("work that is longer than its period leaves out the activations that it covers",
          "[periodic]") {
    const RunResult result =
        run_in("C1", "{ kind: periodic, period: 100 us, work: 150 us, activations: 100 }");
    CHECK(result.samples.count() == 100);
    CHECK(result.elapsed >= 99 * 200us);
    CHECK(result.elapsed <= 102 * 200us);
}

TEST_CASE("a CPU that spins takes no idle state, one that does not sleeps all the time",
          "[quiet]") {
    const RunResult result =
        run_in("C6", "{ kind: quiet, cpus: [0], spinning: [1], duration: 200 ms }");
    CHECK(result.elapsed == 200ms);
    for (const char* state : {"POLL", "C1", "C1E", "C6"}) {
        CHECK(row(result, state, 1).usage == 0);
        CHECK(row(result, state, 1).granted_time == 0ns);
    }
    CHECK(row(result, "C6", 0).granted_time > 199900us);

    test::CpuidleScene scene{
        test::cpuidle_scenario(test::cpuidle_platform(),
                               "{ kind: quiet, cpus: [0], spinning: [1], duration: 200 ms }",
                               "version: \"6.8\"",
                               test::fixed_governor("C6"))};
    scene.run_until(100ms);
    // Ten ticks and the start apart it spins.
    CHECK(scene.in(1, CpuState::polling) > 99990us);
    CHECK(scene.in(0, CpuState::resident) > 99950us);
}

TEST_CASE("a CPU that spins serves its ticks", "[quiet]") {
    // The loop follows STI at once, whose shadow is one instruction.
    PlatformSpec platform = test::cpuidle_platform();
    test::set_cost(platform, "tick_handler", 100us);
    test::CpuidleScene scene{test::cpuidle_scenario(
        platform, "{ kind: quiet, cpus: [0], spinning: [1], duration: 200 ms }")};
    scene.run_until(100ms);
    CHECK(scene.in(1, CpuState::running) > 9 * 100us);
}

TEST_CASE("a spinning sibling keeps the core out of its deep state", "[quiet]") {
    const RunResult result =
        run_in("C6", "{ kind: quiet, cpus: [0], spinning: [4], duration: 50 ms }");
    CHECK(row(result, "C1", 0).granted_time > 49ms);
    CHECK(row(result, "C6", 0).granted_time == 0ns);
}

TEST_CASE("quiet without CPUs is every CPU of the machine", "[quiet]") {
    const RunResult result = run_in("C6", "{ kind: quiet, duration: 10 ms }");
    CHECK(result.cpuidle.size() == 8 * 4);
    for (int cpu = 0; cpu < 8; ++cpu) {
        CHECK(row(result, "C6", cpu).granted_time > 9ms);
    }
}

TEST_CASE("running ahead changes nothing, in any of these workloads", "[run_ahead]") {
    for (const char* workload :
         {"{ kind: wult, ldist_max: 300 us, datapoints: 200 }",
          "{ kind: wult, device: tdt, ldist_max: 300 us, datapoints: 200 }",
          "{ kind: wult, device: nic, ldist_max: 300 us, datapoints: 200 }",
          "{ kind: cyclictest, affinity: [0, 1, 4], interval: 130 us, default_system: true, "
          "loops: 100 }",
          "{ kind: cyclictest, loops: 50 }",
          "{ kind: dbench, duration: 10 ms, interval: 5 ms }",
          "{ kind: periodic, tasks: [0, 1, 4, 5], period: 170 us, activations: 100 }",
          "{ kind: quiet, spinning: [4], duration: 30 ms }"}) {
        for (const char* governor : {"menu@6.3", "teo@6.12"}) {
            INFO(workload << ", " << governor);
            PlatformSpec platform = lucky_platform();
            platform.firmware.c1e_promotion = true;
            platform.firmware.c1_demotion = C1Demotion{4, 100us, 1ms, {}};
            const Scenario scenario = test::cpuidle_scenario(
                platform,
                workload,
                "version: \"6.8\"",
                fmt::format("governor: {}\ninterrupts: [{{ kind: background }}, "
                            "{{ kind: timer_arming, mean_interval: 2 ms }}]",
                            governor));
            RunOptions ahead;
            RunOptions queued;
            queued.run_ahead = false;
            const RunResult a = run(scenario, ahead);
            const RunResult b = run(scenario, queued);
            CHECK(a.fingerprint == b.fingerprint);
            CHECK(a.events == b.events);
            CHECK(a.samples.values() == b.samples.values());
            CHECK(a.elapsed == b.elapsed);
        }
    }
}

TEST_CASE("the same seed gives the same run, another replication another", "[run_ahead]") {
    const Scenario scenario = test::cpuidle_scenario(
        lucky_platform(), "{ kind: wult, ldist_max: 300 us, datapoints: 99 }");
    RunOptions second;
    second.replication = 2;
    CHECK(run(scenario, {}).fingerprint == run(scenario, {}).fingerprint);
    CHECK(run(scenario, {}).fingerprint != run(scenario, second).fingerprint);
}

}  // namespace idlesim
