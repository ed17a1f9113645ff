// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/logical_cpu.hpp"

#include "tests/catch.hpp"
#include "tests/support/bare_cpu.hpp"

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using test::BareMachine;
using test::rest;

constexpr Vector kLow = 0x40;
constexpr Vector kHigh = 0x80;

}  // namespace

TEST_CASE("operations take their costs one after the other", "[cpu]") {
    BareMachine m;
    auto b = m.program("p");
    b.work("eoi");
    m.log(b, "a");
    b.work("eoi").work("eoi");
    m.log(b, "b");
    rest(b);
    m.start(0, b.finish());
    m.run_until(1us);
    CHECK(m.log_text() == "a@10 b@30");
}

TEST_CASE("an interrupt waits for the end of the operation and for IF", "[cpu]") {
    BareMachine m;
    m.cpu().set_handler(kLow, &m.handler("irq"));
    auto b = m.program("p");
    b.sti().work("eoi").work("eoi");
    m.log(b, "done");
    rest(b);
    m.start(0, b.finish());
    SECTION("in the middle of an operation: taken at its end") {
        m.at(25ns, [&] { m.cpu().raise(kLow); });
        m.run_until(1us);
        CHECK(m.log_text() == "irq@50 done@60");
    }
    SECTION("at the very end of an operation: taken there") {
        m.at(30ns, [&] { m.cpu().raise(kLow); });
        m.run_until(1us);
        CHECK(m.log_text() == "irq@50 done@60");
    }
    SECTION("one picosecond after it: behind what follows without delay") {
        m.at(30ns + Duration{1}, [&] { m.cpu().raise(kLow); });
        m.run_until(1us);
        CHECK(m.log_text() == "done@30 irq@50");
    }
    SECTION("one picosecond before the end of an operation: taken at its end") {
        m.at(30ns - Duration{1}, [&] { m.cpu().raise(kLow); });
        m.run_until(1us);
        CHECK(m.log_text() == "irq@50 done@60");
    }
    SECTION("before STI, in whose shadow the next operation runs: behind that") {
        m.at(5ns, [&] { m.cpu().raise(kLow); });
        m.run_until(1us);
        CHECK(m.log_text() == "irq@40 done@60");
    }
}

TEST_CASE("STI with IF already set has no shadow", "[cpu]") {
    BareMachine m;
    m.cpu().set_handler(kLow, &m.handler("irq"));
    auto b = m.program("p");
    b.sti().work("eoi").sti().work("eoi");
    m.log(b, "done");
    rest(b);
    m.start(0, b.finish());
    m.at(25ns, [&] { m.cpu().raise(kLow); });
    m.run_until(1us);
    CHECK(m.log_text() == "irq@50 done@70");
}

TEST_CASE("interrupts are taken by priority and repeated ones merge", "[cpu]") {
    BareMachine m;
    m.cpu().set_handler(kLow, &m.handler("low"));
    m.cpu().set_handler(kHigh, &m.handler("high"));
    auto b = m.program("p");
    b.work("eoi").sti().work("eoi");
    m.log(b, "done");
    rest(b);
    m.start(0, b.finish());
    m.at(5ns, [&] {
        m.cpu().raise(kLow);
        m.cpu().raise(kHigh);
        m.cpu().raise(kLow);
    });
    m.run_until(1us);
    CHECK(m.log_text() == "high@50 low@80 done@90");
}

TEST_CASE("HLT ends on an interrupt, whose handler runs before the next instruction", "[cpu]") {
    BareMachine m;
    m.cpu().set_handler(kLow, &m.handler("irq"));
    auto b = m.program("p");
    b.sti().hlt();
    m.log(b, "resumed");
    rest(b);
    m.start(0, b.finish());
    SECTION("asleep: exit, handler, next instruction") {
        m.at(100ns, [&] { m.cpu().raise(kLow); });
        m.run_until(1us);
        CHECK(m.log_text() == "irq@130 resumed@140");
    }
    SECTION("while entering: the entry is finished and the exit paid") {
        m.at(15ns, [&] { m.cpu().raise(kLow); });
        m.run_until(1us);
        CHECK(m.log_text() == "irq@50 resumed@60");
    }
    SECTION("pending before: HLT completes at once") {
        m.at(5ns, [&] { m.cpu().raise(kLow); });
        m.run_until(1us);
        CHECK(m.log_text() == "irq@30 resumed@40");
    }
}

TEST_CASE("MWAIT with IF=0 breaks on an interrupt only when ECX bit 0 says so", "[cpu]") {
    for (const bool break_on_irq : {true, false}) {
        BareMachine m;
        m.cpu().set_handler(kLow, &m.handler("irq"));
        auto b = m.program("p");
        b.monitor().mwait(0, break_on_irq);
        m.log(b, "resumed");
        b.sti().work("eoi");
        m.log(b, "done");
        rest(b);
        m.start(0, b.finish());
        m.at(100ns, [&] { m.cpu().raise(kLow); });
        m.run_until(500ns);
        // The interrupt stays pending through the masked code and comes behind the STI shadow.
        CHECK(m.log_text() == (break_on_irq ? "resumed@110 irq@150 done@160" : ""));
        CHECK((m.cpu().state() == CpuState::resident) == !break_on_irq);
    }
}

TEST_CASE("MWAIT ends on a store to the monitored line", "[cpu]") {
    BareMachine m;
    auto b = m.program("p");
    b.monitor().work("eoi").mwait(0, true);
    m.log(b, "resumed");
    rest(b);
    m.start(0, b.finish());
    SECTION("asleep") {
        m.at(100ns, [&] { m.cpu().monitored_line_written(); });
        m.run_until(1us);
        CHECK(m.log_text() == "resumed@110");
    }
    SECTION("while entering: the entry is finished and the exit paid") {
        m.at(25ns, [&] { m.cpu().monitored_line_written(); });
        m.run_until(1us);
        CHECK(m.log_text() == "resumed@40");
    }
    SECTION("between MONITOR and MWAIT: MWAIT falls through") {
        m.at(15ns, [&] { m.cpu().monitored_line_written(); });
        m.run_until(1us);
        CHECK(m.log_text() == "resumed@20");
    }
    SECTION("before MONITOR: not seen") {
        m.at(5ns, [&] { m.cpu().monitored_line_written(); });
        m.run_until(1us);
        CHECK(m.log_text().empty());
    }
}

TEST_CASE("an interrupt between MONITOR and MWAIT resets the monitor where the part does",
          "[cpu]") {
    for (const bool resets : {true, false}) {
        PlatformSpec platform = test::plain_platform();
        platform.cpuid.monitor_reset_by_interrupt = resets;
        BareMachine m{platform};
        m.cpu().set_handler(kLow, &m.handler("irq"));
        auto b = m.program("p");
        b.sti().monitor().work("eoi").mwait(0, true);
        m.log(b, "resumed");
        rest(b);
        m.start(0, b.finish());
        m.at(25ns, [&] { m.cpu().raise(kLow); });
        m.run_until(1us);
        CHECK(m.log_text() == (resets ? "irq@50 resumed@60" : "irq@50"));
    }
}

TEST_CASE("an NMI is taken in the STI shadow and ends it", "[cpu]") {
    BareMachine m;
    m.cpu().set_handler(kLow, &m.handler("irq"));
    m.cpu().set_nmi_handler(&m.handler("nmi"));
    auto b = m.program("p");
    b.work("eoi").sti().hlt();
    m.log(b, "resumed");
    rest(b);
    m.start(0, b.finish());
    m.at(5ns, [&] { m.cpu().raise(kLow); });
    m.at(15ns, [&] { m.cpu().raise_nmi(); });
    m.run_until(1us);
    // The interrupt that HLT should have met has run before it: HLT sleeps on.
    CHECK(m.log_text() == "nmi@40 irq@70");
    CHECK(m.cpu().state() == CpuState::resident);
}

TEST_CASE("after an SMI HLT sleeps on and MWAIT does not", "[cpu]") {
    for (const bool by_hlt : {true, false}) {
        BareMachine m;
        auto b = m.program("p");
        if (by_hlt) {
            b.sti().hlt();
        } else {
            b.monitor().mwait(0, true);
        }
        m.log(b, "resumed");
        rest(b);
        m.start(0, b.finish());
        m.at(100ns, [&] { m.cpu().raise_smi(50ns); });
        m.run_until(1us);
        CHECK(m.log_text() == (by_hlt ? "" : "resumed@160"));
    }
}

TEST_CASE("a pause loop notices a store at the end of the turn", "[cpu]") {
    BareMachine m;
    auto b = m.program("p");
    b.sti().set_polling().pause_loop(Duration::zero());
    m.log(b, "resumed");
    rest(b);
    m.start(0, b.finish());
    m.at(103ns, [&] {
        m.cpu().set_need_resched(true);
        m.cpu().monitored_line_written();
    });
    m.run_until(1us);
    CHECK(m.log_text() == "resumed@110");
}

TEST_CASE("a pause loop reads the clock every 201 turns", "[cpu]") {
    BareMachine m;
    auto b = m.program("p");
    b.sti().set_polling().pause_loop(3us);
    m.log(b, "resumed");
    rest(b);
    m.start(0, b.finish());
    m.run_until(10us);
    // Two batches of 2010 ns pass before the clock shows more than 3 us.
    CHECK(m.log_text() == "resumed@4040");
}

TEST_CASE("a pause loop goes on after an interrupt that wakes nothing", "[cpu]") {
    BareMachine m;
    m.cpu().set_handler(kLow, &m.handler("irq"));
    auto b = m.program("p");
    b.sti().set_polling().pause_loop(Duration::zero());
    m.log(b, "resumed");
    rest(b);
    m.start(0, b.finish());
    m.at(55ns, [&] { m.cpu().raise(kLow); });
    m.run_until(1us);
    CHECK(m.log_text() == "irq@80");
    CHECK(m.cpu().state() == CpuState::polling);
}

TEST_CASE("an attributed event is split into steps that add up to the picosecond", "[cpu]") {
    BareMachine m;
    m.cpu().set_handler(kLow, &m.handler("irq"));
    auto b = m.program("p");
    b.sti().hlt();
    m.log(b, "resumed");
    rest(b);
    m.start(0, b.finish());
    Attribution path;
    m.at(100ns + Duration{7}, [&] {
        path.start(m.cpu().now());
        m.cpu().attach(path);
        m.cpu().raise(kLow);
    });
    m.run_until(1us);
    StepNames& names = m.machine().steps();
    CHECK(path.of(names.id("hlt_exit")) == 10ns);
    CHECK(path.of(names.id("vectoring")) == 10ns);
    CHECK(path.of(names.id("irq_entry")) == 10ns);
    CHECK(path.of(names.id("iret")) == 10ns);
    Duration sum{};
    for (const StepPart& part : path.parts()) {
        sum += part.duration;
    }
    CHECK(sum == path.last() - path.begin());
}

}  // namespace idlesim
