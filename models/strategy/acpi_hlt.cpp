// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// acpi_safe_halt(): one more test of NEED_RESCHED, then STI; HLT (drivers/acpi/processor_idle.c,
/// 6.3).
class AcpiHlt final : public IdleStrategy {
public:
    struct Params {};

    explicit AcpiHlt(Params /*params*/) {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        const Label out = b.label();
        b.test_need_resched(out);
        b.sti().hlt(request.hardware_or("hlt")).cli();
        b.bind(out);
    }

    // As for default_idle(): an NMI ends the STI shadow.
    [[nodiscard]] bool loses_wakeup_after_nmi() const override { return true; }
};

const Register<IdleStrategy, AcpiHlt> kAcpiHlt{
    "acpi_hlt", "acpi_idle without MWAIT: STI; HLT after one more test"};

}  // namespace
}  // namespace idlesim
