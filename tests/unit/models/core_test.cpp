// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/core.hpp"

#include "tests/catch.hpp"
#include "tests/support/bare_cpu.hpp"

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using test::BareMachine;
using test::rest;

constexpr int kSibling = 4;  // of CPU 0 on the plain platform

/// Two busy threads take 1.6 times as long, one beside a polling one 1.25 times; no stalls.
PlatformSpec shared_platform(Duration stall = 0ns) {
    PlatformSpec platform = test::plain_platform();
    SmtSpec smt;
    smt.throughput.value = {1.25};
    smt.beside_polling.value = {0.8};
    smt.join_stall.value = stall;
    smt.divide_stall.value = stall;
    smt.ibrs_branch.value = 10ns;
    smt.stibp_branch.value = 4ns;
    platform.smt = smt;
    return platform;
}

bool begin_microsecond(void*, LogicalCpu& cpu, std::uint64_t branches) {
    cpu.context().compute_left = 1us;
    cpu.context().indirect_branches = static_cast<double>(branches);
    return false;
}

/// A program that computes for 1 us, says so, and sleeps for good.
Program worker(BareMachine& m, const std::string& name, std::uint64_t branches = 0) {
    auto b = m.program(name);
    b.effect({&begin_microsecond, nullptr}, branches).compute();
    m.log(b, name);
    b.hlt();
    return b.finish();
}

Program sleeper(BareMachine& m) {
    auto b = m.program("sleeper");
    b.hlt();
    return b.finish();
}

}  // namespace

TEST_CASE("a thread beside a sleeping one works as if it were alone", "[core]") {
    BareMachine m{shared_platform(), {0, kSibling}};
    m.start(kSibling, sleeper(m));
    m.run_until(100ns);
    m.start(0, worker(m, "a"));
    m.run_until(1ms);
    CHECK(m.log_text() == "a@1100");
}

TEST_CASE("two busy threads share the core, and the longer one is alone in the end", "[core]") {
    BareMachine m{shared_platform(), {0, kSibling}};
    m.start(0, worker(m, "a"));
    m.at(800ns, [&] { m.start(kSibling, worker(m, "b")); });
    m.run_until(1ms);
    // a has 200 ns left at 800 and takes 320 for them, then 10 of HLT; b has done 330 / 1.6 by
    // then.
    CHECK(m.log_text() == "a@1120 b@1923");
}

TEST_CASE("threads of different cores leave each other alone", "[core]") {
    BareMachine m{shared_platform(), {0, 1}};
    m.start(0, worker(m, "a"));
    m.start(1, worker(m, "b"));
    m.run_until(1ms);
    CHECK(m.log_text() == "a@1000 b@1000");
}

TEST_CASE("a polling sibling takes its share of the slots", "[core]") {
    BareMachine m{shared_platform(), {0, kSibling}};
    auto b = m.program("poller");
    rest(b);
    m.start(kSibling, b.finish());
    m.start(0, worker(m, "a"));
    m.run_until(1ms);
    CHECK(m.log_text() == "a@1250");
}

TEST_CASE("going to sleep stalls the other thread once", "[core]") {
    BareMachine m{shared_platform(20ns), {0, kSibling}};
    m.start(0, worker(m, "a"));
    m.start(kSibling, sleeper(m));
    m.run_until(1ms);
    // Shared for the 10 ns of HLT's entry: 6.25 ns done; then 20 ns of stall and the rest alone.
    // The sibling began before there was anything to stall.
    CHECK(m.log_text() == "a@1023");
}

TEST_CASE("a sleeping sibling's IBRS slows every indirect branch, whatever it sleeps in",
          "[core]") {
    BareMachine m{shared_platform(), {0, kSibling}};
    m.cpu(kSibling).set_spec_ctrl(kSpecCtrlIbrs);
    m.start(kSibling, sleeper(m));
    m.run_until(100ns);
    SECTION("by the number of its branches") {
        m.start(0, worker(m, "a", 30));
        m.run_until(1ms);
        CHECK(m.log_text() == "a@1400");
    }
    SECTION("a task without any pays nothing") {
        m.start(0, worker(m, "a", 0));
        m.run_until(1ms);
        CHECK(m.log_text() == "a@1100");
    }
    SECTION("from the moment on that it is cleared, no longer") {
        m.start(0, worker(m, "a", 30));
        m.at(750ns, [&] { m.cpu(kSibling).set_spec_ctrl_msr(0); });
        m.run_until(1ms);
        // 650 ns at 1.3 are 500 of work.
        CHECK(m.log_text() == "a@1250");
    }
    SECTION("STIBP has its own price") {
        m.cpu(kSibling).set_spec_ctrl(kSpecCtrlStibp);
        m.start(0, worker(m, "a", 30));
        m.run_until(1ms);
        CHECK(m.log_text() == "a@1220");
    }
}

TEST_CASE("a slower clock stretches the work in flight from that moment on", "[core]") {
    BareMachine m{shared_platform(), {0, kSibling}};
    m.start(kSibling, sleeper(m));
    m.run_until(100ns);
    m.start(0, worker(m, "a"));
    m.at(600ns, [&] { m.cpu(0).set_clock_slowdown(2.0, 0ns); });
    m.run_until(1ms);
    CHECK(m.log_text() == "a@1600");
}

}  // namespace idlesim
