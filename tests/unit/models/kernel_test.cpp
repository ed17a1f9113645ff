// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"

#include "models/scenario.hpp"
#include "tests/catch.hpp"
#include "tests/support/plain_platform.hpp"

#include <memory>
#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// Wakes a task on an idle CPU once and tells what the target received.
struct RemoteWake {
    RemoteWake(const std::string& strategy, const std::string& version, int waker, int target) {
        PlatformSpec platform = test::plain_platform();
        KernelSpec spec;
        spec.version = version;
        const auto idle = Registry<IdleStrategy>::choice(strategy).make();
        Machine machine{platform, {waker, target}, 1, 1};
        Kernel kernel{machine, spec, *idle};

        ProgramBuilder sleeper = machine.program("sleeper");
        sleeper.effect(effect_of<&RemoteWake::woken>(this)).wait_for_release();
        Task& wakee = kernel.add_task("sleeper", target);
        wakee.program = &machine.keep(sleeper.finish());

        ProgramBuilder b = machine.program("waker");
        b.wait_for_release();
        kernel.emit_wake(b, wakee);
        b.wait_for_release();
        Task& task = kernel.add_task("waker", waker);
        task.program = &machine.keep(b.finish());
        kernel.make_runnable(task);

        path.start(machine.now());
        wakee.path = &path;
        kernel.start();
        machine.simulation().run_until(Time{} + 5us);
        path.start(machine.now());
        machine.cpu(waker).attach(path);
        machine.cpu(waker).release();
        machine.simulation().run_until(Time{} + 10us);

        const auto took = [&](const char* step) {
            return path.of(machine.steps().id(step)) > Duration::zero();
        };
        by_interrupt = took("ipi_delivery");
        by_store = took("line_transfer");
        call_function = took("csd_flush");
        reschedule = took("scheduler_ipi");
    }

    bool woken(LogicalCpu& cpu, std::uint64_t) {
        ran = true;
        cpu.detach(path);
        return false;
    }

    Attribution path;
    bool ran = false;
    bool by_interrupt = false;
    bool by_store = false;
    bool call_function = false;
    bool reschedule = false;
};

}  // namespace

TEST_CASE("a target that polls its flags is woken by a store, one that does not by an interrupt",
          "[kernel]") {
    for (const char* strategy : {"mwait_c1", "poll"}) {
        const RemoteWake wake{strategy, "5.18", 0, 1};
        INFO(strategy);
        CHECK(wake.ran);
        CHECK(wake.by_store);
        CHECK_FALSE(wake.by_interrupt);
    }
    const RemoteWake wake{"hlt", "5.18", 0, 1};
    CHECK(wake.ran);
    CHECK(wake.by_interrupt);
    CHECK_FALSE(wake.by_store);
}

TEST_CASE("inside the LLC 5.18 enqueues on the waker and 6.0 on the idle target", "[kernel]") {
    const RemoteWake before{"hlt", "5.18", 0, 1};
    CHECK(before.reschedule);
    CHECK_FALSE(before.call_function);
    const RemoteWake after{"hlt", "6.0", 0, 1};
    CHECK(after.call_function);
    CHECK_FALSE(after.reschedule);
}

TEST_CASE("a wake-up across the LLC is queued on the target in every version", "[kernel]") {
    for (const char* version : {"5.18", "6.3"}) {
        const RemoteWake wake{"hlt", version, 0, 3};
        CHECK(wake.ran);
        CHECK(wake.call_function);
    }
}

TEST_CASE("prefer_mwait_c1_over_halt follows vendor or CPUID", "[kernel]") {
    PlatformSpec amd = test::plain_platform();
    PlatformSpec intel = amd;
    intel.vendor = "Intel";
    KernelSpec before;
    before.version = "5.19";
    KernelSpec after;
    after.version = "6.0";
    CHECK(default_idle_strategy(before, amd) == "hlt");
    CHECK(default_idle_strategy(before, intel) == "mwait_c1");
    CHECK(default_idle_strategy(after, amd) == "mwait_c1");

    SECTION("no MONITOR, or a broken one") {
        amd.cpuid.monitor = false;
        CHECK(default_idle_strategy(after, amd) == "hlt");
        amd.cpuid.monitor = true;
        amd.cpuid.bug_monitor = true;
        CHECK(default_idle_strategy(after, amd) == "hlt");
    }
    SECTION("leaf 5 without C1 sub-states, and without extensions") {
        amd.cpuid.mwait_c1_substates = 0;
        CHECK(default_idle_strategy(after, amd) == "hlt");
        amd.cpuid.mwait_extensions = false;
        CHECK(default_idle_strategy(after, amd) == "mwait_c1");
    }
    SECTION("idle= on the command line") {
        after.idle = IdleParameter::nomwait;
        CHECK(default_idle_strategy(after, amd) == "hlt");
        after.idle = IdleParameter::halt;
        CHECK(default_idle_strategy(after, amd) == "hlt");
        after.idle = IdleParameter::poll;
        CHECK(default_idle_strategy(after, amd) == "poll");
    }
    SECTION("the rule by name") {
        before.prefer_mwait = PreferMwait::cpuid_rule;
        CHECK(default_idle_strategy(before, amd) == "mwait_c1");
        after.prefer_mwait = PreferMwait::vendor_rule;
        CHECK(default_idle_strategy(after, amd) == "hlt");
    }
}

TEST_CASE("the tick of an idle CPU is stopped at once before 7.0 and after a hit from it on",
          "[kernel]") {
    for (const char* version : {"6.3", "7.0"}) {
        const PlatformSpec platform = test::plain_platform();
        KernelSpec spec;
        spec.version = version;
        spec.hz = 1000;
        const auto idle = Registry<IdleStrategy>::choice("hlt").make();
        Machine machine{platform, {0}, 1, 1};
        Kernel kernel{machine, spec, *idle};
        kernel.start();
        machine.simulation().run_until(Time{} + 5ms);
        // Each time the CPU sleeps counts; a tick that hits wakes it once more.
        CHECK(kernel.idle_counters(0).usage == (std::string{version} == "6.3" ? 0U : 1U));
    }
}

TEST_CASE("HZ is kept when the tick runs", "[kernel]") {
    const PlatformSpec platform = test::plain_platform();
    KernelSpec spec;
    spec.hz = 250;
    spec.nohz = false;
    const auto idle = Registry<IdleStrategy>::choice("hlt").make();
    Machine machine{platform, {0}, 1, 1};
    Kernel kernel{machine, spec, *idle};
    kernel.start();
    machine.simulation().run_until(Time{} + 1s);
    CHECK(kernel.idle_counters(0).usage == 250);
}

}  // namespace idlesim
