// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/cost.hpp"
#include "models/platform/declared_state.hpp"
#include "models/platform/hardware_state.hpp"
#include "models/platform/smt_spec.hpp"
#include "models/platform/topology.hpp"
#include "models/platform/virtual_machine_spec.hpp"
#include "sim/config/field.hpp"
#include "sim/engine/clock_domain.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// What CPUID says about MONITOR/MWAIT, as prefer_mwait_c1_over_halt() reads it.
struct Cpuid {
    bool monitor = true;           ///< CPUID.1:ECX[3]
    bool mwait_extensions = true;  ///< CPUID.5:ECX[0], leaf 5 enumerates sub-states
    int mwait_c1_substates = 1;    ///< CPUID.5:EDX[7:4]
    bool bug_monitor = false;      ///< X86_BUG_MONITOR: a store does not end MWAIT reliably
    bool monitor_reset_by_interrupt = true;  ///< an interrupt and IRET reset an armed monitor
    bool clflush_monitor = false;  ///< X86_BUG_CLFLUSH_MONITOR: flush the line before MONITOR
    bool legacy_ibrs = false;      ///< kernel IBRS is toggled (retbleed=ibrs), no enhanced IBRS
};

const config::Fields<Cpuid>& parameters(const Cpuid*);

/// A machine as a platform file describes it. No SKU is known to the code: everything that tells
/// two machines apart is here.
struct PlatformSpec {
    std::string name;
    std::string description;
    std::string vendor;
    Topology topology;
    Frequency core_clock{2'000'000'000, 1};
    Cpuid cpuid;
    config::OrderedMap<StepClass> step_classes;
    config::OrderedMap<Cost> costs;
    /// The native driver's table, POLL left out, from the shallowest to the deepest state.
    config::OrderedMap<DeclaredState> idle_states;
    /// The table that the firmware declares for acpi_idle (_CST).
    config::OrderedMap<DeclaredState> acpi_states;
    /// What the hardware does, from the shallowest to the deepest state.
    config::OrderedMap<HardwareState> hardware_states;
    /// Absent: threads of a core do not get into each other's way.
    std::optional<SmtSpec> smt;
    std::optional<PowerSpec> power;
    Firmware firmware;
    /// Absent: the CPUs are physical.
    std::optional<VirtualMachineSpec> virtual_machine;
    config::Location location;

    /// nullptr where the platform does not name the cost.
    [[nodiscard]] const Cost* find_cost(std::string_view cost_name) const;
};

const config::Fields<PlatformSpec>& parameters(const PlatformSpec*);

/// What the kernel of a guest on this platform sees as its machine: no tables and no MWAIT, unless
/// they are passed through. `platform` must have a virtual machine.
[[nodiscard]] PlatformSpec guest_view(const PlatformSpec& platform);

/// Reports what the table of parameters cannot see: classes that do not exist, ranges that are
/// not two rising numbers or do not hold the value, assumed costs without a range, fitted ones
/// without a calibration, probabilities above 1.
void check(const PlatformSpec&, config::Diagnostics&);

/// A number of the platform that nobody has published: its path in the configuration and the
/// range that the sources allow, both ends as the file spells them.
struct AssumedCost {
    std::string path;
    std::string low;
    std::string high;
};

/// Every number of the platform with `basis: assumed` and a range of positive width.
std::vector<AssumedCost> assumed_costs(const PlatformSpec&);

}  // namespace idlesim
