// SPDX-License-Identifier: Apache-2.0
#include "sim/output/idlestat_text.hpp"

#include "sim/engine/check.hpp"
#include "sim/output/atomic_file.hpp"
#include "sim/output/ftrace_text.hpp"

#include <chrono>
#include <map>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// idlestat reads exactly so many states of every CPU.
constexpr std::size_t kStates = 16;

/// Packages are letters from A on.
constexpr int kPackages = 26;

std::string topology_text(const std::vector<IdlestatCpu>& cpus) {
    std::map<int, std::map<int, std::vector<std::size_t>>> packages;
    for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu) {
        packages[cpus[cpu].package][cpus[cpu].core].push_back(cpu);
    }
    std::string text;
    for (const auto& [package, cores] : packages) {
        IDLESIM_CHECK(package >= 0 && package < kPackages, "idlestat names packages by a letter");
        text += fmt::format("cluster{}:\n", static_cast<char>('A' + package));
        for (const auto& [core, threads] : cores) {
            text += fmt::format("\tcore{}\n", core);
            for (const std::size_t cpu : threads) {
                text += fmt::format("\t\tcpu{}\n", cpu);
            }
        }
    }
    return text;
}

std::string states_text(const std::vector<IdlestatState>& states) {
    IDLESIM_CHECK(states.size() <= kStates, "idlestat knows 16 states");
    std::string text;
    for (std::size_t i = 0; i < kStates; ++i) {
        if (i < states.size()) {
            const auto residency =
                std::chrono::duration_cast<std::chrono::microseconds>(states[i].target_residency);
            text += fmt::format("\t{}\n\t{}\n", states[i].name, residency.count());
        } else {
            text += "\t(null)\n\t0\n";
        }
    }
    return text;
}

bool is_understood(const TraceRecord& record) {
    return record.event == TraceEvent::cpu_idle || record.event == TraceEvent::cpu_idle_exit ||
           (record.event == TraceEvent::irq_handler_entry && record.task == kIdleTask);
}

}  // namespace

void write_idlestat(const std::filesystem::path& path,
                    const Trace& trace,
                    const std::vector<IdlestatState>& states,
                    const std::vector<IdlestatCpu>& cpus) {
    IDLESIM_CHECK(static_cast<int>(cpus.size()) == trace.cpus(),
                  "every CPU of a trace has its place in the topology");
    AtomicFile file{path};
    file.write(fmt::format("idlestat version = 0.8\ncpus={}\n", cpus.size()));
    file.write(topology_text(cpus));
    const std::string state_table = states_text(states);
    for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu) {
        file.write(fmt::format("cpuid {}:\n{}", cpu, state_table));
    }
    fmt::memory_buffer line;
    for (const TraceRecord& record : trace.records_by_time()) {
        if (is_understood(record)) {
            line.clear();
            append_ftrace_line(line, trace, record);
            file.write({line.data(), line.size()});
        }
    }
    file.commit();
}

}  // namespace idlesim
