// SPDX-License-Identifier: Apache-2.0
#include "models/cstate/power_control.hpp"

#include "tests/catch.hpp"
#include "tests/support/cpuidle_platform.hpp"
#include "tests/support/sleepers.hpp"

#include <chrono>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using test::Sleepers;

constexpr double kGiga = 1e9;

Watts watts(double value) {
    Watts result;
    result.value.watts = value;
    return result;
}

TurboLimit row(int active_cores, std::int64_t clock) {
    TurboLimit limit;
    limit.active_cores = active_cores;
    limit.clock = {clock, 1};
    return limit;
}

/// Two packages of four cores with one thread each, 1 GHz; a core draws 4 W running, 3 W polling,
/// 1 W in C1 and nothing in C6. Power follows the cube of the clock.
PlatformSpec budgeted_platform() {
    PlatformSpec platform = test::cpuidle_platform(0ns);
    platform.topology.packages = 2;
    platform.topology.llcs_per_package = 1;
    platform.topology.cores_per_llc = 4;
    platform.topology.threads_per_core = 1;
    platform.core_clock = {1'000'000'000, 1};
    platform.firmware.turbo = true;
    PowerSpec power;
    power.core_running = watts(4);
    power.core_polling = watts(3);
    PowerBudget budget;
    budget.turbo = {row(1, 2'000'000'000), row(2, 1'500'000'000)};
    budget.voltage_slope.value.value = 1.0;
    budget.interval.value = 1ms;
    power.budget = budget;
    platform.power = power;
    test::hardware_state(platform, "cc1").power = watts(1);
    test::hardware_state(platform, "cc6").power = watts(0);
    return platform;
}

double gigahertz(Sleepers& machine, int package = 0) {
    return machine.machine().power_control()->clock(package) / kGiga;
}

}  // namespace

TEST_CASE("the turbo table counts cores in C0 and C1, not those in C6", "[power_control]") {
    Sleepers m{budgeted_platform(), {0, 1}};
    SECTION("one busy core beside one in C6 has the whole headroom") {
        m.plan(1, {{"cc6", 0ns, 1s}});
        m.run_until(5ms);
        CHECK(gigahertz(m) == Approx(2.0));
    }
    SECTION("beside one in C1 it has not") {
        m.plan(1, {{"cc1", 0ns, 1s}});
        m.run_until(5ms);
        CHECK(gigahertz(m) == Approx(1.5));
    }
    SECTION("the other package does not matter") {
        m.run_until(5ms);
        CHECK(gigahertz(m, 1) == Approx(1.0));
    }
}

TEST_CASE("beyond the last row of the turbo table the last row counts", "[power_control]") {
    Sleepers m{budgeted_platform(), {0, 1, 2, 3}};
    m.run_until(5ms);
    CHECK(gigahertz(m) == Approx(1.5));
}

TEST_CASE("a package limit lowers the clock to the highest step that keeps it", "[power_control]") {
    PlatformSpec platform = budgeted_platform();
    platform.power->budget->uncore = watts(10);
    SECTION("one core: 10 W beside 4 W times the cube of 1.5 is 23.5 W, of 1.4 it is 20.976 W") {
        platform.power->budget->package_limit = watts(21);
        Sleepers m{platform, {0}};
        m.run_until(5ms);
        CHECK(gigahertz(m) == Approx(1.4));
    }
    SECTION("a second one that spins takes half of what is left, and its row") {
        platform.power->budget->package_limit = watts(21);
        Sleepers m{platform, {0, 1}};
        m.run_until(5ms);
        // 8 W times the cube of 1.1 is 10.648 W.
        CHECK(gigahertz(m) == Approx(1.1));
    }
    SECTION("nothing goes below the lowest clock") {
        platform.power->budget->package_limit = watts(1);
        Sleepers m{platform, {0}};
        m.run_until(5ms);
        CHECK(gigahertz(m) == Approx(0.8));
    }
}

TEST_CASE("the limit holds for the mean power of an interval", "[power_control]") {
    PlatformSpec platform = budgeted_platform();
    platform.power->budget->package_limit = watts(10);
    Sleepers m{platform, {0, 1}};
    // The second core runs for a quarter of the interval that is looked at: 5 W at 1 GHz, 8.64 W
    // at 1.2 GHz, 10.985 W at 1.3 GHz.
    m.plan(1, {{"cc6", 250us, 1s}});
    m.run_until(1ms);
    CHECK(gigahertz(m) == Approx(1.2));
}

TEST_CASE("energy follows the clock from the moment on that it changes", "[power_control]") {
    Sleepers m{budgeted_platform(), {0}};
    m.run_until(3ms);
    // 4 W for a millisecond, then eight times as much.
    const double joules = m.hardware().power()->energy(Time{} + 3ms);
    CHECK(joules == Approx(0.004 + 2 * 0.032));
}

TEST_CASE("the mean clock of busy CPUs leaves their sleep out", "[power_control]") {
    Sleepers m{budgeted_platform(), {0, 1}};
    m.plan(1, {{"cc6", 500us, 1s}});
    m.run_until(4ms);
    // CPU 0: a millisecond each at 1 and 1.5 GHz (two were active at first), two at 2 GHz.
    CHECK(*m.machine().power_control()->busy_clock() / kGiga ==
          Approx((1 + 1.5 + 4 + 0.5) / 4.5).epsilon(1e-3));
}

TEST_CASE("a package that changes nothing is not looked at", "[power_control]") {
    Sleepers m{budgeted_platform(), {0}};
    m.run_until(1s);
    CHECK(m.machine().simulation().dispatched() < 20);
}

}  // namespace idlesim
