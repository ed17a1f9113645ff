// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/latency_limit.hpp"
#include "models/platform/platform.hpp"
#include "sim/config/field.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// The idle= parameter on the kernel's command line.
enum class IdleParameter { none, halt, nomwait, poll };

/// Which cpuidle driver is loaded.
enum class CpuidleDriver { none, intel_idle, acpi_idle, haltpoll };

/// How states with CPUIDLE_FLAG_IRQ_ENABLE wait.
enum class IrqEnable { by_version, off, early_sti, sti_mwait };

/// A mitigation or a rule that the version and the machine decide, unless it is set by name.
enum class ByVersion { by_version, off, on };

/// Module parameters of intel_idle (drivers/idle/intel_idle.c, 6.15).
struct IntelIdleOptions {
    int max_cstate = 9;
    config::HexInt states_off;  ///< bit i: state i, POLL being 0, is off at the start
    bool ibrs_off = false;
    bool force_irq_on = false;
    bool use_acpi = false;   ///< what ACPI's _CST does not list is off at the start
    bool no_acpi = false;    ///< never look at _CST; wins over use_acpi
    bool no_native = false;  ///< take the states of _CST, not of the driver's table
    std::string table;       ///< "name:latency:residency,..." in microseconds
    config::Location location;
};

const config::Fields<IntelIdleOptions>& parameters(const IntelIdleOptions*);

/// Which generation of prefer_mwait_c1_over_halt() decides.
enum class PreferMwait { by_version, vendor_rule, cpuid_rule };

/// When try_to_wake_up() hands the enqueueing to the woken task's CPU.
enum class WakeList { by_version, other_llc, idle_target, never };

/// The kernel of a run. What differs between versions follows from `version`, unless the switch
/// of that difference is set by name.
struct KernelSpec {
    std::string version = "6.1";
    int hz = 250;
    CpuidleDriver cpuidle = CpuidleDriver::none;
    /// Stop the tick of an idle CPU (CONFIG_NO_HZ_IDLE).
    bool nohz = true;
    IdleParameter idle = IdleParameter::none;
    PreferMwait prefer_mwait = PreferMwait::by_version;
    WakeList wake_list = WakeList::by_version;
    IrqEnable irq_enable = IrqEnable::by_version;
    IntelIdleOptions intel_idle;
    /// Names or indices of states that the user has switched off (sysfs stateN/disable).
    std::vector<std::string> disabled_states;
    CpuDmaLatency cpu_dma_latency;
    /// Per CPU; the key `all` stands for those that are not named.
    config::OrderedMap<ResumeLatency> resume_latency;
    /// VERW before HLT and MWAIT (MDS, TSA).
    bool idle_clears_buffers = false;
    /// Set IBRS on entry and clear it on return to user mode (retbleed=ibrs).
    ByVersion kernel_ibrs = ByVersion::by_version;
    /// Idle states that clear IBRS write the per-CPU copy too (__update_spec_ctrl()).
    ByVersion update_spec_ctrl = ByVersion::by_version;
    /// STIBP is set for all of user mode (spectre_v2_user=on).
    bool stibp = false;
    config::Location location;
};

const config::Fields<KernelSpec>& parameters(const KernelSpec*);

/// The switches of a kernel, resolved from its version.
struct KernelRules {
    /// 6.0 (aebef63cf7ff): CPUID decides between HLT and MWAIT, no longer the vendor.
    bool mwait_by_cpuid = false;
    /// 6.0: a wake-up of an idle CPU is queued on that CPU even inside the LLC.
    WakeList wake_list = WakeList::other_llc;
    /// 7.0: without a cpuidle driver the tick is stopped only after one has hit in this idle
    /// period; before, at every entry.
    bool stops_tick_after_hit = false;
    /// 5.16 (c227233ad64c): C1 of some Xeons waits with interrupts on; before, and where the switch
    /// says so, the flag means nothing.
    bool has_irq_enable = false;
    /// Up to 6.7: interrupts are enabled before MONITOR (edc8fc01f608 closed the gap in 6.8).
    bool early_sti = false;
    /// 5.19 (retbleed series): parts with legacy IBRS have it set in the kernel, and deep idle
    /// states clear it (bf5835bcdb96).
    bool kernel_ibrs = false;
    /// 6.7 (1fe96fb4d0f2): the per-CPU copy follows what idle writes.
    bool update_spec_ctrl = false;
    bool stibp = false;
    /// 7.0: a driver with a single state is not asked for.
    bool skips_governor_of_one_state = false;
};

/// Rules of the kernel; the version must have been checked.
KernelRules rules_of(const KernelSpec&);

/// prefer_mwait_c1_over_halt() and select_idle_routine() (arch/x86/kernel/process.c): the name
/// of the strategy that a kernel without a cpuidle driver idles with.
std::string_view default_idle_strategy(const KernelSpec&, const PlatformSpec&);

/// The governor that a kernel of this version chooses on its own, by name: its driver's, ladder
/// where the tick is never stopped, else menu as near to its version as we have it.
std::string_view default_governor(const KernelSpec&);

/// Reports a version that is not MAJOR.MINOR.
void check(const KernelSpec&, config::Diagnostics&);

}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<IdleParameter> {
    static constexpr std::pair<std::string_view, IdleParameter> values[] = {
        {"none", IdleParameter::none},
        {"halt", IdleParameter::halt},
        {"nomwait", IdleParameter::nomwait},
        {"poll", IdleParameter::poll}};
};

template <>
struct EnumNames<CpuidleDriver> {
    static constexpr std::pair<std::string_view, CpuidleDriver> values[] = {
        {"none", CpuidleDriver::none},
        {"intel_idle", CpuidleDriver::intel_idle},
        {"acpi_idle", CpuidleDriver::acpi_idle},
        {"haltpoll", CpuidleDriver::haltpoll}};
};

template <>
struct EnumNames<IrqEnable> {
    static constexpr std::pair<std::string_view, IrqEnable> values[] = {
        {"by_version", IrqEnable::by_version},
        {"off", IrqEnable::off},
        {"early_sti", IrqEnable::early_sti},
        {"sti_mwait", IrqEnable::sti_mwait}};
};

template <>
struct EnumNames<ByVersion> {
    static constexpr std::pair<std::string_view, ByVersion> values[] = {
        {"by_version", ByVersion::by_version}, {"off", ByVersion::off}, {"on", ByVersion::on}};
};

template <>
struct EnumNames<PreferMwait> {
    static constexpr std::pair<std::string_view, PreferMwait> values[] = {
        {"by_version", PreferMwait::by_version},
        {"vendor_rule", PreferMwait::vendor_rule},
        {"cpuid_rule", PreferMwait::cpuid_rule}};
};

template <>
struct EnumNames<WakeList> {
    static constexpr std::pair<std::string_view, WakeList> values[] = {
        {"by_version", WakeList::by_version},
        {"other_llc", WakeList::other_llc},
        {"idle_target", WakeList::idle_target},
        {"never", WakeList::never}};
};

}  // namespace idlesim::config
