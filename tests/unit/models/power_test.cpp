// SPDX-License-Identifier: Apache-2.0
#include "models/cstate/power_meter.hpp"
#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_platform.hpp"
#include "tests/support/cpuidle_scene.hpp"
#include "tests/support/sleepers.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using test::kCc1Exit;
using test::kCc6Entry;
using test::kCc6Exit;
using test::Sleep;
using test::Sleepers;

constexpr double kBase = 10.0;
constexpr double kAwake = 5.0;
constexpr double kRunning = 4.0;
constexpr double kPolling = 3.0;
constexpr double kSecondThread = 1.0;
constexpr double kCc1 = 1.0;
constexpr double kCc1e = 0.5;
constexpr double kCc6 = 0.1;

Watts watts(double value) {
    Watts result;
    result.value.watts = value;
    return result;
}

PowerSpec power_spec() {
    PowerSpec spec;
    spec.base = watts(kBase);
    spec.awake = watts(kAwake);
    spec.core_running = watts(kRunning);
    spec.core_polling = watts(kPolling);
    spec.second_thread = watts(kSecondThread);
    return spec;
}

/// Software is free; 4 cores of 2 threads in 2 packages, unless `threads` is 1.
PlatformSpec powered_platform(int threads = 2) {
    PlatformSpec platform = test::cpuidle_platform(0ns);
    platform.topology.threads_per_core = threads;
    platform.power = power_spec();
    test::hardware_state(platform, "cc1").power = watts(kCc1);
    test::hardware_state(platform, "cc1e").power = watts(kCc1e);
    test::hardware_state(platform, "cc6").power = watts(kCc6);
    return platform;
}

double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

double energy(Sleepers& machine) {
    return machine.hardware().power()->energy(machine.machine().now());
}

Approx exactly(double value) {
    return Approx(value).epsilon(1e-12);
}

double series(const RunResult& result, const std::string& metric) {
    for (const ScalarSeries& s : result.series) {
        if (s.metric == metric) {
            return s.values.at(0);
        }
    }
    throw std::runtime_error{"no series " + metric};
}

}  // namespace

TEST_CASE("energy is power times time, piece by piece", "[power]") {
    const PowerSpec spec = power_spec();
    PowerMeter meter{spec, 2, kCc6};
    CHECK(meter.energy(Time{} + 1s) == exactly(kBase + 2 * kCc6));
    meter.core_changes(0, {0, kRunning, true, true}, Time{} + 1s);
    meter.core_changes(1, {0, kPolling, true, true}, Time{} + 3s);
    meter.core_changes(0, {kCc6, 0, false, false}, Time{} + 4s);
    meter.core_changes(1, {kCc6, 0, false, false}, Time{} + 6s);
    meter.add(0.25);
    double expected = kBase + 2 * kCc6;
    expected += 2.0 * (kBase + kAwake + kRunning + kCc6);
    expected += 1.0 * (kBase + kAwake + kRunning + kPolling);
    expected += 2.0 * (kBase + kAwake + kCc6 + kPolling);
    CHECK(meter.energy(Time{} + 6s) == exactly(expected + 0.25));
    CHECK(meter.energy(Time{} + 9s) == exactly(expected + 0.25 + 3.0 * (kBase + 2 * kCc6)));
}

TEST_CASE("asking a meter changes nothing", "[power]") {
    const PowerSpec spec = power_spec();
    PowerMeter asked{spec, 1, kCc6};
    PowerMeter left_alone{spec, 1, kCc6};
    for (const Duration at : {1us, 2us, 5us}) {
        CHECK(asked.energy(Time{} + at) == asked.energy(Time{} + at));
    }
    asked.core_changes(0, {0, kRunning, true, true}, Time{} + 5us);
    left_alone.core_changes(0, {0, kRunning, true, true}, Time{} + 5us);
    CHECK(asked.energy(Time{} + 9us) == left_alone.energy(Time{} + 9us));
}

TEST_CASE("the energy of a sleep is the integral over its phases", "[power]") {
    PlatformSpec platform = powered_platform();
    test::hardware_state(platform, "cc6").transition_energy.value.joules = 1e-6;
    Sleepers machine{platform, {0}};
    machine.plan(0, {{"cc6", 10us, 100us}});
    machine.run_until(200us);
    // The entry and the exit count as running; the three other cores sleep as deep as they can.
    const Duration asleep = 100us - 10us - kCc6Entry;
    double expected = seconds(200us) * (kBase + 3 * kCc6);
    expected += seconds(asleep) * kCc6;
    expected += seconds(200us - asleep) * (kAwake + kRunning);
    CHECK(energy(machine) == exactly(expected + 1e-6));
}

TEST_CASE("in a shallow state a core keeps the machine awake", "[power]") {
    Sleepers machine{powered_platform(), {0}};
    machine.plan(0, {{"cc1e", 0us, 100us}});
    machine.run_until(200us);
    const Duration asleep = 100us - test::kCc1eEntry;
    double expected = seconds(200us) * (kBase + kAwake + 3 * kCc6);
    expected += seconds(asleep) * kCc1e + seconds(200us - asleep) * kRunning;
    CHECK(energy(machine) == exactly(expected));
}

TEST_CASE("a core draws what its most awake thread draws, and a little for the second", "[power]") {
    Sleepers machine{powered_platform(), {0, 4}};
    machine.plan(0, {{"cc6", 0us, 80us}});
    machine.plan(4, {{"cc6", 10us, 50us}});
    machine.run_until(100us);
    double core = 0.0;
    core += seconds(test::kCc1Entry) * (kRunning + kSecondThread);  // both run
    core += seconds(12us - test::kCc1Entry) * kRunning;             // CPU 4 alone
    core += seconds(38us) * kCc6;                                   // until CPU 4 is woken at 50 us
    core += seconds(30us) * kRunning;                               // CPU 4 alone
    core += seconds(20us) * (kRunning + kSecondThread);             // both
    const double expected = seconds(100us) * (kBase + 3 * kCc6) + core + seconds(62us) * kAwake;
    CHECK(energy(machine) == exactly(expected));
}

TEST_CASE("a thread that sleeps beside one that runs adds nothing", "[power]") {
    Sleepers machine{powered_platform(), {0, 4}};
    machine.plan(4, {{"cc6", 0us, 900us}});
    machine.run_until(502us);
    const double both = seconds(test::kCc1Entry) * (kRunning + kSecondThread);
    const double one = seconds(502us - test::kCc1Entry) * kRunning;
    CHECK(energy(machine) == exactly(both + one + seconds(502us) * (kBase + kAwake + 3 * kCc6)));
}

TEST_CASE("the energy of a transition is that of the granted state", "[power]") {
    PlatformSpec platform = powered_platform();
    test::hardware_state(platform, "cc6").transition_energy.value.joules = 1.0;
    test::hardware_state(platform, "cc1").transition_energy.value.joules = 100.0;
    Sleepers machine{platform, {0, 4}};
    machine.plan(0, {{"cc6", 0us, 80us}});
    machine.plan(4, {{"cc6", 10us, 50us}});
    machine.run_until(100us);
    // CPU 4 ends the core's state, CPU 0 is left in its own C1.
    CHECK(energy(machine) == Approx(101.0).margin(0.01));
}

TEST_CASE("polling and running draw what the platform says", "[power]") {
    PlatformSpec platform = powered_platform();
    test::set_cost(platform, "pause_turn", 10ns);
    const Scenario scenario =
        test::cpuidle_scenario(platform,
                               "{ kind: quiet, cpus: [0], spinning: [1], duration: 1 s }",
                               "version: \"6.8\"",
                               test::fixed_governor("C6"));
    const RunResult result = run(scenario, RunOptions{});
    CHECK(result.elapsed == 1s);
    // CPU 0 runs into C6 once, the ticks of CPU 1 take no time.
    CHECK(series(result, "energy") == Approx(kBase + kAwake + kPolling + 3 * kCc6).epsilon(1e-5));
    CHECK(series(result, "power") == Approx(series(result, "energy")));
}

TEST_CASE("energy adds up from the time in each state, over a random run", "[power]") {
    PlatformSpec platform = powered_platform(1);
    platform.power->awake = watts(0.0);
    const std::map<std::string, double> transition{{"cc1", 1e-6}, {"cc1e", 2e-6}, {"cc6", 5e-6}};
    for (auto& entry : platform.costs.entries) {
        entry.value.jitter = entry.key.ends_with("_exit") ? 2us : 0ns;
    }
    RandomStream stream{11, "test.power"};
    const std::vector<int> cpus{0, 1, 2};
    Sleepers machine{platform, cpus};
    for (const int cpu : cpus) {
        std::vector<Sleep> sleeps;
        Duration at{};
        for (int i = 0; i < 100; ++i) {
            const Duration from = at + Distribution::uniform(1us, 40us).sample(stream);
            at = from + Distribution::uniform(1us, 200us).sample(stream);
            const std::vector<std::string> states{"cc1", "cc1e", "cc6", "pc6"};
            const auto state = static_cast<std::size_t>(stream.uniform() * 4.0);
            sleeps.push_back({states.at(state), from, at});
        }
        machine.plan(cpu, sleeps);
    }
    machine.run_until(7ms);
    const Duration elapsed = 7ms;
    double expected = seconds(elapsed) * (kBase + kCc6);  // core 3 sleeps
    for (const int cpu : cpus) {
        const Duration asleep = machine.resident(cpu);
        CHECK(asleep > 1ms);
        expected += seconds(elapsed - asleep) * kRunning;
        expected += seconds(machine.granted(cpu, "cc1")) * kCc1;
        expected += seconds(machine.granted(cpu, "cc1e")) * kCc1e;
        expected += seconds(machine.granted(cpu, "cc6")) * kCc6;
    }
    CHECK(energy(machine) == Approx(expected).epsilon(1e-9));
}

TEST_CASE("where every activity draws the same, energy is power times elapsed time", "[power]") {
    PlatformSpec platform = test::cpuidle_platform();
    PowerSpec spec;
    spec.base = watts(3.0);
    spec.awake = watts(0.0);
    spec.core_running = watts(2.0);
    spec.core_polling = watts(2.0);
    spec.second_thread = watts(0.0);
    platform.power = spec;
    for (const char* state : {"cc1", "cc1e", "cc6"}) {
        test::hardware_state(platform, state).power = watts(2.0);
    }
    for (const char* workload :
         {"{ kind: periodic, tasks: [0, 1, 4], period: 300 us, work: 40 us, activations: 300 }",
          "{ kind: wult, cpu: 0, ldist_max: 500 us, datapoints: 200 }",
          "{ kind: dbench, clients: [0, 4], duration: 20 ms, interval: 10 ms }"}) {
        INFO(workload);
        const RunResult result =
            run(test::cpuidle_scenario(
                    platform, workload, "version: \"6.8\"", "interrupts: [{ kind: background }]"),
                RunOptions{});
        CHECK(series(result, "energy") ==
              Approx(seconds(result.elapsed) * (3.0 + 4 * 2.0)).epsilon(1e-9));
    }
}

TEST_CASE("all cores of a module draw the module state's power once it is granted", "[power]") {
    PlatformSpec platform = powered_platform(1);
    platform.topology = {1, 1, 4, 1, 4, {}};
    platform.hardware_states.entries.clear();
    test::add_hardware_state(platform, "cc1", StateScope::thread, 0ns, 100ns).power = watts(kCc1);
    test::add_hardware_state(platform, "mc6", StateScope::module, 0ns, 30us).power = watts(kCc6);
    Sleepers machine{platform, {0, 1, 2, 3}};
    for (const int cpu : {0, 1, 2, 3}) {
        machine.plan(cpu, {{"mc6", cpu * 10us, 900us}});
    }
    machine.run_until(530us);
    double expected = seconds(530us) * kBase + seconds(30us) * kAwake;
    for (const int cpu : {0, 1, 2, 3}) {
        expected += seconds(cpu * 10us) * kRunning + seconds((3 - cpu) * 10us) * kCc1 +
                    seconds(500us) * kCc6;
    }
    CHECK(energy(machine) == exactly(expected));
}

TEST_CASE("an undemoted core draws the deeper state's power", "[power]") {
    PlatformSpec platform = powered_platform();
    platform.firmware.c1_demotion = C1Demotion{1, 100us, 1ms, {}};
    Sleepers machine{platform, {0}};
    machine.plan(0, {{"cc6", 0us, 50us}, {"cc6", 100us, 5ms}});
    machine.run_until(6ms);
    const Duration deep = machine.granted(0, "cc6");
    const Duration shallow = machine.granted(0, "cc1");
    CHECK(shallow == 1ms);
    const Duration awake = 6ms - deep;
    const double expected = seconds(6ms) * (kBase + 3 * kCc6) + seconds(deep) * kCc6 +
                            seconds(shallow) * kCc1 + seconds(awake) * kAwake +
                            seconds(awake - shallow) * kRunning;
    CHECK(energy(machine) == exactly(expected));
}

TEST_CASE("a package's transition costs its energy", "[power]") {
    PlatformSpec platform = powered_platform();
    test::hardware_state(platform, "pc6").transition_energy.value.joules = 1.0;
    Sleepers machine{platform, {0}};
    machine.plan(0, {{"pc6", 0us, 80us}});
    machine.run_until(200us);
    CHECK(energy(machine) == Approx(1.0).margin(0.1));
}

}  // namespace idlesim
