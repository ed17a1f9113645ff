// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/cpuidle_diff.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace idlesim {
namespace {

using config::ConfigError;
using config::Diagnostics;

constexpr std::array kCounters{
    DumpValue::usage, DumpValue::time, DumpValue::above, DumpValue::below, DumpValue::rejected};

void require_states(const Dump& dump) {
    if (dump.cpus.empty()) {
        throw ConfigError{fmt::format(
            "{}: error: no cpuidle: there is nothing to take a difference of\n", dump.path)};
    }
}

const DumpCpu* find_cpu(const Dump& dump, int number) {
    const auto found = std::find_if(dump.cpus.begin(), dump.cpus.end(), [number](const auto& cpu) {
        return cpu.number == number;
    });
    return found == dump.cpus.end() ? nullptr : &*found;
}

const DumpState* find_state(const DumpCpu& cpu, int index) {
    const auto found =
        std::find_if(cpu.states.begin(), cpu.states.end(), [index](const DumpState& state) {
            return state.index == index;
        });
    return found == cpu.states.end() ? nullptr : &*found;
}

/// "file:line" of a state.
std::string place(const Dump& dump, const DumpState& state) {
    return state.line == 0 ? dump.path : fmt::format("{}:{}", dump.path, state.line);
}

class Difference {
public:
    Difference(const Dump& before, const Dump& after, Diagnostics& diagnostics)
        : before_{before}, after_{after}, diagnostics_{diagnostics}, result_{after} {
        result_.path = fmt::format("{} to {}", before.path, after.path);
        result_.cpus.clear();
    }

    Dump run() {
        for (const DumpCpu& cpu : after_.cpus) {
            const DumpCpu* old = find_cpu(before_, cpu.number);
            if (old == nullptr) {
                lone_.push_back(cpu.number);
                continue;
            }
            add(*old, cpu);
        }
        warn_lone(before_, after_, lone_);
        std::vector<int> gone;
        for (const DumpCpu& cpu : before_.cpus) {
            if (find_cpu(after_, cpu.number) == nullptr) {
                gone.push_back(cpu.number);
            }
        }
        warn_lone(after_, before_, gone);
        if (result_.cpus.empty()) {
            throw ConfigError{fmt::format(
                "{}: error: {}\n",
                after_.path,
                backwards_ > 0 ? fmt::format("the counters of all CPUs are below those of {}: are "
                                             "the two dumps in the wrong order, or was the machine "
                                             "started anew in between?",
                                             before_.path)
                               : fmt::format("no CPU in common with {}", before_.path))};
        }
        return std::move(result_);
    }

private:
    void warn_lone(const Dump& without, const Dump& with, const std::vector<int>& cpus) {
        if (!cpus.empty()) {
            diagnostics_.warning(
                {with.path},
                fmt::format("CPUs {} are not in {}; left out", cpu_list(cpus), without.path));
        }
    }

    void add(const DumpCpu& before, const DumpCpu& after) {
        require_same_states(before, after);
        DumpCpu cpu = after;
        for (DumpState& state : cpu.states) {
            const DumpState& old = *find_state(before, state.index);
            warn_changed(old, state);
            if (!subtract(old, state, cpu.number)) {
                ++backwards_;
                return;
            }
        }
        result_.cpus.push_back(std::move(cpu));
    }

    void require_same_states(const DumpCpu& before, const DumpCpu& after) const {
        for (const DumpState& state : after.states) {
            const DumpState* old = find_state(before, state.index);
            if (old == nullptr || old->title() != state.title()) {
                throw ConfigError{
                    fmt::format("{}: error: state {} of CPU {} is {} here and {} in {}: these are "
                                "dumps of two machines, or of two drivers\n",
                                place(after_, state),
                                state.index,
                                after_.cpu_name(after.number),
                                state.title(),
                                old == nullptr ? "not there" : old->title(),
                                before_.path)};
            }
        }
        if (before.states.size() != after.states.size()) {
            throw ConfigError{fmt::format("{}: error: CPU {} has {} states here and {} in {}\n",
                                          after_.path,
                                          after_.cpu_name(after.number),
                                          after.states.size(),
                                          before.states.size(),
                                          before_.path)};
        }
    }

    void warn_changed(const DumpState& before, const DumpState& state) {
        for (const DumpValue which :
             {DumpValue::latency, DumpValue::residency, DumpValue::disable}) {
            if (before.value(which) != state.value(which)) {
                const auto text = [](const std::optional<std::uint64_t>& value) {
                    return value ? std::to_string(*value) : "absent";
                };
                diagnostics_.warning(
                    {after_.path},
                    fmt::format("`{}` of {} has changed from {} to {} in between; the later one is "
                                "shown",
                                kDumpValueNames[static_cast<std::size_t>(which)],
                                state.title(),
                                text(before.value(which)),
                                text(state.value(which))));
            }
        }
    }

    void warn_half_known(const DumpState& before, const DumpState& state, DumpValue which) {
        if (state.value(which).has_value() != before.value(which).has_value()) {
            diagnostics_.warning({state.value(which) ? before_.path : after_.path},
                                 fmt::format("`{}` of {} is missing here, on one CPU at least, and "
                                             "so in the difference",
                                             kDumpValueNames[static_cast<std::size_t>(which)],
                                             state.title()));
        }
    }

    /// False, with a warning, for counters that ran backwards.
    bool subtract(const DumpState& before, DumpState& state, int cpu) {
        for (const DumpValue which : kCounters) {
            std::optional<std::uint64_t>& value = state.value(which);
            if (!value || !before.value(which)) {
                warn_half_known(before, state, which);
                value.reset();
                continue;
            }
            if (*value < *before.value(which)) {
                diagnostics_.warning(
                    {after_.path, state.line, state.line == 0 ? 0 : 1},
                    fmt::format("CPU {}, {}: `{}` ran backwards, from {} to {}; the CPU is left "
                                "out. Was it off in between?",
                                after_.cpu_name(cpu),
                                state.title(),
                                kDumpValueNames[static_cast<std::size_t>(which)],
                                *before.value(which),
                                *value));
                return false;
            }
            *value -= *before.value(which);
        }
        return true;
    }

    const Dump& before_;
    const Dump& after_;
    Diagnostics& diagnostics_;
    Dump result_;
    std::vector<int> lone_;
    int backwards_ = 0;
};

}  // namespace

Dump difference(const Dump& before, const Dump& after, Diagnostics& diagnostics) {
    require_states(before);
    require_states(after);
    return Difference{before, after, diagnostics}.run();
}

}  // namespace idlesim
