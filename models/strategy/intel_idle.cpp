// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

#include <string>

namespace idlesim {
namespace {

/// intel_idle(): MWAIT with a hint, interrupts off, an interrupt being a break event all the same
/// (arch/x86/include/asm/mwait.h, 6.3; also what acpi_idle does for FFH states). The interrupt
/// stays pending through the way out of idle and is delivered when that enables interrupts.
class IntelIdle final : public IdleStrategy {
public:
    struct Params {
        config::HexInt hint{0x0};
        std::string state = "mwait";
    };

    explicit IntelIdle(Params params) : params_{std::move(params)} {}

    void emit(ProgramBuilder& b) const override {
        const Label out = b.label();
        b.set_polling().test_need_resched(out);
        b.monitor().test_need_resched(out);
        b.mwait(static_cast<std::uint32_t>(params_.hint.value), true, params_.state);
        b.bind(out).clear_polling();
    }

    [[nodiscard]] std::string_view state_name() const override { return "C1"; }

private:
    Params params_;
};

const Register<IdleStrategy, IntelIdle> kIntelIdle{
    "intel_idle",
    "MWAIT with interrupts off: the handler waits for the way out of idle",
    {
        config::field("hint", &IntelIdle::Params::hint, "EAX of MWAIT")
            .that("at most 0xff", [](const config::HexInt& hint) { return hint.value <= 0xff; }),
        config::field("state",
                      &IntelIdle::Params::state,
                      "the platform's costs are <state>_entry and <state>_exit"),
    }};

}  // namespace
}  // namespace idlesim
