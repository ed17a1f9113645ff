// SPDX-License-Identifier: Apache-2.0
// Who comes first after an interrupt: its handler, or the way out of idle.
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/support/bare_cpu.hpp"

#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using test::BareMachine;

constexpr Vector kDevice = 0x40;

/// "irq ... out" or "out ... irq", with times, of an interrupt at 500 ns.
std::string order_after_interrupt(const std::string& strategy) {
    BareMachine m;
    m.cpu().set_handler(kDevice, &m.handler("irq"));
    auto b = m.program("idle");
    Registry<IdleStrategy>::choice(strategy).make()->emit(b, {});
    m.log(b, "out");
    b.sti().work("eoi");
    test::rest(b);
    m.start(0, b.finish());
    m.at(500ns, [&] { m.cpu().raise(kDevice); });
    m.run_until(2us);
    return m.log_text();
}

}  // namespace

TEST_CASE("with interrupts off the handler waits for the way out of idle", "[strategy]") {
    // Exit 10, clear_polling 10, then STI and its shadow 20, vectoring and entry 20.
    CHECK(order_after_interrupt("intel_idle") == "out@520 irq@560");
}

TEST_CASE("with interrupts on the handler runs before the way out of idle", "[strategy]") {
    // Exit 10, vectoring and entry 20; then IRET, CLI and clear_polling 30.
    CHECK(order_after_interrupt("intel_idle_irq") == "irq@530 out@560");
    CHECK(order_after_interrupt("mwait_c1") == "irq@530 out@560");
    // HLT has no polling flag to clear.
    CHECK(order_after_interrupt("hlt") == "irq@530 out@550");
}

}  // namespace idlesim
