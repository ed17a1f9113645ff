// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/cpuidle_import.hpp"

#include "sim/config/converter.hpp"
#include "sim/config/effective.hpp"
#include "sim/config/excerpt.hpp"
#include "sim/config/quantity.hpp"
#include "sim/experiment/cpuidle_nearest.hpp"
#include "sim/output/number.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace idlesim {
namespace {

std::string in_quotes(std::string_view text) {
    return config::write_scalar(config::printable(text, 200), true);
}

template <class Value>
std::string enum_name(Value value) {
    for (const auto& [name, known] : config::EnumNames<Value>::values) {
        if (known == value) {
            return std::string{name};
        }
    }
    return {};
}

/// The path that idlesim was given, without folders, which are nobody else's business.
std::string file_name(const Dump& dump) {
    const std::string name = std::filesystem::path{dump.path}.filename().string();
    return config::printable(name.empty() ? dump.path : name, 100);
}

bool by_acpi(const Dump& dump, const std::vector<ImportedState>& states) {
    if (!dump.driver.empty()) {
        return dump.driver == "acpi_idle";
    }
    return std::any_of(states.begin(), states.end(), [](const ImportedState& state) {
        return state.declared.description.starts_with("ACPI");
    });
}

std::string row_text(const ImportedState& state,
                     const std::string& hardware,
                     const std::string& origin) {
    const DeclaredState& declared = state.declared;
    std::string text = fmt::format("  {}: {{ ", config::write_scalar(state.key, false));
    if (!declared.description.empty()) {
        text += fmt::format("description: {}, ", in_quotes(declared.description));
    }
    if (declared.entry != EntryMethod::hlt) {
        text += fmt::format("hint: {:#04x}, ", declared.hint.value);
    }
    if (declared.entry != EntryMethod::mwait) {
        text += fmt::format("entry: {}, ", enum_name(declared.entry));
    }
    text += fmt::format("exit_latency: {}, target_residency: {}, ",
                        config::write_duration(declared.exit_latency),
                        config::write_duration(declared.target_residency));
    if (!declared.flags.empty()) {
        text += fmt::format("flags: [{}], ", enum_name(declared.flags.front()));
    }
    const std::string source =
        state.remark.empty() ? origin : fmt::format("{}; {}", origin, state.remark);
    return text + fmt::format("hardware: {},\n    source: {} }}\n",
                              config::write_scalar(hardware, false),
                              in_quotes(source));
}

std::string table_text(const std::vector<ImportedState>& states,
                       const NearestPlatform& nearest,
                       const std::string& origin) {
    std::string text;
    std::size_t position = 0;
    for (const ImportedState& state : states) {
        if (!state.polling) {
            text += row_text(state, nearest.hardware[position++], origin);
        }
    }
    return text.empty() ? " {}\n" : "\n" + text;
}

/// Half and twice a number.
std::string wide_range(Duration value) {
    return fmt::format(
        "[{}, {}]", config::write_duration(value / 2), config::write_duration(value * 2));
}

std::string wide_range(double value) {
    return fmt::format("[{}, {}]", format_number(value / 2), format_number(value * 2));
}

/// "basis: assumed" over a number of the base, which knew more about its own machine.
std::string assumed(const std::string& range, const std::string& base) {
    return fmt::format("{{ basis: assumed, calibration: \"\", {}, source: {} }}",
                       range,
                       in_quotes(fmt::format("that of {}; not known for this machine", base)));
}

std::string cost_text(const Cost& cost, const std::string& base) {
    std::string range = "range: " + wide_range(cost.value);
    if (cost.cycles != 0) {
        range += ", cycles_range: " + wide_range(cost.cycles);
    }
    if (cost.window != Duration::zero()) {
        range += ", window_range: " + wide_range(cost.window);
    }
    return assumed(range, base);
}

std::string costs_text(const NearestPlatform& nearest) {
    std::string text;
    for (const auto& entry : nearest.platform.costs) {
        if (entry.value.basis != Basis::assumed) {
            text += fmt::format("  {}: {}\n", entry.key, cost_text(entry.value, nearest.file));
        }
    }
    return text.empty() ? "" : "\ncosts:\n" + text;
}

std::string factor_text(const char* name, const Factor& factor, const std::string& base) {
    if (factor.basis == Basis::assumed || factor.source.empty()) {
        return {};
    }
    const bool is_probability = std::string_view{name}.ends_with("probability");
    const double value = factor.value.value;
    const double most = is_probability ? std::min(1.0, 2 * value) : 2 * value;
    const std::string range =
        fmt::format("range: [{}, {}]", format_number(value / 2), format_number(most));
    return fmt::format("    {}: {}\n", name, assumed(range, base));
}

std::string classes_text(const NearestPlatform& nearest) {
    std::string text;
    for (const auto& entry : nearest.platform.step_classes) {
        const StepClass& own = entry.value;
        std::string lines = factor_text("factor", own.factor, nearest.file) +
                            factor_text("cold_probability", own.cold_probability, nearest.file) +
                            factor_text("cold_factor", own.cold_factor, nearest.file) +
                            factor_text("cold_path_factor", own.cold_path_factor, nearest.file) +
                            factor_text("miss_probability", own.miss_probability, nearest.file);
        if (own.miss_extra.basis != Basis::assumed && !own.miss_extra.source.empty()) {
            lines +=
                fmt::format("    miss_extra: {}\n",
                            assumed("range: " + wide_range(own.miss_extra.value), nearest.file));
        }
        if (!lines.empty()) {
            text += fmt::format("  {}:\n{}", entry.key, lines);
        }
    }
    return text.empty() ? "" : "\nstep_classes:\n" + text;
}

}  // namespace

std::string imported_platform(const Dump& dump,
                              const std::string& name,
                              config::Diagnostics& diagnostics) {
    const std::vector<ImportedState> states = imported_states(dump, diagnostics);
    const bool acpi = by_acpi(dump, states);
    const NearestPlatform nearest = nearest_platform(states, acpi);
    const std::string file = file_name(dump);
    const std::string table = table_text(states, nearest, fmt::format("sysfs dump {}", file));
    std::string text = fmt::format(
        "{} from {}: {}{}{}, {} CPUs.\n"
        "# The tables of idle states are the dump's, without POLL, which the kernel adds. All else "
        "is\n"
        "# assumed: that of {}, the shipped platform with the nearest table. Topology, clock and\n"
        "# hardware states are its own, too: put in what is known of this machine.\n"
        "extends: {}\n"
        "name: {}\n"
        "description: {}\n",
        kImportMark,
        file,
        to_text(dump.format),
        dump.driver.empty() ? "" : ", driver " + config::printable(dump.driver),
        dump.governor.empty() ? "" : ", governor " + config::printable(dump.governor),
        dump.cpus.size(),
        nearest.file,
        nearest.file,
        config::write_scalar(config::printable(name), false),
        in_quotes(
            fmt::format("idle states of {}; physical part assumed, from {}", file, nearest.file)));
    text += classes_text(nearest) + costs_text(nearest);
    // Arm's driver reads device trees; acpi_idle stands for it here, without POLL.
    const bool both = nearest.platform.vendor == "Arm";
    text += fmt::format("\nidle_states:{}", !acpi || both ? table : " {}\n");
    text += fmt::format("\nacpi_states:{}", acpi || both ? table : " {}\n");
    return text + "\npower: null  # of another machine\n";
}

}  // namespace idlesim
