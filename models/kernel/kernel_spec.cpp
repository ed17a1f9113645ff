// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel_spec.hpp"

#include <charconv>
#include <optional>
#include <tuple>

#include <fmt/format.h>

namespace idlesim {

namespace {

struct Version {
    int major = 0;
    int minor = 0;

    [[nodiscard]] bool at_least(int other_major, int other_minor) const {
        return std::tie(major, minor) >= std::tie(other_major, other_minor);
    }
};

std::optional<Version> parse_version(std::string_view text) {
    Version version;
    const char* const end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, version.major);
    if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') {
        return std::nullopt;
    }
    const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
    if (minor.ec != std::errc{} || minor.ptr != end) {
        return std::nullopt;
    }
    return version;
}

bool decide(ByVersion choice, bool by_version) {
    return choice == ByVersion::by_version ? by_version : choice == ByVersion::on;
}

// arch/x86/kernel/process.c, 6.3. Up to 5.19 the vendor had to be Intel.
bool prefers_mwait(const KernelSpec& kernel, const PlatformSpec& platform) {
    const Cpuid& cpuid = platform.cpuid;
    if (kernel.idle == IdleParameter::nomwait || !cpuid.monitor || cpuid.bug_monitor) {
        return false;
    }
    if (!rules_of(kernel).mwait_by_cpuid) {
        return platform.vendor == "Intel";
    }
    return !cpuid.mwait_extensions || cpuid.mwait_c1_substates != 0;
}

}  // namespace

const config::Fields<IntelIdleOptions>& parameters(const IntelIdleOptions*) {
    using config::field;
    static const config::Fields<IntelIdleOptions> kFields{
        field("max_cstate", &IntelIdleOptions::max_cstate, "highest usable index; 0: no driver")
            .at_least(0)
            .at_most(9),
        field("states_off", &IntelIdleOptions::states_off, "bit mask of states, off at the start"),
        field("ibrs_off",
              &IntelIdleOptions::ibrs_off,
              "clear IBRS in every idle state (parts with legacy IBRS)"),
        field("force_irq_on",
              &IntelIdleOptions::force_irq_on,
              "wait with interrupts on in every state that can"),
        field("use_acpi",
              &IntelIdleOptions::use_acpi,
              "states that the platform's acpi_states do not list are off at the start"),
        field("no_acpi", &IntelIdleOptions::no_acpi, "never look at acpi_states"),
        field("no_native",
              &IntelIdleOptions::no_native,
              "take the states from acpi_states instead of the driver's table (6.15)"),
        field("table",
              &IntelIdleOptions::table,
              "name:latency:residency,... in us, replaces declared numbers (7.0)"),
    };
    return kFields;
}

const config::Fields<IdleInjection>& parameters(const IdleInjection*) {
    using config::field;
    static const config::Fields<IdleInjection> kFields{
        field("cpus", &IdleInjection::cpus, "CPUs that are kept idle").required(),
        field("period", &IdleInjection::period, "distance of two injections").positive(),
        field("idle", &IdleInjection::idle, "how long each of them lasts").positive(),
        field("latency",
              &IdleInjection::latency,
              "deepest exit latency that the injected idle may have; absent: any"),
    };
    return kFields;
}

const config::Fields<KernelSpec>& parameters(const KernelSpec*) {
    using config::field;
    static const config::Fields<KernelSpec> kFields{
        field(
            "version", &KernelSpec::version, "MAJOR.MINOR, quoted; decides what is not set below"),
        field("hz", &KernelSpec::hz, "CONFIG_HZ").one_of({100, 250, 300, 1000}),
        field("cpuidle", &KernelSpec::cpuidle, "the cpuidle driver that is loaded"),
        field("nohz", &KernelSpec::nohz, "stop the tick of an idle CPU"),
        field("nohz_full",
              &KernelSpec::nohz_full,
              "CPUs that stop the tick while a single task runs, too"),
        field("max_deferment",
              &KernelSpec::max_deferment,
              "how long the CPU that keeps the time may sleep; absent: without end"),
        field("s2idle", &KernelSpec::s2idle, "suspend-to-idle: deepest state, frozen tick"),
        field("idle_injection", &KernelSpec::idle_injection, "keeps CPUs idle for a part of time"),
        field("idle", &KernelSpec::idle, "the idle= parameter of the command line"),
        field("prefer_mwait",
              &KernelSpec::prefer_mwait,
              "rule that chooses between HLT and MWAIT without a cpuidle driver"),
        field("wake_list",
              &KernelSpec::wake_list,
              "when the woken CPU, not the waker, enqueues the woken task"),
        field("irq_enable",
              &KernelSpec::irq_enable,
              "how states that the table marks irq_enable wait"),
        field("intel_idle", &KernelSpec::intel_idle, "module parameters of intel_idle"),
        field("disabled_states",
              &KernelSpec::disabled_states,
              "names or indices of states that the user has switched off"),
        field(
            "cpu_dma_latency", &KernelSpec::cpu_dma_latency, "what stands in /dev/cpu_dma_latency"),
        field("resume_latency",
              &KernelSpec::resume_latency,
              "what stands in pm_qos_resume_latency_us of each CPU, or of `all`"),
        field("idle_clears_buffers",
              &KernelSpec::idle_clears_buffers,
              "VERW before HLT and MWAIT (MDS, TSA)"),
        field("kernel_ibrs",
              &KernelSpec::kernel_ibrs,
              "parts with legacy IBRS: set in the kernel, cleared in user mode (retbleed=ibrs)"),
        field("update_spec_ctrl",
              &KernelSpec::update_spec_ctrl,
              "idle writes SPEC_CTRL together with its per-CPU copy, not the MSR alone"),
        field("stibp", &KernelSpec::stibp, "STIBP is set in user mode (spectre_v2_user=on)"),
    };
    return kFields;
}

KernelRules rules_of(const KernelSpec& kernel) {
    const Version version = parse_version(kernel.version).value_or(Version{});
    KernelRules rules;
    rules.mwait_by_cpuid = kernel.prefer_mwait == PreferMwait::by_version
                               ? version.at_least(6, 0)
                               : kernel.prefer_mwait == PreferMwait::cpuid_rule;
    if (kernel.wake_list != WakeList::by_version) {
        rules.wake_list = kernel.wake_list;
    } else {
        rules.wake_list = version.at_least(6, 0) ? WakeList::idle_target : WakeList::other_llc;
    }
    rules.stops_tick_after_hit = version.at_least(7, 0);
    rules.has_irq_enable = kernel.irq_enable == IrqEnable::by_version
                               ? version.at_least(5, 16)
                               : kernel.irq_enable != IrqEnable::off;
    rules.early_sti = kernel.irq_enable == IrqEnable::by_version
                          ? !version.at_least(6, 8)
                          : kernel.irq_enable == IrqEnable::early_sti;
    rules.kernel_ibrs = decide(kernel.kernel_ibrs, version.at_least(5, 19));
    rules.update_spec_ctrl = decide(kernel.update_spec_ctrl, version.at_least(6, 7));
    rules.stibp = kernel.stibp;
    rules.skips_governor_of_one_state = version.at_least(7, 0);
    return rules;
}

std::string_view default_governor(const KernelSpec& kernel) {
    // cpuidle-haltpoll.c names its governor; ladder rates itself above menu where the tick is never
    // stopped (governors/ladder.c, 6.3).
    if (kernel.cpuidle == CpuidleDriver::haltpoll) {
        return "haltpoll@6.3";
    }
    if (!kernel.nohz) {
        return "ladder@6.3";
    }
    const Version version = parse_version(kernel.version).value_or(Version{});
    if (version.at_least(7, 1)) {
        return "menu@7.1";
    }
    if (version.at_least(7, 0)) {
        return "menu@7.0";
    }
    if (version.at_least(6, 15)) {
        return "menu@6.17";
    }
    return version.at_least(6, 6) ? "menu@6.12" : "menu@6.3";
}

std::string_view default_idle_strategy(const KernelSpec& kernel, const PlatformSpec& platform) {
    if (kernel.idle == IdleParameter::poll) {
        return "poll";
    }
    if (kernel.idle == IdleParameter::halt) {
        return "hlt";
    }
    const bool hides_mwait =
        platform.virtual_machine && platform.virtual_machine->mwait == GuestMwait::absent;
    return !hides_mwait && prefers_mwait(kernel, platform) ? "mwait_c1" : "hlt";
}

void check(const KernelSpec& kernel, config::Diagnostics& diagnostics) {
    if (!parse_version(kernel.version)) {
        diagnostics.error(
            kernel.location,
            fmt::format("kernel version '{}' is not MAJOR.MINOR, such as \"6.3\"", kernel.version));
    }
    if (!kernel.nohz_full.empty() && !kernel.nohz) {
        diagnostics.error(kernel.location,
                          "kernel: nohz_full needs nohz: the tick is never stopped");
    }
    if (kernel.s2idle && kernel.cpuidle == CpuidleDriver::none) {
        diagnostics.error(
            kernel.location,
            "kernel: s2idle needs a cpuidle driver, whose states have an entry for it");
    }
    if (kernel.idle_injection && kernel.idle_injection->idle >= kernel.idle_injection->period) {
        diagnostics.error(kernel.idle_injection->location,
                          "idle_injection: idle must be shorter than period");
    }
}

}  // namespace idlesim
