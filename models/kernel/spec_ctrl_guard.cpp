// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/spec_ctrl_guard.hpp"

#include <utility>

#include <fmt/format.h>

namespace idlesim {

SpecCtrlGuard::SpecCtrlGuard(const KernelRules& rules,
                             const PlatformSpec& platform,
                             Findings& findings)
    : is_toggled_{platform.cpuid.legacy_ibrs && rules.kernel_ibrs},
      kernel_value_{(is_toggled_ ? kSpecCtrlIbrs : 0) | (rules.stibp ? kSpecCtrlStibp : 0)},
      findings_{findings} {}

void SpecCtrlGuard::report(LogicalCpu& cpu,
                           const char* kind,
                           const char* step,
                           std::string detail) {
    findings_.add({cpu.now(),
                   cpu.number(),
                   kind,
                   cpu.context().in_handler() ? cpu.context().interrupted_program()
                                              : cpu.context().top().program->name,
                   step,
                   std::move(detail)});
}

void SpecCtrlGuard::on_spec_ctrl_written(LogicalCpu& cpu) {
    const Context& context = cpu.context();
    const bool is_user = context.in_handler() ? context.interrupted_user() : context.is_user;
    if (!is_user && cpu.spec_ctrl() != cpu.spec_ctrl_copy()) {
        report(cpu,
               "stale_spec_ctrl_copy",
               "wrmsr_spec_ctrl",
               fmt::format("the MSR is {:#x} in kernel mode, its per-CPU copy {:#x}",
                           cpu.spec_ctrl(),
                           cpu.spec_ctrl_copy()));
    }
}

void SpecCtrlGuard::check_handler(LogicalCpu& cpu) {
    if ((cpu.spec_ctrl() & kSpecCtrlIbrs) == 0) {
        report(cpu,
               "handler_without_ibrs",
               "vectoring",
               fmt::format("an interrupt handler runs with SPEC_CTRL = {:#x}", cpu.spec_ctrl()));
    }
}

void SpecCtrlGuard::check_nmi(LogicalCpu& cpu) {
    if (cpu.context().interrupted_user()) {
        return;
    }
    if ((cpu.spec_ctrl_copy() & kSpecCtrlIbrs) != 0) {
        report(cpu,
               "nmi_loads_stale_spec_ctrl_copy",
               "nmi_handler",
               "idle has cleared IBRS in the MSR alone: the NMI sets it again from the copy");
    } else {
        report(cpu,
               "nmi_without_ibrs",
               "nmi_handler",
               "idle has cleared IBRS in the MSR and in the copy: the NMI runs without");
    }
}

}  // namespace idlesim
