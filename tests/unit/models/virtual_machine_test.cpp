// SPDX-License-Identifier: Apache-2.0
// A virtual CPU that halts, step by step, by hand arithmetic.
#include "models/hypervisor/hypervisor.hpp"
#include "models/kernel/kernel_spec.hpp"
#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/bare_cpu.hpp"
#include "tests/support/cpuidle_scene.hpp"
#include "tests/support/guest_platform.hpp"

#include <numeric>
#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

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
    REQUIRE(result.samples.count() == 50);
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

TEST_CASE("the host of a guest has its own table", "[vm]") {
    const PlatformSpec platform = test::guest_platform(kHostC1);
    const Hypervisor hypervisor{platform};
    REQUIRE(hypervisor.host_states().size() == 4);
    CHECK(hypervisor.host_states()[3].declared.name == "C6");
}

}  // namespace
}  // namespace idlesim
