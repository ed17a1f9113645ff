// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/cpuidle_nearest.hpp"

#include "sim/config/diagnostics.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/experiment/platform_file.hpp"

#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace idlesim {
namespace {

// A state that the other table lacks weighs as much as a latency that is off by a factor of 20.
constexpr double kUnmatched = 3.0;
constexpr double kOtherTable = 0.5;
constexpr double kOtherEntry = 1.0;

using Table = config::OrderedMap<DeclaredState>;

/// "C1_ACPI" is intel_idle's name for the first state of _CST.
std::string_view plain_name(std::string_view name) {
    return name.substr(0, name.find("_ACPI"));
}

std::vector<const config::OrderedMap<DeclaredState>::Entry*> usable(const Table& table) {
    std::vector<const Table::Entry*> entries;
    for (const auto& entry : table) {
        if (!entry.value.has(StateFlag::unusable)) {
            entries.push_back(&entry);
        }
    }
    return entries;
}

/// The row that the state is most likely to be, or nullptr.
const Table::Entry* likeness(const ImportedState& state, std::size_t position, const Table& table) {
    const auto entries = usable(table);
    for (const Table::Entry* entry : entries) {
        if (state.declared.hint.value != 0 && entry->value.entry == state.declared.entry &&
            entry->value.hint == state.declared.hint) {
            return entry;
        }
    }
    for (const Table::Entry* entry : entries) {
        if (plain_name(entry->key) == plain_name(state.key)) {
            return entry;
        }
    }
    const bool same_place =
        position < entries.size() && entries[position]->value.entry == state.declared.entry;
    return same_place ? entries[position] : nullptr;
}

double difference(Duration a, Duration b) {
    const auto number = [](Duration value) { return 1.0 + static_cast<double>(value.count()); };
    return std::fabs(std::log(number(a) / number(b)));
}

double distance(const std::vector<ImportedState>& states, const Table& table) {
    double sum = 0;
    std::size_t position = 0;
    std::size_t matched = 0;
    for (const ImportedState& state : states) {
        if (state.polling) {
            continue;
        }
        const Table::Entry* like = likeness(state, position++, table);
        if (like == nullptr) {
            sum += kUnmatched;
            continue;
        }
        ++matched;
        sum += difference(state.declared.exit_latency, like->value.exit_latency) +
               difference(state.declared.target_residency, like->value.target_residency) +
               (state.declared.entry == like->value.entry ? 0 : kOtherEntry);
    }
    const std::size_t rows = usable(table).size();
    return sum + kUnmatched * static_cast<double>(rows > matched ? rows - matched : 0);
}

/// Arm has no POLL, and none of x86's ways into a state.
bool is_x86(const std::vector<ImportedState>& states) {
    for (const ImportedState& state : states) {
        if (state.polling || state.declared.entry != EntryMethod::hlt) {
            return true;
        }
    }
    return false;
}

/// The row with the nearest exit latency.
const DeclaredState& by_latency(const ImportedState& state, const Table& table) {
    const DeclaredState* best = nullptr;
    for (const auto& entry : table) {
        if (best == nullptr || difference(state.declared.exit_latency, entry.value.exit_latency) <
                                   difference(state.declared.exit_latency, best->exit_latency)) {
            best = &entry.value;
        }
    }
    return *best;
}

PlatformSpec load(const std::string& name) {
    PlatformSpec platform;
    const auto found = find_data_file(name, ".", kPlatformFolder);
    if (!found) {
        return platform;
    }
    config::Diagnostics diagnostics;
    std::map<std::string, std::string> ignored;
    config::Node tree = load_platform(displayed(found->path), diagnostics, ignored);
    config::read(
        tree, parameters(static_cast<const PlatformSpec*>(nullptr)), platform, diagnostics);
    diagnostics.throw_if_errors();
    return platform;
}

}  // namespace

NearestPlatform nearest_platform(const std::vector<ImportedState>& states, bool by_acpi) {
    NearestPlatform nearest;
    double least = std::numeric_limits<double>::infinity();
    const bool x86 = is_x86(states);
    for (const std::string& name : data_file_names(kPlatformFolder)) {
        PlatformSpec platform = load(name);
        if ((platform.vendor != "Arm") != x86) {
            continue;
        }
        for (const bool acpi : {false, true}) {
            const Table& table = acpi ? platform.acpi_states : platform.idle_states;
            const double away = distance(states, table) + (acpi == by_acpi ? 0.0 : kOtherTable);
            if (!table.empty() && away < least) {
                least = away;
                nearest = {name, platform, acpi, {}};
            }
        }
    }
    if (nearest.file.empty()) {
        throw config::ConfigError{fmt::format(
            "error: there is no platform with a table of idle states in {}; is IDLESIM_DATA set to "
            "another folder?\n",
            kPlatformFolder)};
    }
    const Table& table =
        nearest.by_acpi ? nearest.platform.acpi_states : nearest.platform.idle_states;
    std::size_t position = 0;
    for (const ImportedState& state : states) {
        if (!state.polling) {
            const Table::Entry* like = likeness(state, position++, table);
            nearest.hardware.push_back(like != nullptr ? like->value.hardware
                                                       : by_latency(state, table).hardware);
        }
    }
    return nearest;
}

}  // namespace idlesim
