// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/registered_state.hpp"

#include "tests/catch.hpp"
#include "tests/support/cpuidle_platform.hpp"

#include <optional>
#include <string>
#include <vector>

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

KernelSpec intel_kernel(const std::string& version = "6.15") {
    KernelSpec kernel;
    kernel.version = version;
    kernel.cpuidle = CpuidleDriver::intel_idle;
    return kernel;
}

KernelSpec acpi_kernel() {
    KernelSpec kernel;
    kernel.version = "6.3";
    kernel.cpuidle = CpuidleDriver::acpi_idle;
    return kernel;
}

std::vector<RegisteredState> states_of(const KernelSpec& kernel, const PlatformSpec& platform) {
    return register_states(kernel, platform, std::nullopt);
}

Strings names(const KernelSpec& kernel, const PlatformSpec& platform) {
    Strings result;
    for (const RegisteredState& state : states_of(kernel, platform)) {
        result.push_back(state.declared.name);
    }
    return result;
}

Strings strategies(const KernelSpec& kernel, const PlatformSpec& platform) {
    Strings result;
    for (const RegisteredState& state : states_of(kernel, platform)) {
        result.push_back(state.strategy_name);
    }
    return result;
}

Strings disabled(const KernelSpec& kernel, const PlatformSpec& platform) {
    Strings result;
    for (const RegisteredState& state : states_of(kernel, platform)) {
        if (state.declared.disabled) {
            result.push_back(state.declared.name);
        }
    }
    return result;
}

/// C1 with interrupts on, C1E, C6 with IBRS off; with legacy IBRS as Skylake-SP has it.
PlatformSpec skylake() {
    PlatformSpec platform = test::cpuidle_platform();
    platform.cpuid.legacy_ibrs = true;
    return platform;
}

/// _CST of a server that lists an MWAIT C1 and an I/O C2.
PlatformSpec with_acpi_states() {
    PlatformSpec platform = test::cpuidle_platform();
    platform.vendor = "AMD";
    DeclaredState c1;
    c1.entry = EntryMethod::mwait;
    c1.exit_latency = 1us;
    c1.target_residency = 2us;
    c1.hardware = "cc1";
    DeclaredState c2;
    c2.entry = EntryMethod::io_port;
    c2.hint.value = 0x814;
    c2.exit_latency = 400us;
    c2.target_residency = 800us;
    c2.hardware = "cc6";
    platform.acpi_states.entries = {{"C1", {}, c1}, {"C2", {}, c2}};
    return platform;
}

std::string refusal(const KernelSpec& kernel, const PlatformSpec& platform) {
    try {
        (void)states_of(kernel, platform);
    } catch (const DriverError& refused) {
        return refused.what();
    }
    return {};
}

}  // namespace

TEST_CASE("without a driver nothing is registered", "[driver]") {
    KernelSpec kernel;
    kernel.cpuidle = CpuidleDriver::none;
    CHECK(states_of(kernel, test::cpuidle_platform()).empty());
}

TEST_CASE("intel_idle registers POLL and the rows of the platform's table", "[driver]") {
    const auto states = states_of(intel_kernel(), test::cpuidle_platform());
    REQUIRE(states.size() == 4);
    CHECK(states[0].declared.polling);
    CHECK(states[0].declared.exit_latency == 0us);
    CHECK(states[0].declared.target_residency == 0us);
    CHECK(states[0].strategy_name == "poll");
    CHECK(states[0].request.limited_poll);
    CHECK(states[0].hardware == -1);
    CHECK(states[2].declared.name == "C1E");
    CHECK_FALSE(states[2].declared.polling);
    CHECK(states[2].declared.exit_latency == 10us);
    CHECK(states[2].declared.target_residency == 20us);
    CHECK(states[2].request.hint == 0x01);
    CHECK(states[2].request.hardware == "cc1e");
    CHECK(states[2].hardware == 1);
    CHECK(states[3].tlb_flushed);
    CHECK_FALSE(states[2].tlb_flushed);
}

TEST_CASE("each state gets the callback of its flags", "[driver]") {
    CHECK(strategies(intel_kernel(), test::cpuidle_platform()) ==
          Strings{"poll", "intel_idle_irq", "intel_idle", "intel_idle"});
    CHECK(strategies(intel_kernel(), skylake()) ==
          Strings{"poll", "intel_idle_irq", "intel_idle", "intel_idle_ibrs"});
}

TEST_CASE("xstate comes before IBRS and IRQ, whatever the parameters", "[driver]") {
    PlatformSpec platform = skylake();
    test::declared_state(platform, "C6").flags = {StateFlag::init_xstate, StateFlag::ibrs};
    test::declared_state(platform, "C1").flags = {StateFlag::init_xstate, StateFlag::irq_enable};
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.ibrs_off = true;
    kernel.intel_idle.force_irq_on = true;
    CHECK(strategies(kernel, platform) ==
          Strings{"poll", "intel_idle_xstate", "intel_idle_ibrs", "intel_idle_xstate"});
}

TEST_CASE("ibrs_off takes interrupts-on away from C1 and leaves POLL alone", "[driver]") {
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.ibrs_off = true;
    CHECK(strategies(kernel, skylake()) ==
          Strings{"poll", "intel_idle_ibrs", "intel_idle_ibrs", "intel_idle_ibrs"});
}

TEST_CASE("ibrs_off means nothing on a part without legacy IBRS", "[driver]") {
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.ibrs_off = true;
    CHECK(strategies(kernel, test::cpuidle_platform()) ==
          strategies(intel_kernel(), test::cpuidle_platform()));
}

TEST_CASE("force_irq_on reaches every state but those of xstate and IBRS", "[driver]") {
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.force_irq_on = true;
    CHECK(strategies(kernel, skylake()) ==
          Strings{"poll", "intel_idle_irq", "intel_idle_irq", "intel_idle_ibrs"});
    PlatformSpec platform = test::cpuidle_platform();
    test::declared_state(platform, "C6").flags = {StateFlag::init_xstate};
    CHECK(strategies(kernel, platform) ==
          Strings{"poll", "intel_idle_irq", "intel_idle_irq", "intel_idle_xstate"});
}

TEST_CASE("what a kernel does not know yet it does not do", "[driver]") {
    CHECK(strategies(intel_kernel("5.15"), skylake()) ==
          Strings{"poll", "intel_idle", "intel_idle", "intel_idle"});
    CHECK(strategies(intel_kernel("5.16"), skylake()) ==
          Strings{"poll", "intel_idle_irq", "intel_idle", "intel_idle"});
    CHECK(strategies(intel_kernel("5.19"), skylake()) ==
          Strings{"poll", "intel_idle_irq", "intel_idle", "intel_idle_ibrs"});
    KernelSpec off = intel_kernel();
    off.irq_enable = IrqEnable::off;
    CHECK(strategies(off, skylake())[1] == "intel_idle");
}

TEST_CASE("interrupts come on before MONITOR up to 6.7 and right before MWAIT from 6.8 on",
          "[driver]") {
    const PlatformSpec platform = test::cpuidle_platform();
    CHECK(states_of(intel_kernel("5.16"), platform)[1].request.early_sti);
    CHECK(states_of(intel_kernel("6.7"), platform)[1].request.early_sti);
    CHECK_FALSE(states_of(intel_kernel("6.8"), platform)[1].request.early_sti);
    KernelSpec by_name = intel_kernel("6.8");
    by_name.irq_enable = IrqEnable::early_sti;
    CHECK(states_of(by_name, platform)[1].request.early_sti);
}

TEST_CASE("facts of machine and kernel reach the program of a state", "[driver]") {
    PlatformSpec platform = test::cpuidle_platform();
    CHECK(states_of(intel_kernel(), platform)[1].request.smt_active);
    platform.topology.threads_per_core = 1;
    platform.cpuid.clflush_monitor = true;
    platform.cpuid.bug_monitor = true;
    KernelSpec kernel = intel_kernel();
    kernel.idle_clears_buffers = true;
    const auto states = states_of(kernel, platform);
    CHECK_FALSE(states[1].request.smt_active);
    CHECK(states[1].request.clflush_monitor);
    CHECK(states[1].request.bug_monitor);
    CHECK(states[1].request.clears_buffers);
}

TEST_CASE("max_cstate is the highest index that is registered", "[driver]") {
    KernelSpec kernel = intel_kernel();
    const PlatformSpec platform = test::cpuidle_platform();
    kernel.intel_idle.max_cstate = 1;
    CHECK(names(kernel, platform) == Strings{"POLL", "C1"});
    kernel.intel_idle.max_cstate = 2;
    CHECK(names(kernel, platform) == Strings{"POLL", "C1", "C1E"});
    kernel.intel_idle.max_cstate = 9;
    CHECK(names(kernel, platform) == Strings{"POLL", "C1", "C1E", "C6"});
}

TEST_CASE("a state that is unusable is left out, and the others move up", "[driver]") {
    PlatformSpec platform = test::cpuidle_platform();
    test::declared_state(platform, "C1").flags.push_back(StateFlag::unusable);
    CHECK(names(intel_kernel(), platform) == Strings{"POLL", "C1E", "C6"});
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.states_off.value = 0x2;
    CHECK(disabled(kernel, platform) == Strings{"C1E"});
}

// intel_idle_init_cstates_icpu(), 6.15: the limit is compared with the index in the table, before
// CPUIDLE_FLAG_UNUSABLE is looked at.
TEST_CASE("max_cstate counts the rows of the table, unusable ones too", "[driver]") {
    PlatformSpec platform = test::cpuidle_platform();
    test::declared_state(platform, "C1").flags.push_back(StateFlag::unusable);
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.max_cstate = 1;
    CHECK(names(kernel, platform) == Strings{"POLL"});
    kernel.intel_idle.max_cstate = 2;
    CHECK(names(kernel, platform) == Strings{"POLL", "C1E"});
}

// intel_idle_verify_cstate(), 6.15.
TEST_CASE("a state without sub-states in CPUID.5 is left out", "[driver]") {
    PlatformSpec platform = test::cpuidle_platform();
    platform.cpuid.mwait_c1_substates = 0;
    CHECK(names(intel_kernel(), platform) == Strings{"POLL", "C6"});
}

TEST_CASE("states_off switches states off by their index, POLL being 0", "[driver]") {
    KernelSpec kernel = intel_kernel();
    const PlatformSpec platform = test::cpuidle_platform();
    CHECK(disabled(kernel, platform).empty());
    kernel.intel_idle.states_off.value = 0b1001;
    CHECK(disabled(kernel, platform) == Strings{"POLL", "C6"});
    CHECK(names(kernel, platform).size() == 4);
}

TEST_CASE("a row that the table switches off stays registered", "[driver]") {
    PlatformSpec platform = test::cpuidle_platform();
    test::declared_state(platform, "C1E").flags.push_back(StateFlag::off);
    CHECK(disabled(intel_kernel(), platform) == Strings{"C1E"});
    CHECK(names(intel_kernel(), platform).size() == 4);
}

TEST_CASE("the user switches states off by name or index", "[driver]") {
    KernelSpec kernel = intel_kernel();
    kernel.disabled_states = {"C1E", "0"};
    CHECK(disabled(kernel, test::cpuidle_platform()) == Strings{"POLL", "C1E"});
    kernel.disabled_states = {"C7"};
    CHECK(refusal(kernel, test::cpuidle_platform()) ==
          "disabled_states: no state 'C7'; the driver registers POLL, C1, C1E, C6");
}

TEST_CASE("without package C6 the declared numbers are those of the core's", "[driver]") {
    PlatformSpec platform = test::cpuidle_platform();
    test::declared_state(platform, "C6").without_package_c6 = DeclaredLatency{92us, 276us, {}};
    CHECK(states_of(intel_kernel(), platform)[3].declared.exit_latency == 133us);
    CHECK(states_of(intel_kernel(), platform)[3].declared.target_residency == 600us);
    platform.firmware.package_c6 = false;
    CHECK(states_of(intel_kernel(), platform)[3].declared.exit_latency == 92us);
    CHECK(states_of(intel_kernel(), platform)[3].declared.target_residency == 276us);
    CHECK(states_of(intel_kernel(), platform)[2].declared.exit_latency == 10us);
}

TEST_CASE("intel_idle refuses to load under any idle= parameter", "[driver]") {
    for (const auto parameter :
         {IdleParameter::halt, IdleParameter::nomwait, IdleParameter::poll}) {
        KernelSpec kernel = intel_kernel();
        kernel.idle = parameter;
        CHECK(refusal(kernel, test::cpuidle_platform()) ==
              "intel_idle does not load with an idle= parameter");
    }
}

TEST_CASE("intel_idle refuses to load with max_cstate 0, without MWAIT or without a table",
          "[driver]") {
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.max_cstate = 0;
    CHECK(refusal(kernel, test::cpuidle_platform()) ==
          "intel_idle does not load with max_cstate: 0");
    PlatformSpec platform = test::cpuidle_platform();
    platform.cpuid.monitor = false;
    CHECK(refusal(intel_kernel(), platform).find("without MWAIT") != std::string::npos);
    platform.cpuid.monitor = true;
    platform.cpuid.mwait_extensions = false;
    CHECK(refusal(intel_kernel(), platform).find("without MWAIT") != std::string::npos);
    platform.cpuid.mwait_extensions = true;
    platform.idle_states.entries.clear();
    CHECK(refusal(intel_kernel(), platform).find("no idle_states") != std::string::npos);
}

TEST_CASE("acpi_idle enters each state as the firmware says", "[driver]") {
    PlatformSpec platform = with_acpi_states();
    CHECK(strategies(acpi_kernel(), platform) == Strings{"poll", "acpi_ffh", "acpi_io"});
    CHECK(names(acpi_kernel(), platform) == Strings{"POLL", "C1", "C2"});
    platform.acpi_states.entries[0].value.entry = EntryMethod::hlt;
    CHECK(strategies(acpi_kernel(), platform) == Strings{"poll", "acpi_hlt", "acpi_io"});
}

TEST_CASE("idle=nomwait makes acpi_idle halt where it would use MWAIT", "[driver]") {
    KernelSpec kernel = acpi_kernel();
    kernel.idle = IdleParameter::nomwait;
    CHECK(strategies(kernel, with_acpi_states()) == Strings{"poll", "acpi_hlt", "acpi_io"});
}

// acpi_processor_get_power_info_cst(), 6.3: C1 alone has a way without MWAIT.
TEST_CASE("what has no way but MWAIT is no state where there is no MWAIT", "[driver]") {
    PlatformSpec platform = with_acpi_states();
    platform.acpi_states.entries[1].value.entry = EntryMethod::mwait;
    KernelSpec nomwait = acpi_kernel();
    nomwait.idle = IdleParameter::nomwait;
    CHECK(strategies(nomwait, platform) == Strings{"poll", "acpi_hlt"});
    platform.cpuid.monitor = false;
    CHECK(strategies(acpi_kernel(), platform) == Strings{"poll", "acpi_hlt"});
}

TEST_CASE("acpi_idle refuses idle=halt, idle=poll and a machine without _CST", "[driver]") {
    for (const auto parameter : {IdleParameter::halt, IdleParameter::poll}) {
        KernelSpec kernel = acpi_kernel();
        kernel.idle = parameter;
        CHECK_FALSE(refusal(kernel, with_acpi_states()).empty());
    }
    CHECK(refusal(acpi_kernel(), test::cpuidle_platform()).find("no acpi_states") !=
          std::string::npos);
}

TEST_CASE("acpi_idle has no POLL on Arm", "[driver]") {
    PlatformSpec platform = with_acpi_states();
    platform.vendor = "Arm";
    CHECK(names(acpi_kernel(), platform) == Strings{"C1", "C2"});
}

TEST_CASE("parameters of intel_idle mean nothing to acpi_idle", "[driver]") {
    KernelSpec kernel = acpi_kernel();
    kernel.intel_idle.max_cstate = 0;
    kernel.intel_idle.states_off.value = 0xff;
    kernel.intel_idle.force_irq_on = true;
    CHECK(strategies(kernel, with_acpi_states()) == Strings{"poll", "acpi_ffh", "acpi_io"});
    CHECK(disabled(kernel, with_acpi_states()).empty());
}

TEST_CASE("haltpoll has POLL and the guest's default routine", "[driver]") {
    KernelSpec kernel;
    kernel.version = "6.3";
    kernel.cpuidle = CpuidleDriver::haltpoll;
    PlatformSpec platform = test::cpuidle_platform();
    platform.cpuid.monitor = false;
    const auto states = states_of(kernel, platform);
    REQUIRE(states.size() == 2);
    CHECK(states[1].declared.name == "haltpoll idle");
    CHECK(states[1].declared.exit_latency == 1us);
    CHECK(states[1].declared.target_residency == 1us);
    CHECK(states[1].strategy_name == "hlt");
    kernel.idle = IdleParameter::halt;
    CHECK_FALSE(refusal(kernel, platform).empty());
}

// drivers/cpuidle/cpuidle-haltpoll.c names its governor; governors/ladder.c, 6.3, rates itself
// above menu where the tick is never stopped.
TEST_CASE("the kernel's own governor follows driver and tick", "[driver]") {
    KernelSpec kernel;
    kernel.version = "6.3";
    kernel.cpuidle = CpuidleDriver::haltpoll;
    CHECK(default_governor(kernel) == "haltpoll@6.3");
    kernel.cpuidle = CpuidleDriver::intel_idle;
    kernel.nohz = false;
    CHECK(default_governor(kernel) == "ladder@6.3");
}

TEST_CASE("a strategy of the user's takes the place of every callback that does not poll",
          "[driver]") {
    const auto states =
        register_states(intel_kernel(), skylake(), Registry<IdleStrategy>::choice("intel_idle"));
    Strings result;
    for (const RegisteredState& state : states) {
        result.push_back(state.strategy_name);
    }
    CHECK(result == Strings{"poll", "intel_idle", "intel_idle", "intel_idle"});
}

// intel_idle_off_by_default() and intel_idle_init_cstates_acpi(), 6.15.
TEST_CASE("use_acpi switches off what _CST does not list, no_acpi wins over it", "[driver]") {
    PlatformSpec platform = test::cpuidle_platform();
    DeclaredState listed = test::declared_state(platform, "C1");
    platform.acpi_states.entries.push_back({"C1", {}, listed});
    test::declared_state(platform, "C1E").flags.clear();
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.use_acpi = true;
    CHECK(disabled(kernel, platform) == Strings{"C1E", "C6"});
    test::declared_state(platform, "C1E").flags.push_back(StateFlag::always_enable);
    CHECK(disabled(kernel, platform) == Strings{"C6"});
    kernel.intel_idle.no_acpi = true;
    CHECK(disabled(kernel, platform).empty());
}

TEST_CASE("no_native takes the states of _CST under names of its own", "[driver]") {
    PlatformSpec platform = test::cpuidle_platform();
    DeclaredState c1 = test::declared_state(platform, "C1");
    c1.exit_latency = 1us;
    DeclaredState c2 = test::declared_state(platform, "C6");
    c2.exit_latency = 40us;
    platform.acpi_states.entries.push_back({"C1", {}, c1});
    platform.acpi_states.entries.push_back({"C2", {}, c2});
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.no_native = true;
    const auto states = states_of(kernel, platform);
    REQUIRE(states.size() == 3);
    CHECK(states[1].declared.name == "C1_ACPI");
    CHECK(states[1].declared.target_residency == 1us);
    CHECK(states[2].declared.name == "C2_ACPI");
    CHECK(states[2].declared.target_residency == 120us);
    CHECK(states[2].strategy_name == "intel_idle");
}

TEST_CASE("table replaces declared numbers and is checked as the kernel does", "[driver]") {
    const PlatformSpec platform = test::cpuidle_platform();
    KernelSpec kernel = intel_kernel();
    kernel.intel_idle.table = "C1:1:2,C1E:5:10,C6:200:900";
    const auto states = states_of(kernel, platform);
    CHECK(states[3].declared.exit_latency == 200us);
    CHECK(states[3].declared.target_residency == 900us);
    for (const char* wrong :
         {"POLL:1:1", "C7:1:1", "C6:0:5", "C6:6000:7000", "C6:10:5", "C1:500:600", "C6", "C6:1"}) {
        kernel.intel_idle.table = wrong;
        INFO(wrong);
        CHECK_FALSE(refusal(kernel, platform).empty());
    }
}

}  // namespace idlesim
