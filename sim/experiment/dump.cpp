// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/dump.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace idlesim {
namespace {

constexpr std::array kDeclared{
    DumpValue::latency, DumpValue::residency, DumpValue::power, DumpValue::disable};
constexpr std::array kCounters{
    DumpValue::usage, DumpValue::time, DumpValue::above, DumpValue::below, DumpValue::rejected};

/// What makes two states the same row of the same table.
auto table_row(const DumpState& state) {
    return std::tuple{state.index,
                      state.name,
                      state.desc,
                      state.value(DumpValue::latency),
                      state.value(DumpValue::residency)};
}

bool same_class(const DumpCpu& a, const DumpCpu& b) {
    return a.core_type == b.core_type &&
           std::equal(a.states.begin(),
                      a.states.end(),
                      b.states.begin(),
                      b.states.end(),
                      [](const DumpState& left, const DumpState& right) {
                          return table_row(left) == table_row(right);
                      });
}

void add_to(DumpState& sum, const DumpState& state) {
    for (const DumpValue which : kDeclared) {
        if (sum.value(which) != state.value(which)) {
            sum.value(which).reset();
        }
    }
    for (const DumpValue which : kCounters) {
        if (sum.value(which) && state.value(which)) {
            *sum.value(which) += *state.value(which);
        } else {
            sum.value(which).reset();
        }
    }
    if (sum.default_status != state.default_status) {
        sum.default_status = "differs";
    }
    if (sum.desc != state.desc) {
        sum.desc = "differs";
    }
}

void add_to(DumpGroup& group, const DumpCpu& cpu) {
    group.cpus.push_back(cpu.number);
    for (const DumpState& state : cpu.states) {
        const auto same = std::find_if(
            group.states.begin(), group.states.end(), [&state](const DumpState& other) {
                return other.title() == state.title();
            });
        if (same != group.states.end()) {
            add_to(*same, state);
            continue;
        }
        const auto deeper = std::find_if(
            group.states.begin(), group.states.end(), [&state](const DumpState& other) {
                return other.index > state.index;
            });
        group.states.insert(deeper, state);
    }
}

}  // namespace

std::string DumpState::title() const {
    return name.empty() || name == "<null>" ? fmt::format("state{}", index) : name;
}

std::string_view to_text(DumpFormat format) {
    switch (format) {
        case DumpFormat::grep:
            return "path:value lines, as of grep -r";
        case DumpFormat::bare:
            return "values without paths, as of cat";
        case DumpFormat::pepc:
            return "pepc emulation data";
        case DumpFormat::stats_collect:
            return "stats-collect, a path and then its value";
        case DumpFormat::headed:
            return "==> path <== and then its value, as of tail or head";
        case DumpFormat::cpupower:
            return "cpupower idle-info";
        case DumpFormat::tree:
            return "sysfs tree";
    }
    return "";
}

std::string Dump::cpu_name(int number) const {
    return fmt::format("{}{}", numbered ? "" : "#", number);
}

std::optional<std::uint64_t> DumpGroup::total(DumpValue which) const {
    std::uint64_t sum = 0;
    for (const DumpState& state : states) {
        if (!state.value(which)) {
            return std::nullopt;
        }
        sum += *state.value(which);
    }
    return sum;
}

std::vector<DumpGroup> classes_of(const Dump& dump) {
    std::vector<DumpGroup> classes;
    std::vector<const DumpCpu*> first;
    for (const DumpCpu& cpu : dump.cpus) {
        const auto same = std::find_if(first.begin(), first.end(), [&cpu](const DumpCpu* other) {
            return same_class(*other, cpu);
        });
        if (same == first.end()) {
            first.push_back(&cpu);
            classes.push_back({cpu.core_type, {}, {}});
            add_to(classes.back(), cpu);
        } else {
            add_to(classes[static_cast<std::size_t>(same - first.begin())], cpu);
        }
    }
    for (DumpGroup& group : classes) {
        const std::string list = (dump.numbered ? "" : "#") + cpu_list(group.cpus);
        group.label = group.label.empty() ? list : fmt::format("{} ({})", list, group.label);
    }
    return classes;
}

DumpGroup all_of(const Dump& dump) {
    DumpGroup group{"all", {}, {}};
    for (const DumpCpu& cpu : dump.cpus) {
        add_to(group, cpu);
    }
    return group;
}

DumpGroup group_of(const Dump& dump, const DumpCpu& cpu) {
    return {dump.cpu_name(cpu.number), {cpu.number}, cpu.states};
}

std::string cpu_list(const std::vector<int>& cpus) {
    std::string text;
    for (std::size_t i = 0; i < cpus.size();) {
        std::size_t end = i + 1;
        while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) {
            ++end;
        }
        text += fmt::format("{}{}", text.empty() ? "" : ",", cpus[i]);
        if (end - i > 1) {
            text += fmt::format("-{}", cpus[end - 1]);
        }
        i = end;
    }
    return text;
}

}  // namespace idlesim
