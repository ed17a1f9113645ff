// SPDX-License-Identifier: Apache-2.0
// A virtual CPU that halts, step by step, by hand arithmetic.
#include "models/hypervisor/hypervisor.hpp"
#include "models/kernel/kernel_spec.hpp"
#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/bare_cpu.hpp"
#include "tests/support/cpuidle_scene.hpp"
#include "tests/support/guest_platform.hpp"

#include <algorithm>
#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

constexpr Vector kVector = 0x40;
constexpr int kHostPoll = 0;
constexpr int kHostC1 = 1;
constexpr int kHostC6 = 3;

/// A guest that halts twice, on CPU 0.
class Guest {
public:
    explicit Guest(const PlatformSpec& platform) : bare{platform} {
        bare.cpu().set_handler(kVector, &bare.handler("handler"));
        ProgramBuilder b = bare.program("guest");
        for (int i = 0; i < 2; ++i) {
            b.sti().hlt();
            bare.log(b, "after");
        }
        test::rest(b);
        bare.start(0, b.finish());
    }

    void interrupt_at(Duration at) {
        bare.at(at, [this] { bare.cpu().raise(kVector); });
    }

    void post_at(Duration at) {
        bare.at(at, [this] { bare.cpu().post(kVector); });
    }

    VcpuStats stats() { return bare.machine().hypervisor()->stats(0); }

    test::BareMachine bare;
};

TEST_CASE("a halted guest is woken through the C1 of its host", "[vm]") {
    Guest guest{test::guest_platform(kHostC1)};
    guest.interrupt_at(5us);
    // STI 10, exit 100, block 1000, idle enter 30, entry up to MWAIT 40 and 20: asleep at 1200.
    guest.bare.run_until(1200ns);
    CHECK(guest.bare.cpu().state() == CpuState::resident);
    CHECK(guest.bare.cpu().is_blocked());
    guest.bare.run_until(100us);
    // 5000 + C1 100 + clear_polling 10 + host handler 500 + idle leave 20 + unblock 2000 + entry
    // 200 = 7830; vectoring and handler 20, IRET 10.
    CHECK(guest.bare.log_text() == "handler@7850 after@7860");
    CHECK(guest.stats().halt_wakeup == 1);
    CHECK(guest.stats().halt_attempted_poll == 0);
}

TEST_CASE("a halted guest is woken through the C6 of its host", "[vm]") {
    Guest guest{test::guest_platform(kHostC6)};
    guest.interrupt_at(5us);
    guest.bare.run_until(100us);
    // As above, with 30 us instead of 100 ns.
    CHECK(guest.bare.log_text() == "handler@37750 after@37760");
}

TEST_CASE("a host that polls in its idle loop is woken by the interrupt too", "[vm]") {
    Guest guest{test::guest_platform(kHostPoll)};
    guest.interrupt_at(5us);
    guest.bare.run_until(100us);
    // 5000 is the end of a turn of 10 ns; CLI and clear_polling 20, and from there on as with C1.
    CHECK(guest.bare.log_text() == "handler@7760 after@7770");
    CHECK(guest.stats().halt_wakeup == 1);
}

TEST_CASE("an interrupt within the poll window spares the host's sleep", "[vm]") {
    SECTION("one that the host takes") {
        Guest guest{test::guest_platform(kHostC1)};
        guest.interrupt_at(5us);
        guest.interrupt_at(10us);
        guest.bare.run_until(100us);
        // The first halt lasted from 110 to 7630, so the window is 10 us. STI 7870, exit 7970; the
        // turn of 50 ns ends at 10020; handler of the host 500, entry 200, 20.
        CHECK(guest.bare.log_text() == "handler@7850 after@7860 handler@10740 after@10750");
        CHECK(guest.stats().halt_attempted_poll == 1);
        CHECK(guest.stats().halt_successful_poll == 1);
        CHECK(guest.stats().halt_wakeup == 1);
        CHECK(guest.stats().exits == 2);
    }
    SECTION("one that another CPU has posted") {
        Guest guest{test::guest_platform(kHostC1)};
        guest.interrupt_at(5us);
        guest.post_at(10us);
        guest.bare.run_until(100us);
        CHECK(guest.bare.log_text() == "handler@7850 after@7860 handler@10240 after@10250");
    }
}

TEST_CASE("an interrupt behind the poll window finds the host asleep", "[vm]") {
    Guest guest{test::guest_platform(kHostC1)};
    guest.interrupt_at(5us);
    guest.interrupt_at(30us);
    guest.bare.run_until(17970ns);
    CHECK(guest.bare.cpu().in_host());
    guest.bare.run_until(100us);
    // 200 turns from 7970 to 17970, asleep at 19060; from 30000 as from 5000.
    CHECK(guest.bare.log_text() == "handler@7850 after@7860 handler@32850 after@32860");
    CHECK(guest.stats().halt_attempted_poll == 1);
    CHECK(guest.stats().halt_successful_poll == 0);
    CHECK(guest.stats().halt_wakeup == 2);
}

TEST_CASE("no vector of the guest is delivered while its host runs", "[vm]") {
    for (Duration at = 20ns; at < 1300ns; at += 10ns) {
        INFO(at.count());
        Guest guest{test::guest_platform(kHostC1)};
        guest.interrupt_at(at);
        guest.bare.at(at + 1ns, [&] { CHECK(guest.bare.log_text().empty()); });
        guest.bare.run_until(50us);
        // Not before the exit and the entry are over.
        const std::string text = guest.bare.log_text();
        REQUIRE(text.starts_with("handler@"));
        CHECK(std::stoi(text.substr(8)) >= 110 + 200 + 20);
    }
}

TEST_CASE("a pending interrupt turns HLT into an exit and an entry", "[vm]") {
    Guest guest{test::guest_platform(kHostC1)};
    guest.interrupt_at(5ns);  // STI's shadow holds it back until HLT
    guest.bare.run_until(1us);
    CHECK(guest.bare.log_text() == "handler@330 after@340");
    CHECK(guest.stats().halt_wakeup == 0);
}

TEST_CASE("HLT that does not exit sleeps in the hardware's own state", "[vm]") {
    PlatformSpec platform = test::guest_platform(kHostC1);
    platform.virtual_machine->hlt_exits = false;
    Guest guest{platform};
    guest.interrupt_at(5us);
    guest.bare.run_until(20us);
    CHECK(guest.stats().exits == 0);
    CHECK(guest.bare.log_text() == "handler@5030 after@5040");
}

TEST_CASE("the guest's timer is an interrupt of the host's timer", "[vm]") {
    Guest guest{test::guest_platform(kHostC1)};
    guest.bare.cpu().set_handler(kLocalTimerVector, &guest.bare.handler("timer"));
    guest.bare.at(5us, [&] { guest.bare.cpu().raise(kLocalTimerVector); });
    guest.bare.run_until(100us);
    // As in C1 above, with the timer's handler of 400 ns instead of 500.
    CHECK(guest.bare.log_text() == "timer@7750 after@7760");
}

/// CPU 0 sends an IPI to CPU 1 at 5 us.
class TwoGuests {
public:
    explicit TwoGuests(const PlatformSpec& platform, bool target_halts) : bare{platform} {
        ProgramBuilder handler = bare.program("handler");
        handler.interrupt_exit(false).work("vectoring").work("irq_entry");
        bare.log(handler, "handler");
        bare.cpu(1).set_handler(kVector, &bare.machine().keep(handler.iret().finish()));
        ProgramBuilder sender = bare.program("sender");
        sender.wait_for_release().icr_write(effect_of<&TwoGuests::send>(this));
        bare.log(sender, "sent");
        test::rest(sender);
        bare.start(0, sender.finish());
        ProgramBuilder target = bare.program("target");
        target.sti();
        if (target_halts) {
            target.hlt();
        }
        test::rest(target);
        bare.start(1, target.finish());
        bare.at(5us, [this] { bare.cpu(0).release(); });
        bare.run_until(100us);
    }

    test::BareMachine bare;

private:
    bool send(LogicalCpu& cpu, std::uint64_t) {
        bare.machine().fabric().send_interrupt(cpu, bare.cpu(1), kVector, nullptr);
        return false;
    }
};

TEST_CASE("an IPI to a halted guest wakes its thread by a store to the host's idle task", "[vm]") {
    const TwoGuests guests{test::guest_platform(kHostC1), true};
    // Exit 100, emulation 70, wake 300, line 10: at 5480 in the host's monitor. C1 100,
    // clear_polling 10, idle leave 20, unblock 2000, entry 200, handler 20; the sender's entry 200.
    CHECK(guests.bare.log_text() == "sent@5670 handler@7830");
}

TEST_CASE("an IPI that the hardware sends interrupts the host of a halted guest", "[vm]") {
    PlatformSpec platform = test::guest_platform(kHostC1);
    platform.virtual_machine->ipi_virtualization = true;
    const TwoGuests guests{platform, true};
    // ICR 10, delivery 10, C1 100, clear_polling 10, host handler 500, 20, 2000, 200, 20.
    CHECK(guests.bare.log_text() == "sent@5010 handler@7870");
}

TEST_CASE("an IPI to a guest that runs is posted, or makes it exit", "[vm]") {
    PlatformSpec platform = test::guest_platform(kHostC1);
    // Exit 100, emulation 70, delivery 10, handler 20.
    CHECK(TwoGuests{platform, false}.bare.log_text() == "handler@5200 sent@5370");
    platform.virtual_machine->posted_interrupts = false;
    // And exit 100, host handler 500, entry 200.
    CHECK(TwoGuests{platform, false}.bare.log_text() == "sent@5370 handler@6000");
    platform.virtual_machine->ipi_virtualization = true;
    platform.virtual_machine->posted_interrupts = true;
    CHECK(TwoGuests{platform, false}.bare.log_text() == "sent@5010 handler@5040");
}

double value_of(const RunResult& result, const std::string& metric) {
    for (const ScalarSeries& series : result.series) {
        if (series.metric == metric) {
            return series.values.front();
        }
    }
    return -1;
}

TEST_CASE("a guest that polls for itself switches the host's polling off", "[vm]") {
    Scenario scenario = test::cpuidle_scenario(
        test::guest_platform(kHostC1),
        "{ kind: ipi_wake, source_cpu: 0, target_cpu: 1, wakeups: 50, interval: 30 us }");
    scenario.kernel.cpuidle = CpuidleDriver::none;
    const RunResult host_polls = run(scenario, {});
    CHECK(value_of(host_polls, "halt_attempted_poll") > 40);
    CHECK(value_of(host_polls, "halt_successful_poll") > 30);
    scenario.kernel.cpuidle = CpuidleDriver::haltpoll;
    const RunResult guest_polls = run(scenario, {});
    CHECK(value_of(guest_polls, "halt_attempted_poll") == 0);
    CHECK(value_of(guest_polls, "halt_exits") > 0);
    CHECK(value_of(guest_polls, "halt_exits") < value_of(host_polls, "halt_exits"));
}

TEST_CASE("time in HLT is the guest's, with all that its host does in it", "[vm]") {
    Scenario scenario = test::cpuidle_scenario(
        test::guest_platform(kHostC6),
        "{ kind: ipi_wake, source_cpu: 0, target_cpu: 1, wakeups: 50, interval: 200 us }");
    scenario.kernel.cpuidle = CpuidleDriver::none;
    const RunResult result = run(scenario, {});
    const auto row = std::find_if(result.cpuidle.begin(),
                                  result.cpuidle.end(),
                                  [](const CpuidleRow& cpuidle) { return cpuidle.cpu == 1; });
    REQUIRE(row != result.cpuidle.end());
    // Some 50 wake-ups, 200 us apart, of which the guest itself works a few microseconds.
    CHECK(row->time > result.elapsed * 9 / 10);
}

TEST_CASE("the parts of every wake-up of a halted guest add up", "[vm]") {
    PlatformSpec platform = test::guest_platform(kHostC6);
    const Scenario scenario = test::cpuidle_scenario(
        platform,
        "{ kind: ipi_wake, source_cpu: 0, target_cpu: 1, wakeups: 50, interval: 100 us }",
        "version: \"6.8\"");
    Scenario guest = scenario;
    guest.kernel.cpuidle = CpuidleDriver::none;
    RunOptions options;
    options.sample_rows = 50;
    const RunResult result = run(guest, options);
    REQUIRE(result.samples.row_count() == 50);
    for (std::int64_t i = 0; i < 50; ++i) {
        const SampleRow row = result.samples.row(i);
        Duration sum{};
        for (const PackedPart& part : row.parts) {
            sum += part.duration();
        }
        CHECK(sum == row.value);
    }
    CHECK(result.fingerprint == run(guest, options).fingerprint);
    RunOptions queued = options;
    queued.run_ahead = false;
    CHECK(result.fingerprint == run(guest, queued).fingerprint);
}

TEST_CASE("a guest sees no MWAIT and no table of its host, unless they are passed through",
          "[vm]") {
    PlatformSpec platform = test::guest_platform(kHostC1);
    KernelSpec kernel;
    kernel.version = "6.8";
    CHECK(default_idle_strategy(kernel, platform) == "hlt");
    kernel.cpuidle = CpuidleDriver::intel_idle;
    CHECK_THROWS_AS(register_states(kernel, platform, std::nullopt), DriverError);
    platform.virtual_machine->mwait = GuestMwait::passthrough;
    CHECK(register_states(kernel, platform, std::nullopt).size() == 4);
    kernel.cpuidle = CpuidleDriver::none;
    CHECK(default_idle_strategy(kernel, platform) == "mwait_c1");
}

TEST_CASE("a host's driver that would not load is named as the host's", "[vm]") {
    PlatformSpec platform = test::guest_platform(kHostC1);
    platform.virtual_machine->host.disabled_states = {"C9"};
    CHECK_THROWS_WITH(Hypervisor{platform},
                      ContainsSubstring("virtual_machine.host: disabled_states"));
}

TEST_CASE("the host of a guest has its own table", "[vm]") {
    const PlatformSpec platform = test::guest_platform(kHostC1);
    const Hypervisor hypervisor{platform};
    REQUIRE(hypervisor.host_states().size() == 4);
    CHECK(hypervisor.host_states()[3].declared.name == "C6");
}

}  // namespace
}  // namespace idlesim
