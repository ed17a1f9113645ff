// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/logical_cpu.hpp"
#include "sim/stats/trace.hpp"

#include <map>
#include <string>
#include <vector>

namespace idlesim {

struct Task;

/// The trace points of a kernel that is traced. Recording takes no simulated time, so a traced run
/// measures what it measures without.
class KernelTrace {
public:
    explicit KernelTrace(int cpus) : trace_{cpus}, current_(static_cast<std::size_t>(cpus)) {}

    void record(LogicalCpu& cpu, TraceEvent event, std::int64_t a = 0, std::int64_t b = 0);

    void waking(LogicalCpu& cpu, const Task& task);
    void woken(LogicalCpu& cpu, const Task& task);

    /// `next` is nullptr for the idle task.
    void switches(LogicalCpu& cpu, const Task* next);

    /// Number of a device's interrupt.
    int add_irq(const std::string& name);

    int add_function(const std::string& name);

    [[nodiscard]] const Trace& trace() const { return trace_; }

private:
    int index_of(const Task* task);

    Trace trace_;
    std::map<const Task*, int> tasks_;
    std::map<std::string, int> functions_;
    std::vector<const Task*> current_;  // [CPU]
    int next_irq_ = 24;                 // behind the legacy interrupts
};

}  // namespace idlesim
