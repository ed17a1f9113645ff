// SPDX-License-Identifier: Apache-2.0
#include "models/arrivals/arrival_lane.hpp"
#include "models/kernel/kernel.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

namespace idlesim {

/// Which way the wake-ups of a recording come.
enum class ArrivalSource : std::uint8_t { recorded, timer, device, remote };

namespace config {

template <>
struct EnumNames<ArrivalSource> {
    static constexpr std::pair<std::string_view, ArrivalSource> values[] = {
        {"recorded", ArrivalSource::recorded},
        {"timer", ArrivalSource::timer},
        {"device", ArrivalSource::device},
        {"remote", ArrivalSource::remote}};
};

}  // namespace config

namespace {

/// The wake-ups of a recorded trace in the full machine: a task on each replayed CPU is woken when
/// the recorded CPU was, by what had woken it, and computes for as long as that one stayed awake.
///
/// Timers are armed when the task goes to sleep, so that governors see them coming; devices
/// interrupt the CPU itself; wake-ups by other CPUs are sent by `waker_cpu`, which never sleeps and
/// so keeps its package awake. The recorded instant is that of the exit from idle, with the latency
/// that the recorded machine had: arrivals are late by that. What comes while the task is awake is
/// worked off afterwards.
class TraceReplay final : public Workload {
public:
    struct Params {
        config::Located<std::string> trace;
        std::vector<int> cpus{0};
        ArrivalSource source = ArrivalSource::recorded;
        std::optional<Duration> work;
        int waker_cpu = -1;
        std::int64_t repeat = 1;
    };

    explicit TraceReplay(Params params) : params_{std::move(params)} {}

    [[nodiscard]] std::vector<int> cpus(const Topology& topology) const override {
        std::vector<int> all = params_.cpus;
        if (has_waker()) {
            all.push_back(waker(topology));
        }
        return all;
    }

    [[nodiscard]] const config::Located<std::string>* recording() const override {
        return &params_.trace;
    }

    void check(const PlatformSpec& platform,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override;

    void set_up(Kernel& kernel, const MeasurementOptions& options) override;

    [[nodiscard]] double progress() const override {
        return is_over_ ? 1.0
                        : static_cast<double>((simulation_->now() - Time{}).count()) /
                              static_cast<double>(length_.count() + 1);
    }

    void collect(RunResult& result) override { result.samples = std::move(samples_); }

private:
    static constexpr std::size_t kMostCpus = 50;     // two vectors each
    static constexpr std::size_t kMostDevices = 64;  // vectors; the last one serves the rest

    [[nodiscard]] bool has_waker() const {
        return params_.source == ArrivalSource::recorded || params_.source == ArrivalSource::remote;
    }

    // The last CPU that nothing is replayed on.
    [[nodiscard]] int waker(const Topology& topology) const {
        int cpu = params_.waker_cpu;
        for (int i = 0; cpu < 0 && i < topology.cpus(); ++i) {
            const int candidate = topology.cpus() - 1 - i;
            const bool taken = std::find(params_.cpus.begin(), params_.cpus.end(), candidate) !=
                               params_.cpus.end();
            cpu = taken ? -1 : candidate;
        }
        return cpu < 0 ? topology.cpus() : cpu;
    }

    [[nodiscard]] std::optional<ArrivalKind> forced_kind() const {
        switch (params_.source) {
            case ArrivalSource::timer:
                return ArrivalKind::timer;
            case ArrivalSource::device:
                return ArrivalKind::device;
            case ArrivalSource::remote:
                return ArrivalKind::remote;
            case ArrivalSource::recorded:
                break;
        }
        return std::nullopt;
    }

    void add_devices(Kernel& kernel, const RecordedWakes& recorded);
    void spin(Kernel& kernel, int cpu);
    bool wakes_nobody(LogicalCpu& cpu, std::uint64_t);
    bool device_wakes(LogicalCpu& cpu, std::uint64_t);

    void end() {
        is_over_ = true;
        simulation_->stop();
    }

    Params params_;
    Simulation* simulation_ = nullptr;
    Duration length_{};  ///< of the run
    ReplayPlan plan_;
    std::map<int, std::unique_ptr<ArrivalLane>> lanes_;
    std::unique_ptr<Event> end_;
    bool is_over_ = false;
    SampleTable samples_;
};

void TraceReplay::check(const PlatformSpec& platform,
                        const config::Location& where,
                        config::Diagnostics& diagnostics) const {
    std::vector<int> sorted = params_.cpus;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty() || sorted.size() > kMostCpus) {
        diagnostics.error(
            where,
            fmt::format("trace_replay: expected 1 to {} cpus, not {}", kMostCpus, sorted.size()));
    }
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
        diagnostics.error(where, "trace_replay: a CPU is named twice");
    }
    if (has_waker() && std::binary_search(sorted.begin(), sorted.end(), waker(platform.topology))) {
        diagnostics.error(where,
                          fmt::format("trace_replay: CPU {} is to be replayed and cannot be the "
                                      "waker_cpu",
                                      params_.waker_cpu));
    }
}

void TraceReplay::add_devices(Kernel& kernel, const RecordedWakes& recorded) {
    Machine& machine = kernel.machine();
    std::vector<std::string> names = recorded.devices;
    if (names.empty()) {
        names = {"device"};
    }
    if (names.size() > kMostDevices) {
        names.resize(kMostDevices);
        names.back() = "other devices";
    }
    for (const std::string& name : names) {
        const Program& handler =
            machine.keep(kernel.measured_interrupt_program(name, [this](ProgramBuilder& b) {
                const Label nobody = b.label();
                b.work("device_handler");
                b.branch(effect_of<&TraceReplay::wakes_nobody>(this), nobody);
                b.work("try_to_wake_up");
                b.effect(effect_of<&TraceReplay::device_wakes>(this), 0, "enqueue_task");
                b.bind(nobody);
            }));
        plan_.devices.push_back(kernel.allocate_vector());
        for (const int cpu : params_.cpus) {
            machine.cpu(cpu).set_handler(plan_.devices.back(), &handler);
        }
    }
}

bool TraceReplay::wakes_nobody(LogicalCpu& cpu, std::uint64_t) {
    return !lanes_.at(cpu.number())->has_due();
}

bool TraceReplay::device_wakes(LogicalCpu& cpu, std::uint64_t) {
    lanes_.at(cpu.number())->serve(cpu);
    return false;
}

// A task's flag stays clear, so only an interrupt leaves the loop, and it goes on.
void TraceReplay::spin(Kernel& kernel, int cpu) {
    ProgramBuilder b = kernel.machine().program("spin");
    const Label loop = b.label();
    b.bind(loop).sti().pause_loop(Duration::zero()).jump(loop);
    Task& task = kernel.add_task("spin", cpu);
    task.program = &kernel.machine().keep(b.finish());
    kernel.make_runnable(task);
}

void TraceReplay::set_up(Kernel& kernel, const MeasurementOptions& options) {
    Machine& machine = kernel.machine();
    simulation_ = &machine.simulation();
    const RecordedWakes& recorded = *options.recorded;
    if (recorded.length > kLongestRun / params_.repeat) {
        throw std::runtime_error{fmt::format("trace_replay: {} times {} is more than 100 days",
                                             params_.repeat,
                                             to_text(recorded.length))};
    }
    length_ = recorded.length * params_.repeat;
    plan_ = {forced_kind(), params_.work, params_.repeat, recorded.length, {}};
    const auto is_device = [this](const Arrival& arrival) {
        return plan_.kind_of(arrival) == ArrivalKind::device;
    };
    const bool has_devices =
        std::any_of(recorded.cpus.begin(), recorded.cpus.end(), [&](const CpuArrivals& cpu) {
            return std::any_of(cpu.arrivals.begin(), cpu.arrivals.end(), is_device);
        });
    if (has_devices) {
        add_devices(kernel, recorded);
    }
    static const CpuArrivals kNone;
    const int waker_cpu = has_waker() ? waker(machine.platform().topology) : -1;
    for (const int cpu : params_.cpus) {
        const CpuArrivals* arrivals = recorded.find(cpu);
        lanes_[cpu] = std::make_unique<ArrivalLane>(
            plan_, samples_, kernel, cpu, waker_cpu, arrivals == nullptr ? kNone : *arrivals);
    }
    if (has_waker()) {
        spin(kernel, waker_cpu);
    }
    end_ = std::make_unique<Event>(
        *simulation_, "trace_replay.end", Phase::control, bind<&TraceReplay::end>(this));
    simulation_->schedule_in(*end_, length_);
    samples_ = SampleTable{"wake_latency", machine.steps().names(), options.sample_rows};
}

const Register<Workload, TraceReplay> kTraceReplay{
    "trace_replay",
    "the wake-ups of a recorded trace: tasks that are woken when, and by what, the CPUs were",
    {
        config::field("trace", &TraceReplay::Params::trace, "ftrace text with cpu_idle events")
            .required(),
        config::field(
            "cpus", &TraceReplay::Params::cpus, "CPUs of the trace, and of the machine, to replay"),
        config::field("source",
                      &TraceReplay::Params::source,
                      "what wakes the tasks: as recorded, or always the same"),
        config::field("work",
                      &TraceReplay::Params::work,
                      "computation of one wake-up; absent: as long as the recorded CPU was awake"),
        config::field("waker_cpu",
                      &TraceReplay::Params::waker_cpu,
                      "sends wake-ups that came from other CPUs; -1: the last one that is free"),
        config::field("repeat", &TraceReplay::Params::repeat, "how often the trace is played")
            .at_least(1)
            .at_most(1'000'000),
    }};

}  // namespace
}  // namespace idlesim
