// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/dump_check.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace idlesim {
namespace {

using config::Diagnostics;

class DumpCheck {
public:
    DumpCheck(const Dump& dump, Diagnostics& diagnostics)
        : dump_{dump}, diagnostics_{diagnostics}, classes_{classes_of(dump)} {}

    void run() {
        check_cpus();
        for (const DumpGroup& group : classes_) {
            check_order(group);
        }
        check_fields();
        check_switches();
        check_counters();
        check_power();
    }

private:
    void warn(int line, std::string text) {
        diagnostics_.warning({dump_.path, line, line == 0 ? 0 : 1}, std::move(text));
    }

    /// " on CPUs 0-7" where not every CPU is meant.
    [[nodiscard]] std::string where(const std::vector<int>& cpus) const {
        return cpus.size() == dump_.cpus.size() ? ""
                                                : fmt::format(" on CPU{} {}{}",
                                                              cpus.size() == 1 ? "" : "s",
                                                              dump_.numbered ? "" : "#",
                                                              cpu_list(cpus));
    }

    void check_cpus() {
        if (dump_.cpus.empty()) {
            warn(0,
                 fmt::format("no cpuidle at all: CPUs {} are named, none has idle states. The "
                             "kernel then waits with its default instruction, HLT or MWAIT for C1, "
                             "and counts nothing",
                             cpu_list(dump_.cpus_without_cpuidle)));
            return;
        }
        if (!dump_.cpus_without_cpuidle.empty()) {
            warn(0,
                 fmt::format("CPUs {} are named but have no idle states",
                             cpu_list(dump_.cpus_without_cpuidle)));
        }
        if (!dump_.numbered && dump_.cpus.size() > 1) {
            warn(0,
                 fmt::format("the text does not say which CPU is which: {} blocks, named #0 to #{} "
                             "in their order. A shell lists cpu0, cpu1, cpu10, ..., cpu2",
                             dump_.cpus.size(),
                             dump_.cpus.size() - 1));
        }
        if (classes_.size() > 1 && !same_tables()) {
            std::string text = "CPUs with different tables of idle states:";
            for (const DumpGroup& group : classes_) {
                text += fmt::format(" {} ({})", group.label, names_of(group));
            }
            warn(0, text + ". Sums over all CPUs put states of the same name together");
        }
        if (dump_.ignored_lines > 0) {
            warn(dump_.first_ignored_line,
                 fmt::format("{} line{} left out, of another form than the rest; the first one is "
                             "here",
                             dump_.ignored_lines,
                             dump_.ignored_lines == 1 ? "" : "s"));
        }
    }

    /// Classes may differ by core type only.
    [[nodiscard]] bool same_tables() const {
        return std::all_of(classes_.begin(), classes_.end(), [this](const DumpGroup& group) {
            return std::equal(
                group.states.begin(),
                group.states.end(),
                classes_.front().states.begin(),
                classes_.front().states.end(),
                [](const DumpState& a, const DumpState& b) {
                    return a.name == b.name &&
                           a.value(DumpValue::latency) == b.value(DumpValue::latency) &&
                           a.value(DumpValue::residency) == b.value(DumpValue::residency);
                });
        });
    }

    static std::string names_of(const DumpGroup& group) {
        std::string names;
        for (const DumpState& state : group.states) {
            names += (names.empty() ? "" : " ") + state.title();
        }
        return names;
    }

    void check_order(const DumpGroup& group) {
        for (std::size_t i = 1; i < group.states.size(); ++i) {
            const DumpState& shallow = group.states[i - 1];
            const DumpState& deep = group.states[i];
            if (deep.index != shallow.index + 1) {
                warn(deep.line,
                     fmt::format("no state {} before state {}{}; is a part missing?",
                                 deep.index - 1,
                                 deep.index,
                                 where(group.cpus)));
            }
            check_pair(shallow, deep, DumpValue::latency, "exit latency", group);
            check_pair(shallow, deep, DumpValue::residency, "target residency", group);
            const auto& residency = deep.value(DumpValue::residency);
            if (residency && *residency != 0 && residency == shallow.value(DumpValue::residency)) {
                warn(deep.line,
                     fmt::format("{} and {} declare the same target residency, {} us{}: governors "
                                 "go by the index and pass over the shallower one unless a latency "
                                 "limit holds them back",
                                 shallow.title(),
                                 deep.title(),
                                 *residency,
                                 where(group.cpus)));
            }
        }
    }

    void check_pair(const DumpState& shallow,
                    const DumpState& deep,
                    DumpValue which,
                    std::string_view words,
                    const DumpGroup& group) {
        if (shallow.value(which) && deep.value(which) &&
            *deep.value(which) < *shallow.value(which)) {
            warn(deep.line,
                 fmt::format("{} of {}, {} us, is below that of the shallower {}, {} us{}: "
                             "governors search by index and may never choose {}",
                             words,
                             deep.title(),
                             *deep.value(which),
                             shallow.title(),
                             *shallow.value(which),
                             where(group.cpus),
                             shallow.title()));
        }
    }

    void check_fields() {
        std::map<std::string, std::vector<int>> missing;
        std::map<std::string, int> first_line;
        std::size_t states = 0;
        std::map<std::string, std::size_t> counts;
        const auto note = [&](const std::string& file, const DumpCpu& cpu, int line) {
            std::vector<int>& cpus = missing[file];
            if (cpus.empty() || cpus.back() != cpu.number) {
                cpus.push_back(cpu.number);
            }
            first_line.try_emplace(file, line);
            ++counts[file];
        };
        for (const DumpCpu& cpu : dump_.cpus) {
            for (const DumpState& state : cpu.states) {
                ++states;
                for (std::size_t i = 0; i < kDumpValueNames.size(); ++i) {
                    // cpupower never shows the power, and nobody misses it.
                    if (!state.values[i] &&
                        DumpValue{static_cast<std::uint8_t>(i)} != DumpValue::power) {
                        note(std::string{kDumpValueNames[i]}, cpu, state.line);
                    }
                }
                if (state.name.empty()) {
                    note("name", cpu, state.line);
                }
            }
        }
        std::string everywhere;
        for (const auto& [file, cpus] : missing) {
            if (counts[file] == states) {
                everywhere += (everywhere.empty() ? "" : ", ") + file;
            } else {
                warn(first_line[file],
                     fmt::format("`{}` is missing in {} of {} states{}; sums over them are left "
                                 "out. Is the dump cut off?",
                                 file,
                                 counts[file],
                                 states,
                                 where(cpus)));
            }
        }
        if (!everywhere.empty()) {
            warn(0,
                 fmt::format("no state has: {}. {}; they are unknown here, not zero",
                             everywhere,
                             dump_.format == DumpFormat::cpupower
                                 ? "cpupower does not show them"
                                 : "The kernel is older than they are, or the dump left them out"));
        }
    }

    void check_switches() {
        struct Switch {
            int line = 0;
            std::vector<int> cpus;
        };

        std::map<std::string, Switch> found;
        for (const DumpCpu& cpu : dump_.cpus) {
            for (const DumpState& state : cpu.states) {
                std::string text;
                if (state.is_off()) {
                    text = fmt::format("{} is switched off: governors pass over it", state.title());
                } else if (state.default_status == "disabled") {
                    text =
                        fmt::format("{} is off by default and has been switched on", state.title());
                }
                if (!text.empty()) {
                    Switch& entry = found[text];
                    entry.line = entry.line == 0 ? state.line : entry.line;
                    entry.cpus.push_back(cpu.number);
                }
            }
        }
        for (const auto& [text, entry] : found) {
            warn(entry.line, text + where(entry.cpus));
        }
    }

    void check_counters() {
        for (const DumpCpu& cpu : dump_.cpus) {
            for (const DumpState& state : cpu.states) {
                const auto usage = state.value(DumpValue::usage);
                const std::uint64_t misses = state.value(DumpValue::above).value_or(0) +
                                             state.value(DumpValue::below).value_or(0);
                if (usage && misses > *usage) {
                    warn(state.line,
                         fmt::format("CPU {}, {}: {} entries, but {} were too deep or too shallow; "
                                     "the counters were read at different times, or are damaged",
                                     dump_.cpu_name(cpu.number),
                                     state.title(),
                                     *usage,
                                     misses));
                }
                if (usage && *usage == 0 && state.value(DumpValue::time).value_or(0) != 0) {
                    warn(state.line,
                         fmt::format("CPU {}, {}: {} us without an entry",
                                     dump_.cpu_name(cpu.number),
                                     state.title(),
                                     *state.value(DumpValue::time)));
                }
            }
        }
    }

    void check_power() {
        for (const DumpGroup& group : classes_) {
            for (const DumpState& state : group.states) {
                if (state.value(DumpValue::power) == kUnsetPower) {
                    warn(state.line,
                         fmt::format("power of {} is {}: that is -1, \"not set\", and no power{}",
                                     state.title(),
                                     kUnsetPower,
                                     where(group.cpus)));
                }
            }
        }
    }

    const Dump& dump_;
    Diagnostics& diagnostics_;
    std::vector<DumpGroup> classes_;
};

}  // namespace

void check_dump(const Dump& dump, Diagnostics& diagnostics) {
    DumpCheck{dump, diagnostics}.run();
}

}  // namespace idlesim
