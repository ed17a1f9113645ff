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

void check_probability(double value,
                       const std::string& what,
                       const config::Location& where,
                       Diagnostics& diagnostics) {
    if (value > 1.0) {
        diagnostics.error(where, fmt::format("{}: a probability is at most 1", what));
    }
}

void check_class(const std::string& name, const StepClass& c, Diagnostics& diagnostics) {
    check_number(c.factor, name + ".factor", diagnostics);
    check_number(c.cold_probability, name + ".cold_probability", diagnostics);
    check_number(c.cold_factor, name + ".cold_factor", diagnostics);
    check_number(c.miss_probability, name + ".miss_probability", diagnostics);
    check_number(c.miss_extra, name + ".miss_extra", diagnostics);
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
    check_basis(
        cost.basis, cost.calibration, cost.range.has_value(), name, cost.location, diagnostics);
    check_range(cost.range, cost.value, name, cost.location, diagnostics);
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

template <class X>
std::string text(const X& value) {
    return config::Converter<X>::write(value);
}

template <class Number>
void add_assumed(const Number& number, const std::string& path, std::vector<AssumedCost>& all) {
    if (number.basis == Basis::assumed && number.range &&
        number.range->front() < number.range->back()) {
        all.push_back({path + ".value", text(number.range->front()), text(number.range->back())});
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
    };
    return kFields;
}

const Cost* PlatformSpec::find_cost(std::string_view cost_name) const {
    return costs.find(cost_name);
}

void check(const PlatformSpec& platform, config::Diagnostics& diagnostics) {
    for (const auto& entry : platform.step_classes) {
        check_class(entry.key, entry.value, diagnostics);
    }
    for (const auto& entry : platform.costs) {
        check_cost(platform, entry.key, entry.value, diagnostics);
    }
}

std::vector<AssumedCost> assumed_costs(const PlatformSpec& platform) {
    std::vector<AssumedCost> all;
    for (const auto& entry : platform.step_classes) {
        const std::string path = "platform.step_classes." + entry.key;
        add_assumed(entry.value.factor, path + ".factor", all);
        add_assumed(entry.value.cold_probability, path + ".cold_probability", all);
        add_assumed(entry.value.cold_factor, path + ".cold_factor", all);
        add_assumed(entry.value.miss_probability, path + ".miss_probability", all);
        add_assumed(entry.value.miss_extra, path + ".miss_extra", all);
    }
    for (const auto& entry : platform.costs) {
        add_assumed(entry.value, "platform.costs." + entry.key, all);
    }
    return all;
}

}  // namespace idlesim
