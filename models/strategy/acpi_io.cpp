// SPDX-License-Identifier: Apache-2.0
#include "models/strategy/idle_strategy.hpp"
#include "sim/registry/registry.hpp"

namespace idlesim {
namespace {

/// acpi_idle_do_entry() for a state in I/O space: reads the port, interrupts off; the read
/// completes when an interrupt is pending (drivers/acpi/processor_idle.c, 6.3). TIF_POLLING_NRFLAG
/// is clear, so a remote wake-up needs an interrupt. Old Intel machines then read the PM timer once
/// more, which the kernel counts as residency (e400ad8b7e6a stopped it elsewhere).
class AcpiIo final : public IdleStrategy {
public:
    struct Params {
        bool dummy_read = false;
    };

    explicit AcpiIo(Params params) : params_{params} {}

    void emit(ProgramBuilder& b, const EntryRequest& request) const override {
        b.io_read(request.hardware_or("io"));
        if (params_.dummy_read) {
            b.work("io_dummy_read");
        }
    }

    [[nodiscard]] std::string_view state_name() const override { return "C2"; }

private:
    Params params_;
};

const Register<IdleStrategy, AcpiIo> kAcpiIo{
    "acpi_io",
    "acpi_idle in I/O space: a port read with interrupts off, woken by interrupts only",
    {config::field("dummy_read", &AcpiIo::Params::dummy_read, "read the PM timer after the wait")}};

}  // namespace
}  // namespace idlesim
