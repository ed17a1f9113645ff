// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// acpi_processor_ffh_cstate_enter(): MWAIT with the hint that ACPI's _CST gives, interrupts off
/// (arch/x86/kernel/acpi/cstate.c, 6.3). The same routine as intel_idle's, found another way.
class AcpiFfh final : public IdleStrategy {
public:
    struct Params {};

    explicit AcpiFfh(Params /*params*/) {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        arm_monitor(b, request, out);
        b.mwait(request.hint, true, request.hardware_or("mwait"));
        b.bind(out).clear_polling();
    }
};

const Register<IdleStrategy, AcpiFfh> kAcpiFfh{
    "acpi_ffh", "acpi_idle, fixed-function hardware: MWAIT with interrupts off"};

}  // namespace
}  // namespace idlesim
