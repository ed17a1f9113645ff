// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/cpuidle_declared.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace idlesim {
namespace {

// latency_factor of drivers/acpi/processor_idle.c (6.3): what acpi_idle takes for a residency.
constexpr std::uint64_t kLatencyFactor = 2;

Duration microseconds_of(std::uint64_t value, const Dump& dump, const DumpState& state) {
    constexpr std::uint64_t kLongest = 1'000'000'000;
    if (value > kLongest) {
        throw config::ConfigError{
            fmt::format("{}:{}: error: {} declares {} us; expected at most "
                        "1000 s\n",
                        dump.path,
                        state.line,
                        state.title(),
                        value)};
    }
    return std::chrono::microseconds{value};
}

/// The number behind the last "0x" of a description.
std::uint64_t hint_of(const std::string& desc) {
    const std::size_t begin = desc.rfind("0x");
    std::uint64_t hint = 0;
    if (begin != std::string::npos) {
        std::from_chars(desc.data() + begin + 2, desc.data() + desc.size(), hint, 16);
    }
    return hint;
}

EntryMethod entry_of(const std::string& desc) {
    if (desc.find("MWAIT") != std::string::npos) {
        return EntryMethod::mwait;
    }
    return desc.find("IOPORT") != std::string::npos ? EntryMethod::io_port : EntryMethod::hlt;
}

const DumpGroup& largest(const std::vector<DumpGroup>& classes) {
    return *std::max_element(
        classes.begin(), classes.end(), [](const DumpGroup& a, const DumpGroup& b) {
            return a.cpus.size() < b.cpus.size();
        });
}

std::string unique_key(const std::string& title, const std::vector<ImportedState>& others) {
    std::string key = title;
    const auto taken = [&others](const std::string& text) {
        return std::any_of(others.begin(), others.end(), [&text](const ImportedState& other) {
            return other.key == text;
        });
    };
    for (int i = 2; taken(key); ++i) {
        key = fmt::format("{}_{}", title, i);
    }
    return key;
}

class Importer {
public:
    Importer(const Dump& dump, config::Diagnostics& diagnostics)
        : dump_{dump}, diagnostics_{diagnostics} {}

    ImportedState read(const DumpState& state) {
        ImportedState imported;
        imported.polling =
            state.name == "POLL" || state.desc.find("POLL IDLE") != std::string::npos;
        DeclaredState& declared = imported.declared;
        declared.description = state.desc;
        declared.entry = entry_of(state.desc);
        declared.hint.value =
            declared.entry == EntryMethod::hlt ? std::uint64_t{0} : hint_of(state.desc);
        const auto& latency = state.value(DumpValue::latency);
        if (!latency) {
            throw config::ConfigError{
                fmt::format("{}:{}: error: {} has no `latency`, or not the same on all CPUs; "
                            "without it there is no table\n",
                            dump_.path,
                            state.line,
                            state.title())};
        }
        declared.exit_latency = microseconds_of(*latency, dump_, state);
        const auto& residency = state.value(DumpValue::residency);
        declared.target_residency =
            microseconds_of(residency.value_or(kLatencyFactor * *latency), dump_, state);
        if (!residency) {
            imported.remark = "target residency assumed: twice the latency, as acpi_idle does";
            diagnostics_.warning(
                {dump_.path},
                "no `residency`: taken as twice the exit latency, as acpi_idle does; the driver of "
                "this machine may know better");
        }
        if (state.is_off()) {
            declared.flags.push_back(StateFlag::off);
        }
        return imported;
    }

private:
    const Dump& dump_;
    config::Diagnostics& diagnostics_;
};

}  // namespace

std::vector<ImportedState> imported_states(const Dump& dump, config::Diagnostics& diagnostics) {
    if (dump.cpus.empty()) {
        throw config::ConfigError{fmt::format(
            "{}: error: no cpuidle: there is no table of idle states to take\n", dump.path)};
    }
    const std::vector<DumpGroup> classes = classes_of(dump);
    const DumpGroup& group = largest(classes);
    if (classes.size() > 1) {
        diagnostics.warning(
            {dump.path},
            fmt::format("several kinds of CPUs; the table of CPUs {} is taken", group.label));
    }
    Importer importer{dump, diagnostics};
    std::vector<ImportedState> states;
    for (const DumpState& state : group.states) {
        ImportedState imported = importer.read(state);
        imported.key = unique_key(state.title(), states);
        states.push_back(std::move(imported));
    }
    return states;
}

std::vector<IdleState> governor_table(const std::vector<ImportedState>& states) {
    std::vector<IdleState> table;
    for (const ImportedState& state : states) {
        table.push_back({state.key,
                         state.declared.exit_latency,
                         state.declared.target_residency,
                         state.polling,
                         state.declared.has(StateFlag::off)});
    }
    return table;
}

}  // namespace idlesim
