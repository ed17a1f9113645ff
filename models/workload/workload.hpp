// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/run_result.hpp"
#include "sim/config/diagnostics.hpp"
#include "sim/config/field.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

class Kernel;
struct RecordedWakes;
struct PlatformSpec;
struct Topology;

/// What a run needs to know besides its scenario.
struct MeasurementOptions {
    /// Keep step rows of about this many samples; <= 0 keeps all.
    std::int64_t sample_rows = 0;
    /// What stands in the file of Workload::recording(), or nullptr.
    const RecordedWakes* recorded = nullptr;
};

/// The work of a run and the measurement of it, exactly as the tool of that name measures.
/// Built per run.
class Workload {
public:
    static constexpr std::string_view kKindKey = "kind";

    Workload() = default;
    Workload(const Workload&) = delete;
    Workload(Workload&&) = delete;
    Workload& operator=(const Workload&) = delete;
    Workload& operator=(Workload&&) = delete;
    virtual ~Workload() = default;

    /// The CPUs that take part.
    [[nodiscard]] virtual std::vector<int> cpus(const Topology&) const = 0;

    /// The cost of a measuring probe at both cpu_idle tracepoints; empty: there is none.
    [[nodiscard]] virtual std::string_view idle_hook() const { return {}; }

    /// What the tool writes into /dev/cpu_dma_latency, if it does.
    [[nodiscard]] virtual std::optional<Duration> cpu_dma_latency() const { return std::nullopt; }

    /// The recorded trace that the workload takes its wake-ups from, as the configuration names it;
    /// nullptr: it takes them from none.
    [[nodiscard]] virtual const config::Located<std::string>* recording() const { return nullptr; }

    /// Reports parameters that do not fit together, at `where`; that the CPUs exist has been
    /// checked.
    virtual void check(const PlatformSpec&,
                       const config::Location& where,
                       config::Diagnostics&) const = 0;

    /// Adds its tasks to the kernel, before Kernel::start(). The kernel outlives the workload.
    virtual void set_up(Kernel& kernel, const MeasurementOptions& options) = 0;

    /// Share of the work that is done, 0..1; for progress.
    [[nodiscard]] virtual double progress() const = 0;

    /// After the simulation has stopped: moves the measurements out.
    virtual void collect(RunResult& result) = 0;
};

}  // namespace idlesim
