// SPDX-License-Identifier: Apache-2.0
// An idle CPU alternates between work and sleep: an alternating renewal process, whose shares of
// time are the ratios of the means of its phases, whatever their distributions.
#include "tests/catch.hpp"
#include "tests/support/cpuidle_scene.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

constexpr double kStudent = 4.78;  // two-sided 99.9 %, 9 degrees of freedom
constexpr int kReplications = 10;
constexpr Duration kJitter = 200ns;

/// C1's exit varies, everything else is constant.
PlatformSpec jittery_platform() {
    PlatformSpec platform = test::cpuidle_platform();
    for (auto& entry : platform.costs.entries) {
        if (entry.key == "cc1_exit") {
            entry.value.jitter = kJitter;
        }
    }
    return platform;
}

/// Mean time of steps by their names, as the platform gives them.
template <std::size_t n>
Duration sum_of(const std::array<const char*, n>& steps) {
    const PlatformSpec platform = jittery_platform();
    Duration sum{};
    for (const char* step : steps) {
        sum += platform.find_cost(step)->value + platform.find_cost(step)->jitter;
    }
    return sum;
}

// The steps of the kernel between a task and its sleep in C1 with interrupts off, as
// kernel/sched/idle.c and drivers/cpuidle/cpuidle.c have them: do_idle() behind the switch...
constexpr std::array kIntoIdle{"cli",
                               "schedule",
                               "sti",
                               "set_polling",
                               "idle_enter",
                               "test_need_resched",
                               "cli",
                               "idle_prepare",
                               "governor_select",
                               "tick_stop",
                               "clear_polling",
                               "test_need_resched",
                               "cpuidle_enter",
                               "rcu_idle_enter",
                               "set_polling",
                               "test_need_resched",
                               "monitor",
                               "test_need_resched",
                               "cc1_entry"};

// ...the way back to interrupts on...
constexpr std::array kOutOfState{
    "cc1_exit", "clear_polling", "rcu_idle_exit", "cpuidle_leave", "sti"};

// ...the rest of cpuidle_enter(), the way out of the loop and the switch.
constexpr std::array kOutOfIdle{"cpuidle_account",
                                "governor_reflect",
                                "set_polling",
                                "sti",
                                "test_need_resched",
                                "cli",
                                "idle_loop_exit",
                                "tick_restart",
                                "sti",
                                "clear_polling",
                                "cli",
                                "schedule",
                                "sti"};

constexpr std::array kTimerHandler{"vectoring",
                                   "irq_entry",
                                   "tick_irq_enter",
                                   "eoi",
                                   "hrtimer_interrupt",
                                   "hrtimer_expire",
                                   "try_to_wake_up",
                                   "enqueue_task",
                                   "timer_program",
                                   "irq_exit",
                                   "iret"};

constexpr std::array kDeviceHandler{"vectoring",
                                    "irq_entry",
                                    "tick_irq_enter",
                                    "eoi",
                                    "device_handler",
                                    "try_to_wake_up",
                                    "enqueue_task",
                                    "irq_exit",
                                    "iret"};

constexpr std::array kSleepCall{
    "nanosleep_return", "nanosleep_call", "hrtimer_start", "timer_program"};

double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

struct Interval {
    double centre = 0.0;
    double half_width = 0.0;
};

/// Share of the time that CPU 0 is resident in C1, over independent replications.
Interval resident_share(const std::string& workload, Duration length) {
    const Scenario scenario = test::cpuidle_scenario(jittery_platform(),
                                                     workload,
                                                     R"(version: "6.8", irq_enable: "off")",
                                                     test::fixed_governor("C1"));
    std::vector<double> shares;
    for (int replication = 1; replication <= kReplications; ++replication) {
        test::CpuidleScene scene{scenario, replication};
        scene.run_until(20ms);
        const Duration before = scene.in(0, CpuState::resident);
        scene.run_until(20ms + length);
        const Duration asleep = scene.in(0, CpuState::resident) - before;
        CHECK(scene.machine().cstates()->granted(0, scene.now()).core[0] ==
              scene.in(0, CpuState::resident));
        shares.push_back(seconds(asleep) / seconds(length));
    }
    Interval interval;
    for (const double share : shares) {
        interval.centre += share / kReplications;
    }
    double variance = 0.0;
    for (const double share : shares) {
        variance += (share - interval.centre) * (share - interval.centre) / (kReplications - 1.0);
    }
    interval.half_width = kStudent * std::sqrt(variance / kReplications);
    return interval;
}

void check_share(const Interval& simulated, double expected, double precision) {
    INFO("expected " << expected << ", simulated " << simulated.centre << " +- "
                     << simulated.half_width);
    CHECK(std::abs(simulated.centre - expected) <= simulated.half_width);
    CHECK(simulated.half_width < precision);
}

bool takes_no_parameters(const std::string& strategy) {
    try {
        (void)Registry<IdleStrategy>::choice(strategy);
        return true;
    } catch (const config::ConfigError&) {
        return false;
    }
}

}  // namespace

TEST_CASE("under periodic work the share of time in C1 is 1 - (work + path) / period") {
    const Duration period = 100us;
    const Duration path = sum_of(kIntoIdle) + sum_of(kOutOfState) + sum_of(kTimerHandler) +
                          sum_of(kOutOfIdle) + sum_of(kSleepCall);
    for (const Duration work : {1us, 20us, 60us}) {
        const std::string workload =
            fmt::format("{{ kind: periodic, period: 100 us, work: {} us, activations: 1000000 }}",
                        work / Duration{1us});
        check_share(resident_share(workload, 200ms),
                    1.0 - seconds(work + path) / seconds(period),
                    1e-4);  // one step
    }
}

TEST_CASE("in a closed loop the share of time in C1 is the mean sleep by the mean cycle") {
    // The device's time runs from the request on: what the way into C1 takes of it is no sleep.
    const Duration burst = 30us;
    const Duration wait = 50us;
    const Duration sleep = wait - sum_of(kIntoIdle);
    const Duration way_out = sum_of(kOutOfState) + sum_of(kDeviceHandler) + sum_of(kOutOfIdle);
    const Duration task = burst + sum_of(std::array{"nanosleep_call", "nanosleep_return"});
    const double expected = seconds(sleep) / seconds(wait + way_out + task);
    check_share(resident_share("{ kind: dbench, clients: [0], burst: 30 us, wait: 50 us, "
                               "duration: 1000 s, interval: 1000 s }",
                               2s),
                expected,
                0.002);
}

TEST_CASE("the residencies of every CPU add up to the elapsed time, in every strategy") {
    for (const std::string& strategy : Registry<IdleStrategy>::names()) {
        if (!takes_no_parameters(strategy)) {
            continue;
        }
        for (const char* workload :
             {"{ kind: periodic, tasks: [0, 1, 4], period: 190 us, work: 30 us }",
              "{ kind: dbench, clients: [0, 4, 5], duration: 1000 s, interval: 1000 s }",
              "{ kind: context_switch2, cpu1: 0, cpu2: 4, duration: 1000 s, interval: 1000 s }"}) {
            INFO(strategy << ", " << workload);
            PlatformSpec platform = jittery_platform();
            platform.firmware.c1e_promotion = true;
            platform.firmware.c1_demotion = C1Demotion{5, 100us, 2ms, {}};
            test::set_cost(platform, "background_interval", 400us);
            test::CpuidleScene scene{test::cpuidle_scenario(
                platform,
                workload,
                "version: \"6.8\"",
                "idle: { strategy: " + strategy +
                    " }\ngovernor: menu@6.3\ninterrupts: [{ kind: background }]")};
            scene.run_until(30ms + Duration{12'345});
            for (const int cpu : scene.machine().cpu_numbers()) {
                Duration sum{};
                for (const Duration part : scene.cpu(cpu).residency()) {
                    sum += part;
                }
                CHECK(sum == 30ms + Duration{12'345});
                // What the hardware was asked for it has granted, to the picosecond.
                Duration granted{};
                for (const Duration part :
                     scene.machine().cstates()->granted(cpu, scene.now()).core) {
                    granted += part;
                }
                CHECK(granted == scene.in(cpu, CpuState::resident));
            }
        }
    }
}

TEST_CASE("a CPU's idle time by the driver's books holds all the time that it was asleep") {
    for (const char* governor : {"menu@6.3", "teo@6.12", "ladder@6.3"}) {
        test::CpuidleScene scene{test::cpuidle_scenario(
            jittery_platform(),
            "{ kind: periodic, tasks: [0, 1, 4], period: 700 us, work: 100 us }",
            "version: \"6.8\"",
            std::string{"governor: "} + governor)};
        scene.run_until(100ms);
        for (const int cpu : scene.machine().cpu_numbers()) {
            INFO(governor << ", CPU " << cpu);
            Duration booked{};
            for (const StateUsage& usage : scene.kernel().cpuidle_device(cpu)->usage()) {
                booked += usage.time;
            }
            // The sleep that is under way is not booked yet, and nanoseconds are cut.
            CHECK(booked > scene.in(cpu, CpuState::resident) - 700us);
            CHECK(booked < scene.now() - Time{});
        }
    }
}

}  // namespace idlesim
