// SPDX-License-Identifier: Apache-2.0
#include "models/platform/platform.hpp"

#include <fmt/format.h>

namespace idlesim {

namespace {

using config::Diagnostics;

void check_basis(Basis basis,
                 const std::string& calibration,
                 bool has_range,
                 const std::string& what,
                 const config::Location& where,
                 Diagnostics& diagnostics) {
    if (basis == Basis::fitted && calibration.empty()) {
        diagnostics.error(where, fmt::format("{}: a fitted number names its calibration", what));
    }
    if (basis == Basis::assumed && !has_range) {
        diagnostics.error(where,
                          fmt::format("{}: an assumed number needs a range: [low, high]", what));
    }
}

template <class T>
void check_range(const std::optional<std::vector<T>>& range,
                 const T& value,
                 const std::string& what,
                 const config::Location& where,
                 Diagnostics& diagnostics) {
    if (!range) {
        return;
    }
    if (range->size() != 2 || range->back() < range->front()) {
        diagnostics.error(where, fmt::format("{}: range is [low, high]", what));
    } else if (value < range->front() || range->back() < value) {
        diagnostics.error(where, fmt::format("{}: value lies outside its range", what));
    }
}

// A class that leaves a number out keeps the neutral default, which needs no basis.
template <class Number>
void check_number(const Number& number, const std::string& what, Diagnostics& diagnostics) {
    if (!number.source.empty()) {
        const bool has_range = number.range.has_value();
        check_basis(
            number.basis, number.calibration, has_range, what, number.location, diagnostics);
        check_range(number.range, number.value, what, number.location, diagnostics);
    }
}

// Every number of the platform that says how it is known, but for the costs, with its place in the
// file.
template <class Visit>
void visit_numbers(const PlatformSpec& platform, Visit visit) {
    for (const auto& entry : platform.step_classes) {
        const std::string path = "step_classes." + entry.key;
        visit(entry.value.factor, path + ".factor");
        visit(entry.value.cold_probability, path + ".cold_probability");
        visit(entry.value.cold_factor, path + ".cold_factor");
        visit(entry.value.cold_path_factor, path + ".cold_path_factor");
        visit(entry.value.miss_probability, path + ".miss_probability");
        visit(entry.value.miss_extra, path + ".miss_extra");
    }
    for (const auto& entry : platform.hardware_states) {
        const std::string path = "hardware_states." + entry.key;
        visit(entry.value.cold_work, path + ".cold_work");
        visit(entry.value.cold_after, path + ".cold_after");
        visit(entry.value.power, path + ".power");
        visit(entry.value.transition_energy, path + ".transition_energy");
    }
    if (platform.smt) {
        visit(platform.smt->throughput, "smt.throughput");
        visit(platform.smt->beside_polling, "smt.beside_polling");
        visit(platform.smt->join_stall, "smt.join_stall");
        visit(platform.smt->divide_stall, "smt.divide_stall");
        visit(platform.smt->ibrs_branch, "smt.ibrs_branch");
        visit(platform.smt->stibp_branch, "smt.stibp_branch");
    }
    if (platform.power) {
        visit(platform.power->base, "power.base");
        visit(platform.power->awake, "power.awake");
        visit(platform.power->core_running, "power.core_running");
        visit(platform.power->core_polling, "power.core_polling");
        visit(platform.power->second_thread, "power.second_thread");
    }
    if (platform.power && platform.power->budget) {
        const PowerBudget& budget = *platform.power->budget;
        if (budget.package_limit) {
            visit(*budget.package_limit, "power.budget.package_limit");
        }
        visit(budget.uncore, "power.budget.uncore");
        visit(budget.voltage_slope, "power.budget.voltage_slope");
        visit(budget.interval, "power.budget.interval");
        visit(budget.stall, "power.budget.stall");
    }
}

void check_probability(double value,
                       const std::string& what,
                       const config::Location& where,
                       Diagnostics& diagnostics) {
    if (value > 1.0) {
        diagnostics.error(where, fmt::format("{}: a probability is at most 1", what));
    }
}

void check_class(const std::string& name, const StepClass& c, Diagnostics& diagnostics) {
    if (c.cold_probability.value.value + c.miss_probability.value.value > 1.0) {
        diagnostics.error(c.cold_probability.location,
                          fmt::format("{}: cold_probability and miss_probability add up to more "
                                      "than 1",
                                      name));
    }
}

void check_cost(const PlatformSpec& platform,
                const std::string& name,
                const Cost& cost,
                Diagnostics& diagnostics) {
    const bool has_range = cost.range || cost.cycles_range || cost.window_range;
    check_basis(cost.basis, cost.calibration, has_range, name, cost.location, diagnostics);
    check_range(cost.range, cost.value, name, cost.location, diagnostics);
    check_range(cost.cycles_range, cost.cycles, name + ".cycles", cost.location, diagnostics);
    check_range(cost.window_range, cost.window, name + ".window", cost.location, diagnostics);
    if (cost.second_mode) {
        check_probability(cost.second_mode->probability.value,
                          name + ".second_mode.probability",
                          cost.second_mode->location,
                          diagnostics);
    }
    if (!cost.step_class.empty() && platform.step_classes.find(cost.step_class) == nullptr) {
        diagnostics.error(
            cost.location,
            fmt::format("{}: step class '{}' is not among step_classes", name, cost.step_class));
    }
    if (!cost.step_class.empty() && cost.second_mode) {
        diagnostics.error(cost.location,
                          fmt::format("{}: a step class already says how the step varies; a second "
                                      "mode is for hardware transitions",
                                      name));
    }
}

// CPUIDLE_STATE_MAX (include/linux/cpuidle.h, 6.3).
constexpr std::size_t kMaxDeclaredStates = 10;

// In Hz; a look tries one clock after the other.
constexpr double kSmallestClockStep = 1e6;

std::string names_of(const config::OrderedMap<HardwareState>& states) {
    std::string names;
    for (const auto& entry : states) {
        names += (names.empty() ? "" : ", ") + entry.key;
    }
    return names.empty() ? "none" : names;
}

template <class X>
std::string text(const X& value) {
    return config::Converter<X>::write(value);
}

template <class X>
void add_range(const std::optional<std::vector<X>>& range,
               const std::string& path,
               std::vector<AssumedCost>& all) {
    if (range && range->front() < range->back()) {
        all.push_back({path, text(range->front()), text(range->back())});
    }
}

template <class Number>
void add_assumed(const Number& number, const std::string& path, std::vector<AssumedCost>& all) {
    if (number.basis == Basis::assumed) {
        add_range(number.range, path + ".value", all);
    }
}

void add_assumed_cost(const Cost& cost, const std::string& path, std::vector<AssumedCost>& all) {
    add_assumed(cost, path, all);
    if (cost.basis == Basis::assumed) {
        add_range(cost.cycles_range, path + ".cycles", all);
        add_range(cost.window_range, path + ".window", all);
    }
}

void check_declared(const PlatformSpec& platform,
                    const config::OrderedMap<DeclaredState>& table,
                    Diagnostics& diagnostics) {
    for (const auto& entry : table) {
        if (platform.hardware_states.find(entry.value.hardware) == nullptr) {
            diagnostics.error(
                entry.value.location,
                fmt::format("{}: hardware state '{}' is not among hardware_states; there are: {}",
                            entry.key,
                            entry.value.hardware,
                            names_of(platform.hardware_states)));
        }
    }
    if (table.size() >= kMaxDeclaredStates) {
        diagnostics.error(table.begin()->value.location,
                          fmt::format("a driver registers at most {} states, POLL among them",
                                      kMaxDeclaredStates));
    }
}

void check_smt(const SmtSpec& smt, Diagnostics& diagnostics) {
    const double throughput = smt.throughput.value.value;
    if (throughput <= 0.0 || throughput > 2.0) {
        diagnostics.error(smt.throughput.location,
                          "smt.throughput: two threads of a core together do more than nothing and "
                          "at most twice as much as one alone");
    }
    const double beside_polling = smt.beside_polling.value.value;
    if (beside_polling <= 0.0 || beside_polling > 1.0) {
        diagnostics.error(smt.beside_polling.location,
                          "smt.beside_polling: expected a speed above 0 and up to 1");
    }
}

void check_budget(const PowerBudget& budget, Diagnostics& diagnostics) {
    if (budget.turbo.empty()) {
        diagnostics.error(budget.location, "power.budget.turbo: expected at least one row");
    }
    for (std::size_t i = 1; i < budget.turbo.size(); ++i) {
        const TurboLimit& row = budget.turbo[i];
        const TurboLimit& before = budget.turbo[i - 1];
        if (row.active_cores <= before.active_cores || row.clock.hertz() > before.clock.hertz()) {
            diagnostics.error(row.location,
                              "power.budget.turbo: expected rows with more active cores and no "
                              "higher clock than the row before");
        }
    }
    if (budget.interval.value <= Duration::zero()) {
        diagnostics.error(budget.interval.location,
                          "power.budget.interval: expected a time above 0");
    }
    if (budget.step.hertz() < kSmallestClockStep) {
        diagnostics.error(budget.location, "power.budget.step: expected at least 1 MHz");
    }
}

void check_power(const PlatformSpec& platform, Diagnostics& diagnostics) {
    if (platform.power && platform.power->budget) {
        check_budget(*platform.power->budget, diagnostics);
    } else if (platform.firmware.turbo) {
        diagnostics.error(platform.firmware.location,
                          "firmware.turbo: the platform has no power.budget that clocks could "
                          "follow; describe one, or leave turbo off");
    }
    if (platform.firmware.turbo && platform.hardware_states.empty()) {
        diagnostics.error(platform.firmware.location,
                          "firmware.turbo: power is reckoned from hardware_states, and the "
                          "platform has none");
    }
}

}  // namespace

const config::Fields<Cpuid>& parameters(const Cpuid*) {
    using config::field;
    static const config::Fields<Cpuid> kFields{
        field("monitor", &Cpuid::monitor, "CPUID.1:ECX[3], MONITOR/MWAIT present"),
        field("mwait_extensions", &Cpuid::mwait_extensions, "CPUID.5:ECX[0]"),
        field("mwait_c1_substates", &Cpuid::mwait_c1_substates, "CPUID.5:EDX[7:4]")
            .at_least(0)
            .at_most(15),
        field("bug_monitor",
              &Cpuid::bug_monitor,
              "X86_BUG_MONITOR: POLLING is not set, remote wakers send IPIs"),
        field("monitor_reset_by_interrupt",
              &Cpuid::monitor_reset_by_interrupt,
              "an interrupt and IRET between MONITOR and MWAIT reset the monitor"),
        field("clflush_monitor",
              &Cpuid::clflush_monitor,
              "X86_BUG_CLFLUSH_MONITOR: the line is flushed before MONITOR"),
        field("legacy_ibrs",
              &Cpuid::legacy_ibrs,
              "the kernel sets IBRS while it runs (retbleed=ibrs); no enhanced IBRS"),
    };
    return kFields;
}

const config::Fields<PlatformSpec>& parameters(const PlatformSpec*) {
    using config::field;
    static const config::Fields<PlatformSpec> kFields{
        field("name", &PlatformSpec::name, "what the machine is called in results").required(),
        field("description", &PlatformSpec::description, "what is known of the machine"),
        field("vendor", &PlatformSpec::vendor, "CPUID vendor, as the kernel's rules test it")
            .one_of({"Intel", "AMD", "Arm", "other"})
            .required(),
        field("topology", &PlatformSpec::topology, "packages, caches, cores and threads")
            .required(),
        field("core_clock", &PlatformSpec::core_clock, "clock of a busy core").required(),
        field("cpuid", &PlatformSpec::cpuid, "CPUID facts about MONITOR/MWAIT"),
        field("step_classes", &PlatformSpec::step_classes, "how warm the steps of a class run"),
        field("costs", &PlatformSpec::costs, "what each step of the programs costs").required(),
        field("idle_states", &PlatformSpec::idle_states, "table of the native cpuidle driver"),
        field("acpi_states", &PlatformSpec::acpi_states, "table of the firmware, for acpi_idle"),
        field("hardware_states",
              &PlatformSpec::hardware_states,
              "what the hardware does, from the shallowest to the deepest state"),
        field("smt",
              &PlatformSpec::smt,
              "how the threads of a core share it; absent: they do not get into each other's way"),
        field("power", &PlatformSpec::power, "power outside idle states; absent: not reported"),
        field("firmware", &PlatformSpec::firmware, "what the firmware decides about idle states"),
        field("virtual_machine",
              &PlatformSpec::virtual_machine,
              "the CPUs are virtual ones on this platform; absent: they are its own"),
    };
    return kFields;
}

PlatformSpec guest_view(const PlatformSpec& platform) {
    PlatformSpec guest = platform;
    guest.virtual_machine.reset();
    guest.acpi_states.entries.clear();
    if (platform.virtual_machine->mwait == GuestMwait::absent) {
        guest.idle_states.entries.clear();
        guest.cpuid.monitor = false;
        guest.cpuid.mwait_extensions = false;
        guest.cpuid.mwait_c1_substates = 0;
    }
    return guest;
}

const Cost* PlatformSpec::find_cost(std::string_view cost_name) const {
    return costs.find(cost_name);
}

void check(const PlatformSpec& platform, config::Diagnostics& diagnostics) {
    visit_numbers(platform, [&diagnostics](const auto& number, const std::string& path) {
        check_number(number, path, diagnostics);
    });
    for (const auto& entry : platform.step_classes) {
        check_class(entry.key, entry.value, diagnostics);
    }
    for (const auto& entry : platform.costs) {
        check_cost(platform, entry.key, entry.value, diagnostics);
    }
    if (platform.smt) {
        check_smt(*platform.smt, diagnostics);
    }
    check_power(platform, diagnostics);
    check_declared(platform, platform.idle_states, diagnostics);
    check_declared(platform, platform.acpi_states, diagnostics);
}

std::vector<AssumedCost> assumed_costs(const PlatformSpec& platform) {
    std::vector<AssumedCost> all;
    for (const auto& entry : platform.costs) {
        add_assumed_cost(entry.value, "platform.costs." + entry.key, all);
    }
    visit_numbers(platform, [&all](const auto& number, const std::string& path) {
        add_assumed(number, "platform." + path, all);
    });
    return all;
}

}  // namespace idlesim
