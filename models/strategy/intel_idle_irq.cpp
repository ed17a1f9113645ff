// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// The two ways in which the kernel has waited in MWAIT with interrupts on.
enum class IrqGeneration { by_kernel, early_sti, sti_mwait };

}  // namespace
}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<idlesim::IrqGeneration> {
    static constexpr std::pair<std::string_view, idlesim::IrqGeneration> values[] = {
        {"by_kernel", IrqGeneration::by_kernel},
        {"early_sti", IrqGeneration::early_sti},
        {"sti_mwait", IrqGeneration::sti_mwait}};
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
        IrqGeneration generation = IrqGeneration::by_kernel;
    };

    explicit IntelIdleIrq(Params params) : params_{params} {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const bool is_early = params_.generation == IrqGeneration::by_kernel
                                  ? request.early_sti
                                  : params_.generation == IrqGeneration::early_sti;
        const Label out = b.label();
        if (is_early) {
            b.sti();
        }
        arm_monitor(b, request, out);
        if (!is_early) {
            b.sti();
        }
        b.mwait(request.hint, is_early, request.hardware_or("mwait"));
        b.bind(out).cli().clear_polling();
    }

private:
    Params params_;
};

const Register<IdleStrategy, IntelIdleIrq> kIntelIdleIrq{
    "intel_idle_irq",
    "MWAIT with interrupts on: the handler runs first",
    {
        config::field("generation",
                      &IntelIdleIrq::Params::generation,
                      "early_sti (5.16 to 6.7), sti_mwait (6.8 and later), or what the kernel has"),
    }};

}  // namespace
}  // namespace idlesim
