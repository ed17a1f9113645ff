// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

#include <string>

namespace idlesim {
namespace {

/// The two ways in which the kernel has waited in MWAIT with interrupts on.
enum class IrqGeneration { early_sti, sti_mwait };

}  // namespace
}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<idlesim::IrqGeneration> {
    static constexpr std::pair<std::string_view, idlesim::IrqGeneration> values[] = {
        {"early_sti", IrqGeneration::early_sti}, {"sti_mwait", IrqGeneration::sti_mwait}};
};

}  // namespace idlesim::config

namespace idlesim {
namespace {

/// intel_idle_irq(): MWAIT with a hint and interrupts on, CPUIDLE_FLAG_IRQ_ENABLE. The handler
/// runs at once; the way out of idle comes behind it. `early_sti` (5.16 to 6.7) enables interrupts
/// before MONITOR and leaves a gap in which a handler can run and sleep go on; `sti_mwait` (6.8,
/// edc8fc01f608) lets the STI shadow close it.
class IntelIdleIrq final : public IdleStrategy {
public:
    struct Params {
        IrqGeneration generation = IrqGeneration::sti_mwait;
        config::HexInt hint{0x0};
        std::string state = "mwait";
    };

    explicit IntelIdleIrq(Params params) : params_{std::move(params)} {}

    void emit(ProgramBuilder& b) const override {
        const bool is_early = params_.generation == IrqGeneration::early_sti;
        const Label out = b.label();
        if (is_early) {
            b.sti();
        }
        b.set_polling().test_need_resched(out);
        b.monitor().test_need_resched(out);
        if (!is_early) {
            b.sti();
        }
        b.mwait(static_cast<std::uint32_t>(params_.hint.value), is_early, params_.state);
        b.bind(out).cli().clear_polling();
    }

    [[nodiscard]] std::string_view state_name() const override { return "C1"; }

private:
    Params params_;
};

const Register<IdleStrategy, IntelIdleIrq> kIntelIdleIrq{
    "intel_idle_irq",
    "MWAIT with interrupts on: the handler runs first",
    {
        config::field("generation",
                      &IntelIdleIrq::Params::generation,
                      "early_sti (5.16 to 6.7) or sti_mwait (6.8 and later)"),
        config::field("hint", &IntelIdleIrq::Params::hint, "EAX of MWAIT")
            .that("at most 0xff", [](const config::HexInt& hint) { return hint.value <= 0xff; }),
        config::field("state",
                      &IntelIdleIrq::Params::state,
                      "the platform's costs are <state>_entry and <state>_exit"),
    }};

}  // namespace
}  // namespace idlesim
