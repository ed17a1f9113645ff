// SPDX-License-Identifier: Apache-2.0
#include "models/cstate/cstate_hardware.hpp"

#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_platform.hpp"
#include "tests/support/cpuidle_scene.hpp"
#include "tests/support/sleepers.hpp"

#include <string>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using test::kCc1eExit;
using test::kCc1Exit;
using test::kCc6Entry;
using test::kCc6Exit;
using test::kPc6Entry;
using test::kPc6Exit;
using test::Sleep;
using test::Sleepers;

// CPUs 0 and 4 are the threads of core 0, which shares a package with core 1.
constexpr int kThread = 0;
constexpr int kSibling = 4;
constexpr int kOtherCore = 1;

/// Software is free: what passes is the hardware's time.
PlatformSpec hardware_alone() {
    return test::cpuidle_platform(0ns);
}

/// Four cores of one thread that form a module: cc1 of a thread, cc6 of a core, mc6 of the module.
PlatformSpec module_of_four() {
    PlatformSpec platform = hardware_alone();
    platform.topology = {1, 1, 4, 1, 4, {}};
    platform.hardware_states.entries.clear();
    platform.idle_states.entries.clear();
    test::add_hardware_state(platform, "cc1", StateScope::thread, 20ns, 100ns);
    test::add_hardware_state(platform, "cc6", StateScope::core, 2us, 30us);
    test::add_hardware_state(platform, "mc6", StateScope::module, 3us, 70us);
    return platform;
}

/// Exit of CPU 0, which is woken first, and of its sibling, which is woken long after.
struct CoreExits {
    CoreExits(const std::string& asks, const std::string& sibling_asks) {
        Sleepers machine{hardware_alone(), {kThread, kSibling}};
        machine.plan(kThread, {{asks, 0us, 100us}});
        machine.plan(kSibling, {{sibling_asks, 5us, 300us}});
        machine.run_until(1ms);
        first = machine.exit(kThread);
        second = machine.exit(kSibling);
    }

    Duration first{};
    Duration second{};
};

/// Exit of CPU 0, which asks for pc6 as CPU 1, the other core of its package, does.
Duration package_exit(const PlatformSpec& platform, const std::string& other_asks = "pc6") {
    Sleepers machine{platform, {kThread, kOtherCore}};
    machine.plan(kThread, {{"pc6", 0us, 100us}});
    machine.plan(kOtherCore, {{other_asks, 10us, 500us}});
    machine.run_until(1ms);
    return machine.exit(kThread);
}

PlatformSpec with_demotion() {
    PlatformSpec platform = hardware_alone();
    platform.firmware.c1_demotion = C1Demotion{3, 100us, 1ms, {}};
    return platform;
}

/// Sleeps of 50 us, short for with_demotion(), in a row.
std::vector<Sleep> short_sleeps(const std::string& state, int count) {
    std::vector<Sleep> sleeps;
    for (int i = 0; i < count; ++i) {
        sleeps.push_back({state, i * 200us, i * 200us + 50us});
    }
    return sleeps;
}

}  // namespace

TEST_CASE("a core gets the shallowest of what its threads ask for", "[cstate]") {
    CHECK(CoreExits{"cc6", "cc6"}.first == kCc6Exit);
    CHECK(CoreExits{"cc6", "cc1e"}.first == kCc1eExit);
    CHECK(CoreExits{"cc1e", "cc6"}.first == kCc1eExit);
    CHECK(CoreExits{"cc6", "cc1"}.first == kCc1Exit);
    CHECK(CoreExits{"cc1", "cc6"}.first == kCc1Exit);
}

TEST_CASE("a thread whose sibling runs gets no state of the core", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread, kSibling}};
    machine.plan(kThread, {{"cc6", 0us, 100us}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) == kCc1Exit);
}

TEST_CASE("a sibling that takes no part in the run is asleep", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread}};
    machine.plan(kThread, {{"cc6", 0us, 100us}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) == kCc6Exit);
}

TEST_CASE("the first thread wakes the core, the second is in a thread's state since", "[cstate]") {
    CHECK(CoreExits{"cc6", "cc6"}.second == kCc1Exit);
    CHECK(CoreExits{"cc1e", "cc6"}.second == kCc1Exit);
}

TEST_CASE("time in a core state runs while both threads ask for it", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread, kSibling}};
    machine.plan(kThread, {{"cc6", 0us, 80us}});
    machine.plan(kSibling, {{"cc6", 10us, 50us}});
    machine.run_until(1ms);
    CHECK(machine.granted(kSibling, "cc6") == 38us);
    CHECK(machine.granted(kSibling, "cc1") == 0us);
    CHECK(machine.granted(kThread, "cc6") == 38us);
    // The first thread leaves the core awake and has little to enter.
    CHECK(machine.granted(kThread, "cc1") == 10us + kCc6Entry - test::kCc1Entry + 30us);
}

TEST_CASE("a module state needs its four cores", "[cstate]") {
    for (const bool all : {true, false}) {
        Sleepers machine{module_of_four(), {0, 1, 2, 3}};
        machine.plan(0, {{"mc6", 0us, 200us}});
        machine.plan(1, {{"mc6", 10us, 900us}});
        machine.plan(2, {{"mc6", 20us, 900us}});
        machine.plan(3, {{all ? "mc6" : "cc6", 30us, 900us}});
        machine.run_until(2ms);
        INFO("all four: " << all);
        CHECK(machine.exit(0) == (all ? 70us : 30us));
        CHECK(machine.granted(0, "mc6") == (all ? 200us - 33us : 0us));
        CHECK(machine.exit(1) == 30us);  // its module is awake by then
    }
}

TEST_CASE("a package state comes after its entry, when every core asks for it", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread, kOtherCore}};
    machine.plan(kThread, {{"pc6", 0us, 100us}});
    machine.plan(kOtherCore, {{"pc6", 10us, 500us}});
    machine.run_until(1ms);
    const Duration last_arrival = 10us + kCc6Entry;
    CHECK(machine.granted(kThread, "pc6") == 100us - last_arrival - kPc6Entry);
    CHECK(machine.granted(kOtherCore, "pc6") == 100us - last_arrival - kPc6Entry);
    // Its cores are in their own deepest state meanwhile.
    CHECK(machine.granted(kThread, "cc6") == 100us - kCc6Entry);
}

TEST_CASE("the package's exit comes on top of the core's, for the first that wakes", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread, kOtherCore}};
    machine.plan(kThread, {{"pc6", 0us, 100us}});
    machine.plan(kOtherCore, {{"pc6", 10us, 500us}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) == kPc6Exit + kCc6Exit);
    CHECK(machine.exit(kOtherCore) == kCc6Exit);
}

TEST_CASE("a core that is woken while its package is on the way up waits for it too", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread, kOtherCore}};
    machine.plan(kThread, {{"pc6", 0us, 100us}});
    machine.plan(kOtherCore, {{"pc6", 10us, 101us}});
    machine.run_until(1ms);
    CHECK(machine.exit(kOtherCore) == kPc6Exit - 1us + kCc6Exit);
}

TEST_CASE("one core that asks for less keeps its package awake", "[cstate]") {
    CHECK(package_exit(hardware_alone()) == kPc6Exit + kCc6Exit);
    CHECK(package_exit(hardware_alone(), "cc6") == kCc6Exit);
    CHECK(package_exit(hardware_alone(), "cc1") == kCc6Exit);
}

TEST_CASE("a core of another package does not matter to a package", "[cstate]") {
    constexpr int kOtherPackage = 2;
    Sleepers machine{hardware_alone(), {kThread, kOtherPackage}};
    machine.plan(kThread, {{"pc6", 0us, 100us}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) == kPc6Exit + kCc6Exit);
}

TEST_CASE("firmware that forbids package states leaves the core's", "[cstate]") {
    PlatformSpec platform = hardware_alone();
    platform.firmware.package_c6 = false;
    CHECK(package_exit(platform) == kCc6Exit);
}

TEST_CASE("cores that take no part and are not idle keep every package awake", "[cstate]") {
    PlatformSpec platform = hardware_alone();
    platform.firmware.other_cores_idle = false;
    CHECK(package_exit(platform) == kCc6Exit);
}

TEST_CASE("a package that is still entering goes on to the end before it turns back", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread, kOtherCore}};
    machine.plan(kThread, {{"pc6", 0us, 13us}});
    machine.plan(kOtherCore, {{"pc6", 10us, 500us}});
    machine.run_until(1ms);
    const Duration asleep_at = 10us + kCc6Entry + kPc6Entry;
    CHECK(machine.exit(kThread) == (asleep_at - 13us) + kCc6Exit);
    CHECK(machine.granted(kThread, "pc6") == 0us);
}

TEST_CASE("a package sleeps again when its last core does", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread, kOtherCore}};
    machine.plan(kThread, {{"pc6", 0us, 100us}, {"pc6", 200us, 300us}});
    machine.plan(kOtherCore, {{"pc6", 10us, 500us}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread, 1) == kPc6Exit + kCc6Exit);
    CHECK(machine.granted(kThread, "pc6") ==
          (100us - 10us - kCc6Entry - kPc6Entry) + (100us - kCc6Entry - kPc6Entry));
}

TEST_CASE("of two package states each can be reached", "[cstate]") {
    PlatformSpec platform = hardware_alone();
    platform.hardware_states.entries.pop_back();
    test::add_hardware_state(platform, "cc8", StateScope::package, 3us, 10us);
    test::add_hardware_state(platform, "cc10", StateScope::package, 5us, 40us);
    for (const char* asks : {"cc8", "cc10"}) {
        Sleepers machine{platform, {kThread, kOtherCore}};
        machine.plan(kThread, {{asks, 0us, 100us}});
        machine.plan(kOtherCore, {{asks, 10us, 500us}});
        machine.run_until(1ms);
        CHECK(machine.exit(kThread) == (std::string{asks} == "cc8" ? 10us : 40us) + kCc6Exit);
    }
}

TEST_CASE("what comes during the entry is served after it, and the exit is paid", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread}};
    machine.plan(kThread, {{"cc6", 0us, 500ns}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) == (kCc6Entry - 500ns) + kCc6Exit);
    CHECK(machine.resident(kThread) == 0us);
}

TEST_CASE("a thread whose core stays awake pays no entry of the core", "[cstate]") {
    // A thread that waits in MWAIT alone just stops issuing instructions.
    Sleepers machine{hardware_alone(), {kThread, kSibling}};
    machine.plan(kThread, {{"cc6", 0us, 500ns}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) == kCc1Exit);
}

TEST_CASE("a sleep ends with the exit of the state that was granted", "[cstate]") {
    // The sibling leaves the core state by waking, and comes back into it before CPU 0 wakes.
    Sleepers machine{hardware_alone(), {kThread, kSibling}};
    machine.plan(kThread, {{"cc6", 0us, 150us}, {"cc6", 400us, 450us}});
    machine.plan(kSibling, {{"cc6", 10us, 50us}, {"cc6", 100us, 420us}});
    machine.run_until(1ms);
    CHECK(machine.exit(kSibling, 0) == kCc6Exit);
    CHECK(machine.exit(kThread, 0) == kCc6Exit);
    CHECK(machine.exit(kSibling, 1) == kCc6Exit);
    CHECK(machine.exit(kThread, 1) == kCc1Exit);
}

TEST_CASE("C1 becomes C1E where firmware promotes it and both threads sleep", "[cstate]") {
    for (const bool promotion : {false, true}) {
        PlatformSpec platform = hardware_alone();
        platform.firmware.c1e_promotion = promotion;
        INFO("promotion " << promotion);
        Sleepers both{platform, {kThread, kSibling}};
        both.plan(kThread, {{"cc1", 0us, 100us}});
        both.plan(kSibling, {{"cc1", 10us, 300us}});
        both.run_until(1ms);
        CHECK(both.exit(kThread) == (promotion ? kCc1eExit : kCc1Exit));
        CHECK(both.exit(kSibling) == kCc1Exit);

        Sleepers one{platform, {kThread, kSibling}};
        one.plan(kThread, {{"cc1", 0us, 100us}});
        one.run_until(1ms);
        CHECK(one.exit(kThread) == kCc1Exit);

        Sleepers deeper{platform, {kThread, kSibling}};
        deeper.plan(kThread, {{"cc1", 0us, 100us}});
        deeper.plan(kSibling, {{"cc6", 10us, 300us}});
        deeper.run_until(1ms);
        CHECK(deeper.exit(kThread) == (promotion ? kCc1eExit : kCc1Exit));
    }
}

TEST_CASE("after `count` short sleeps a deep request gets C1", "[cstate]") {
    Sleepers machine{with_demotion(), {kThread}};
    machine.plan(kThread, short_sleeps("cc6", 6));
    machine.run_until(2ms);
    for (const std::size_t sleep : {0U, 1U, 2U}) {
        CHECK(machine.exit(kThread, sleep) == kCc6Exit);
    }
    for (const std::size_t sleep : {3U, 4U, 5U}) {
        CHECK(machine.exit(kThread, sleep) == kCc1Exit);
    }
    CHECK(machine.granted(kThread, "cc1") == 3 * (50us - kCc6Entry));
}

TEST_CASE("a sleep that is not short ends demotion, from the next one on", "[cstate]") {
    std::vector<Sleep> sleeps = short_sleeps("cc6", 4);
    sleeps.push_back({"cc6", 1000us, 1300us});
    sleeps.push_back({"cc6", 1500us, 1550us});
    Sleepers machine{with_demotion(), {kThread}};
    machine.plan(kThread, sleeps);
    machine.run_until(2ms);
    CHECK(machine.exit(kThread, 3) == kCc1Exit);
    CHECK(machine.exit(kThread, 4) == kCc1Exit);
    CHECK(machine.exit(kThread, 5) == kCc6Exit);
}

TEST_CASE("a demoted C1 that lasts goes on to what was asked for", "[cstate]") {
    std::vector<Sleep> sleeps = short_sleeps("cc6", 3);
    sleeps.push_back({"cc6", 1ms, 4ms});
    Sleepers machine{with_demotion(), {kThread}};
    machine.plan(kThread, sleeps);
    machine.run_until(5ms);
    CHECK(machine.exit(kThread, 3) == kCc6Exit);
    CHECK(machine.granted(kThread, "cc1") == 1ms);
    CHECK(machine.granted(kThread, "cc6") == 3 * (50us - kCc6Entry) + (3ms - kCc6Entry - 1ms));
}

TEST_CASE("undemotion gives no core state to a thread whose sibling runs", "[cstate]") {
    std::vector<Sleep> sleeps = short_sleeps("cc6", 3);
    sleeps.push_back({"cc6", 1ms, 4ms});
    Sleepers machine{with_demotion(), {kThread, kSibling}};
    machine.plan(kThread, sleeps);
    machine.run_until(5ms);
    CHECK(machine.exit(kThread, 3) == kCc1Exit);
    CHECK(machine.granted(kThread, "cc6") == 0us);
}

TEST_CASE("time after undemotion counts while the sleep lasts, too", "[cstate]") {
    // A run may end in a sleep.
    std::vector<Sleep> sleeps = short_sleeps("cc6", 3);
    sleeps.push_back({"cc6", 1ms, 10ms});
    Sleepers machine{with_demotion(), {kThread}};
    machine.plan(kThread, sleeps);
    machine.run_until(5ms);
    CHECK(machine.granted(kThread, "cc1") == 1ms);
}

TEST_CASE("short sleeps in C1 demote nothing", "[cstate]") {
    std::vector<Sleep> sleeps = short_sleeps("cc1", 6);
    sleeps.push_back({"cc6", 2ms, 2050us});
    Sleepers machine{with_demotion(), {kThread}};
    machine.plan(kThread, sleeps);
    machine.run_until(3ms);
    CHECK(machine.exit(kThread, 6) == kCc6Exit);
}

TEST_CASE("demotion changes what is granted and nothing of what is counted as requested",
          "[cstate]") {
    std::vector<RunResult> results;
    for (const bool demotes : {false, true}) {
        PlatformSpec platform = test::cpuidle_platform();
        test::declared_state(platform, "C6").hardware = "cc6";
        if (demotes) {
            platform.firmware.c1_demotion = C1Demotion{3, 300us, 10ms, {}};
        }
        const Scenario scenario = test::cpuidle_scenario(
            platform,
            "{ kind: periodic, tasks: [0], period: 200 us, work: 20 us, activations: 200 }",
            "version: \"6.8\"",
            test::fixed_governor("C6"));
        results.push_back(run(scenario, RunOptions{}));
    }
    constexpr std::size_t kC1 = 1;
    constexpr std::size_t kC6 = 3;
    CHECK(results[0].cpuidle[kC6].usage == results[1].cpuidle[kC6].usage);
    CHECK(results[1].cpuidle[kC6].usage > 190);
    CHECK(results[1].cpuidle[kC1].usage == 0);
    CHECK(results[0].cpuidle[kC1].granted_time == 0us);
    // All but the first three sleeps, each of them some 150 us.
    CHECK(results[1].cpuidle[kC1].granted_time > 190 * 120us);
    CHECK(results[1].cpuidle[kC6].granted_time < 10 * 200us);
    CHECK(results[1].samples.count() == 200);
}

TEST_CASE("a local timer wakes sooner than a device from a state that is pre-woken", "[cstate]") {
    for (const bool by_timer : {false, true}) {
        PlatformSpec platform = hardware_alone();
        test::hardware_state(platform, "cc6").pre_wake = true;
        Sleepers machine{platform, {kThread}};
        machine.plan(kThread, {{"cc6", 0us, 100us, by_timer}});
        machine.run_until(1ms);
        CHECK(machine.exit(kThread) == (by_timer ? kCc1Exit : kCc6Exit));
    }
}

TEST_CASE("a pre-wake covers the package's exit too", "[cstate]") {
    PlatformSpec platform = hardware_alone();
    test::hardware_state(platform, "cc6").pre_wake = true;
    test::hardware_state(platform, "pc6").pre_wake = true;
    Sleepers machine{platform, {kThread}};
    machine.plan(kThread, {{"pc6", 0us, 100us, true}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) == kCc1Exit);
}

TEST_CASE("a pre-wake cannot begin before the core has arrived", "[cstate]") {
    // Asleep from 2 us on, with an exit of 30 us: the timer of 3 us cannot be met.
    PlatformSpec platform = hardware_alone();
    test::hardware_state(platform, "cc6").pre_wake = true;
    Sleepers machine{platform, {kThread}};
    machine.plan(kThread, {{"cc6", 0us, 3us, true}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) >= kCc6Entry + kCc6Exit - 3us);
}

TEST_CASE("without pre-wake a timer wakes as late as a device does", "[cstate]") {
    Sleepers machine{hardware_alone(), {kThread}};
    machine.plan(kThread, {{"cc6", 0us, 100us, true}});
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) == kCc6Exit);
}

TEST_CASE("C1 is never pre-woken", "[cstate]") {
    PlatformSpec platform = hardware_alone();
    test::hardware_state(platform, "cc1").pre_wake = true;
    test::hardware_state(platform, "cc6").pre_wake = true;
    Sleepers machine{platform, {kThread, kSibling}};
    machine.plan(kThread, {{"cc6", 0us, 100us, true}});  // its sibling runs: granted C1
    machine.run_until(1ms);
    CHECK(machine.exit(kThread) == kCc1Exit);

    test::set_cost(platform, "cc1_exit", 40us);  // so that a pre-wake would show
    Sleepers slow{platform, {kThread}};
    slow.plan(kThread, {{"cc1", 0us, 100us, true}, {"cc1", 500us, 600us, false}});
    slow.run_until(1ms);
    CHECK(slow.exit(kThread, 0) == 40us);
    CHECK(slow.exit(kThread, 1) == 40us);
}

TEST_CASE("a pre-wake reckons with the longest phase of the controller, not with rare extras",
          "[cstate]") {
    PlatformSpec platform = hardware_alone();
    test::hardware_state(platform, "cc6").pre_wake = true;
    for (auto& entry : platform.costs.entries) {
        if (entry.key == "cc6_exit") {
            entry.value.window = 10us;
            entry.value.second_mode = SecondMode{{1.0}, 60us, {}};
        }
    }
    Sleepers machine{platform, {kThread}};
    machine.plan(kThread, {{"cc6", 0us, 100us, true}});
    machine.run_until(1ms);
    // Base and window are foreseen; of the 60 us on top, what the unused window leaves.
    CHECK(machine.exit(kThread) >= 50us);
    CHECK(machine.exit(kThread) <= 60us);
}

TEST_CASE("the path behind a long sleep is cold, behind a short one it is not", "[cstate]") {
    PlatformSpec platform = hardware_alone();
    StepClass kernel;
    kernel.cold_path_factor.value = {2.0};
    platform.step_classes.entries.push_back({"kernel", {}, kernel});
    test::set_cost(platform, "path", 40ns);
    platform.costs.entries.back().value.step_class = "kernel";
    test::hardware_state(platform, "cc1").cold_work.value = 100ns;
    test::hardware_state(platform, "cc1").cold_after.value = 500us;
    test::hardware_state(platform, "cc6").cold_work.value = 170ns;  // at once
    constexpr int kSteps = 6;
    Sleepers machine{platform, {kThread}};
    machine.plan(kThread,
                 {{"cc1", 0us, 100us},
                  {"cc1", 1ms, 2ms},
                  {"cc6", 3ms, 3010us},
                  {"cc1", 4ms, 4500us + test::kCc1Entry - 1ns},
                  {"cc1", 5ms, 5500us + test::kCc1Entry}},
                 kSteps);
    machine.run_until(6ms);
    const Duration warm = kSteps * 40ns;
    CHECK(machine.path(kThread, 0) == warm);
    CHECK(machine.path(kThread, 1) == warm + 3 * 80ns);  // 100 ns of warm work: three steps
    CHECK(machine.path(kThread, 2) == warm + 5 * 80ns);  // 170 ns: five
    CHECK(machine.path(kThread, 3) == warm);             // one nanosecond short of long
    CHECK(machine.path(kThread, 4) == warm + 3 * 80ns);
}

TEST_CASE("a slow clock stretches what counts in cycles, for its time", "[cstate]") {
    PlatformSpec platform = hardware_alone();
    platform.core_clock = {1'000'000'000, 1};
    test::hardware_state(platform, "cc1e").slow_clock =
        SlowClock{{500'000'000, 1}, 400ns, Basis::assumed, {}, {}, {}};
    test::set_cost(platform, "path", 50ns);
    platform.costs.entries.back().value.cycles = 100;
    Sleepers machine{platform, {kThread}};
    machine.plan(kThread, {{"cc1e", 0us, 100us}, {"cc1", 200us, 300us}}, 4);
    machine.run_until(1ms);
    CHECK(machine.exit(kThread, 0) == kCc1eExit);
    // At half the clock 100 cycles take 200 ns: two steps of 250 ns begin within 400 ns.
    CHECK(machine.path(kThread, 0) == 2 * 250ns + 2 * 150ns);
    CHECK(machine.path(kThread, 1) == 4 * 150ns);
}

TEST_CASE("time in hardware states adds up to the time asleep, whatever happens", "[cstate]") {
    RandomStream stream{7, "test.sleeps"};
    for (int round = 0; round < 20; ++round) {
        PlatformSpec platform = hardware_alone();
        platform.firmware.c1e_promotion = round % 2 == 0;
        platform.firmware.other_cores_idle = round % 3 != 0;
        if (round % 4 < 2) {
            platform.firmware.c1_demotion = C1Demotion{2, 40us, 120us, {}};
        }
        test::hardware_state(platform, "cc6").pre_wake = round % 5 == 0;
        for (auto& entry : platform.costs.entries) {
            entry.value.jitter = entry.key.ends_with("_exit") ? 3us : 0ns;
        }
        const std::vector<int> cpus{0, 1, 2, 3, 4, 5, 6, 7};
        Sleepers machine{platform, cpus};
        const std::vector<std::string> states{"cc1", "cc1e", "cc6", "pc6"};
        const auto random = [&](Duration most) {
            return Distribution::uniform(1ns, most).sample(stream);
        };
        for (const int cpu : cpus) {
            std::vector<Sleep> sleeps;
            Duration at{};
            for (int i = 0; i < 40; ++i) {
                const Duration from = at + random(60us);
                at = from + random(i % 4 == 0 ? 400us : 60us);
                const auto state = static_cast<std::size_t>(stream.uniform() * 4.0);
                sleeps.push_back({states.at(state), from, at, stream.uniform() < 0.3});
            }
            machine.plan(cpu, sleeps);
        }
        machine.run_until(2ms + random(1ms));
        for (const int cpu : cpus) {
            INFO("round " << round << ", CPU " << cpu);
            Duration in_states{};
            for (const char* state : {"cc1", "cc1e", "cc6"}) {
                CHECK(machine.granted(cpu, state) >= 0ns);
                in_states += machine.granted(cpu, state);
            }
            CHECK(in_states == machine.resident(cpu));
            CHECK(machine.resident(cpu) > 100us);
            CHECK(machine.granted(cpu, "pc6") <= machine.granted(cpu, "cc6"));
        }
    }
}

}  // namespace idlesim
