// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/logical_cpu.hpp"
#include "models/kernel/kernel_spec.hpp"
#include "models/run_result.hpp"

namespace idlesim {

/// What the kernel keeps in SPEC_CTRL, and what goes wrong with it. In kernel mode the MSR and the
/// kernel's per-CPU copy agree; in user mode the MSR is the copy without IBRS
/// (arch/x86/kernel/cpu/bugs.c and arch/x86/entry/calling.h, 6.3).
class SpecCtrlGuard final : public SpecCtrlListener {
public:
    SpecCtrlGuard(const KernelRules& rules, const PlatformSpec& platform, Findings& findings);

    /// Does the kernel set IBRS at each entry and clear it at each return to user mode?
    [[nodiscard]] bool is_toggled() const { return is_toggled_; }

    [[nodiscard]] std::uint64_t kernel_value() const { return kernel_value_; }

    [[nodiscard]] std::uint64_t user_value() const { return kernel_value_ & ~kSpecCtrlIbrs; }

    /// A raw write outside of entry and exit leaves the copy behind: a finding.
    void on_spec_ctrl_written(LogicalCpu& cpu) override;

    /// A handler has begun, past its own writes: a finding where it runs without IBRS.
    void check_handler(LogicalCpu& cpu);

    /// An NMI finds IBRS clear in kernel mode and loads the per-CPU copy. A finding either way: the
    /// copy was stale, which saves the handler, or it had followed, and the handler runs without.
    void check_nmi(LogicalCpu& cpu);

private:
    void report(LogicalCpu& cpu, const char* kind, const char* step, std::string detail);

    bool is_toggled_;
    std::uint64_t kernel_value_;
    Findings& findings_;
};

}  // namespace idlesim
