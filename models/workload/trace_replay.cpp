// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/workload/recorded_wakes.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

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
/// interrupt the CPU itself; wake-ups by other CPUs are sent by `waker_cpu`, which never sleeps.
/// The recorded instant is that of the exit from idle, with the latency that the recorded machine
/// had: arrivals are late by that. What comes while the task is awake is worked off afterwards.
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

    class Lane;

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

    [[nodiscard]] ArrivalKind kind_of(const Arrival& arrival) const {
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
        return arrival.kind;
    }

    // The work of a recorded wake-up; zero: it wakes no task.
    [[nodiscard]] Duration work_of(const Arrival& arrival) const {
        return arrival.work > Duration::zero() && params_.work ? *params_.work : arrival.work;
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
    std::vector<Vector> devices_;
    std::map<int, std::unique_ptr<Lane>> lanes_;
    std::unique_ptr<Event> end_;
    bool is_over_ = false;
    SampleTable samples_;
};

/// One replayed CPU.
class TraceReplay::Lane {
public:
    Lane(TraceReplay& owner, Kernel& kernel, int cpu, int waker, const CpuArrivals* recorded);

    /// In a device's handler: everything that is due.
    void serve(LogicalCpu& cpu) {
        work_ += due_;
        due_ = {};
        kernel_.wake_here(task_, cpu);
    }

    [[nodiscard]] bool has_due() const { return due_ > Duration::zero(); }

private:
    /// Goes through the arrivals of one kind, again and again as often as the recording is played.
    struct Cursor {
        std::vector<const Arrival*> arrivals;
        std::size_t next = 0;
        std::int64_t round = 0;
    };

    [[nodiscard]] std::optional<Time> time_of(const Cursor& cursor) const {
        if (cursor.arrivals.empty() || cursor.round >= owner_.params_.repeat) {
            return std::nullopt;
        }
        return Time{} + owner_.length_ / owner_.params_.repeat * cursor.round +
               cursor.arrivals[cursor.next]->at;
    }

    static const Arrival& take(Cursor& cursor) {
        const Arrival& arrival = *cursor.arrivals[cursor.next];
        if (++cursor.next == cursor.arrivals.size()) {
            cursor.next = 0;
            ++cursor.round;
        }
        return arrival;
    }

    void write_task();
    void write_waker(int waker);
    void schedule(Event& event, const Cursor& cursor);
    void open(LogicalCpu& cpu);

    // Events.
    void device_arrives();
    void remote_arrives();

    // Effects of the task.
    bool has_work(LogicalCpu& cpu, std::uint64_t);
    bool keeps_timer(LogicalCpu& cpu, std::uint64_t);
    bool woke(LogicalCpu& cpu, std::uint64_t);
    bool expired(LogicalCpu& cpu, std::uint64_t);

    // Effects of the waker.
    bool send(LogicalCpu& cpu, std::uint64_t);

    static bool do_nothing(void* /*context*/, LogicalCpu& /*cpu*/, std::uint64_t /*argument*/) {
        return false;
    }

    void take_due_timers(Time now);
    bool arm();

    TraceReplay& owner_;
    Kernel& kernel_;
    LogicalCpu& cpu_;
    LogicalCpu* waker_ = nullptr;
    CpuTimers& timers_;
    Task& task_;
    HrTimer timer_;
    Attribution timer_path_;
    Attribution wake_path_;
    bool is_open_ = false;  ///< wake_path_ is under way
    Cursor timer_arrivals_;
    Cursor device_arrivals_;
    Cursor remote_arrivals_;
    Event device_event_;
    Event remote_event_;
    Vector wake_vector_ = 0;  ///< of the waker: it wakes the task
    Vector call_vector_ = 0;  ///< of the waker: it calls a function that does nothing
    Duration due_{};          ///< of interrupts that have not been served
    Duration sent_{};         ///< of wake-ups that have not been sent
    Duration work_{};         ///< for the task
};

TraceReplay::Lane::Lane(
    TraceReplay& owner, Kernel& kernel, int cpu, int waker, const CpuArrivals* recorded)
    : owner_{owner},
      kernel_{kernel},
      cpu_{kernel.machine().cpu(cpu)},
      timers_{kernel.timers(cpu)},
      task_{kernel.add_task("replay", cpu)},
      device_event_{kernel.machine().simulation(),
                    fmt::format("cpu{}.replay.device", cpu),
                    Phase::interrupt,
                    bind<&Lane::device_arrives>(this)},
      remote_event_{kernel.machine().simulation(),
                    fmt::format("cpu{}.replay.remote", cpu),
                    Phase::interrupt,
                    bind<&Lane::remote_arrives>(this)} {
    for (const Arrival& arrival : recorded->arrivals) {
        const ArrivalKind kind = owner.kind_of(arrival);
        Cursor& cursor = kind == ArrivalKind::timer    ? timer_arrivals_
                         : kind == ArrivalKind::device ? device_arrivals_
                                                       : remote_arrivals_;
        cursor.arrivals.push_back(&arrival);
    }
    write_task();
    kernel.make_runnable(task_);
    if (!remote_arrivals_.arrivals.empty()) {
        write_waker(waker);
    }
    schedule(device_event_, device_arrivals_);
    schedule(remote_event_, remote_arrivals_);
}

void TraceReplay::Lane::schedule(Event& event, const Cursor& cursor) {
    if (const auto time = time_of(cursor)) {
        cpu_.simulation().schedule(event, std::max(*time, cpu_.now()));
    }
}

void TraceReplay::Lane::write_task() {
    ProgramBuilder b = kernel_.machine().program("replay");
    const Label loop = b.label();
    const Label busy = b.label();
    b.bind(loop).branch(effect_of<&Lane::has_work>(this), busy);
    if (!timer_arrivals_.arrivals.empty()) {
        timer_.on_expiry = effect_of<&Lane::expired>(this);
        kernel_.emit_timer_start(b, effect_of<&Lane::keeps_timer>(this));
    }
    kernel_.emit_schedule(b);
    b.effect(effect_of<&Lane::woke>(this)).jump(loop);
    b.bind(busy).compute().jump(loop);
    task_.program = &kernel_.machine().keep(b.finish());
}

void TraceReplay::Lane::write_waker(int waker) {
    Machine& machine = kernel_.machine();
    waker_ = &machine.cpu(waker);
    kernel_.set_peers(waker, cpu_.number());
    kernel_.set_peers(cpu_.number(), waker);
    wake_vector_ = kernel_.allocate_vector();
    waker_->set_handler(wake_vector_,
                        &machine.keep(kernel_.interrupt_program("waker", [this](ProgramBuilder& b) {
                            b.effect(effect_of<&Lane::send>(this)).work("try_to_wake_up");
                            kernel_.emit_wake(b, task_);
                        })));
    CrossCall& call = kernel_.add_function_call(cpu_.number(), {&Lane::do_nothing, this});
    call_vector_ = kernel_.allocate_vector();
    waker_->set_handler(call_vector_,
                        &machine.keep(kernel_.interrupt_program(
                            "caller", [&](ProgramBuilder& b) { kernel_.emit_call(b, call); })));
}

// A measured wake-up begins; one at a time is followed.
void TraceReplay::Lane::open(LogicalCpu& cpu) {
    task_.path = nullptr;
    if (task_.sleeping && !is_open_) {
        is_open_ = true;
        wake_path_.start(cpu.now());
        cpu.attach(wake_path_);
        task_.path = &wake_path_;
    }
}

void TraceReplay::Lane::device_arrives() {
    const Arrival& arrival = take(device_arrivals_);
    const Duration work = owner_.work_of(arrival);
    if (work > Duration::zero()) {
        open(cpu_);
        due_ += work;
    }
    const std::size_t device =
        std::min(static_cast<std::size_t>(arrival.irq), owner_.devices_.size() - 1);
    cpu_.raise(owner_.devices_[device]);
    schedule(device_event_, device_arrivals_);
}

void TraceReplay::Lane::remote_arrives() {
    const Duration work = owner_.work_of(take(remote_arrivals_));
    sent_ += work;
    waker_->raise(work > Duration::zero() ? wake_vector_ : call_vector_);
    schedule(remote_event_, remote_arrivals_);
}

bool TraceReplay::Lane::send(LogicalCpu& cpu, std::uint64_t) {
    work_ += sent_;
    sent_ = {};
    open(cpu);
    return false;
}

void TraceReplay::Lane::take_due_timers(Time now) {
    for (auto time = time_of(timer_arrivals_); time && *time <= now;
         time = time_of(timer_arrivals_)) {
        work_ += owner_.work_of(take(timer_arrivals_));
    }
}

// False: the task sleeps from here on, so that no wake-up on its way to schedule() is lost.
bool TraceReplay::Lane::has_work(LogicalCpu& cpu, std::uint64_t) {
    take_due_timers(cpu.now());
    if (work_ == Duration::zero()) {
        Kernel::sleep(task_);
        return false;
    }
    cpu.context().compute_left = work_;
    work_ = {};
    return true;
}

// True when the clock event has to be programmed.
bool TraceReplay::Lane::arm() {
    const auto time = time_of(timer_arrivals_);
    if (!time || timer_.is_armed) {
        return false;
    }
    const bool wakes =
        owner_.work_of(*timer_arrivals_.arrivals[timer_arrivals_.next]) > Duration::zero();
    timer_.wakes = wakes ? &task_ : nullptr;
    timer_.path = wakes ? &timer_path_ : nullptr;
    return timers_.start(timer_, *time);
}

bool TraceReplay::Lane::keeps_timer(LogicalCpu& /*cpu*/, std::uint64_t) {
    return !arm();
}

// The task arms the next timer when it sleeps again; one that wakes nobody is followed at once.
bool TraceReplay::Lane::expired(LogicalCpu& cpu, std::uint64_t) {
    take_due_timers(cpu.now());
    if (timer_.wakes == nullptr) {
        arm();
    }
    return false;
}

bool TraceReplay::Lane::woke(LogicalCpu& cpu, std::uint64_t) {
    for (Attribution* path : {&timer_path_, &wake_path_}) {
        if (cpu.carries(*path)) {
            cpu.detach(*path);
            owner_.samples_.record(cpu.now(), cpu.number(), path->total(), path->parts());
            is_open_ = is_open_ && path != &wake_path_;
        }
    }
    return false;
}

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
        devices_.push_back(kernel.allocate_vector());
        for (const int cpu : params_.cpus) {
            machine.cpu(cpu).set_handler(devices_.back(), &handler);
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
    length_ = recorded.length * params_.repeat;
    const auto is_device = [this](const Arrival& arrival) {
        return kind_of(arrival) == ArrivalKind::device;
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
        lanes_[cpu] = std::make_unique<Lane>(
            *this, kernel, cpu, waker_cpu, arrivals == nullptr ? &kNone : arrivals);
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
