// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/platform.hpp"
#include "sim/config/field.hpp"

#include <string>
#include <string_view>

namespace idlesim {

/// The idle= parameter on the kernel's command line.
enum class IdleParameter { none, halt, nomwait, poll };

/// Which cpuidle driver is loaded.
enum class CpuidleDriver { none };

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
};

/// Rules of the kernel; the version must have been checked.
KernelRules rules_of(const KernelSpec&);

/// prefer_mwait_c1_over_halt() and select_idle_routine() (arch/x86/kernel/process.c): the name
/// of the strategy that a kernel without a cpuidle driver idles with.
std::string_view default_idle_strategy(const KernelSpec&, const PlatformSpec&);

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
        {"none", CpuidleDriver::none}};
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
