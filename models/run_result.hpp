// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"
#include "sim/stats/load_curve.hpp"
#include "sim/stats/sample_table.hpp"
#include "sim/stats/trace.hpp"
#include "sim/stats/wult_points.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idlesim {

/// Values of a metric that is not explained by steps, in the order in which they were measured.
struct ScalarSeries {
    std::string metric;  ///< as in the table of metrics, "context_switch_rate"
    std::string unit;    ///< "1/s"
    std::vector<double> values;
};

/// Counters of one idle state of one CPU, with the names and meanings of sysfs
/// (Documentation/ABI/testing/sysfs-devices-system-cpu).
struct CpuidleRow {
    int cpu = 0;
    int state = 0;
    std::string name;
    Duration exit_latency{};
    Duration target_residency{};
    std::uint64_t usage = 0;
    Duration time{};
    std::uint64_t above = 0;
    std::uint64_t below = 0;
    std::uint64_t rejected = 0;
    /// Time that the hardware really spent in the state.
    Duration granted_time{};
    /// Time in entries that were counted in `above` and in `below`.
    Duration above_time{};
    Duration below_time{};
};

/// How often, and after how much idle time, one source has ended idle intervals of one CPU.
struct WakeRow {
    int cpu = 0;
    std::string cause;  ///< "tick", "local_timer", "store", the name of a device's handler...
    std::uint64_t wakes = 0;
    Duration slept{};
};

/// Something that a run found and a person should see: a lost wake-up, a late timer...
struct Finding {
    Time at{};
    int cpu = 0;
    std::string kind;
    std::string program;
    std::string step;
    std::string detail;
};

/// Findings of a run: the first of each kind, whole, and how many there were.
class Findings {
public:
    static constexpr std::uint64_t kKeptOfAKind = 100;

    void add(Finding finding);

    [[nodiscard]] const std::vector<Finding>& kept() const { return kept_; }

    /// Of this kind, kept or not.
    [[nodiscard]] std::uint64_t count(std::string_view kind) const;

private:
    std::vector<Finding> kept_;
    std::map<std::string, std::uint64_t, std::less<>> counts_;
};

/// What a thread of cyclictest has measured, in the order of its cycles.
struct ThreadLatencies {
    int cpu = 0;
    Duration interval{};
    std::vector<std::int64_t> picoseconds;
};

/// What `perf bench sched pipe` adds up.
struct PipeTotals {
    std::int64_t operations = 0;
    Duration elapsed{};
};

/// Everything that one run measured.
struct RunResult {
    SampleTable samples;
    std::vector<ScalarSeries> series;
    std::vector<CpuidleRow> cpuidle;
    std::vector<WakeRow> wakes;
    WultPoints wult;                          ///< workload wult only
    std::vector<ThreadLatencies> cyclictest;  ///< workload cyclictest only
    std::optional<LoadCurve> load_curve;      ///< workload specjbb only
    std::optional<PipeTotals> sched_pipe;     ///< workload sched_pipe only
    std::optional<Trace> trace;
    std::vector<Finding> findings;
    std::uint64_t fingerprint = 0;
    std::uint64_t events = 0;
    Duration elapsed{};
};

}  // namespace idlesim
