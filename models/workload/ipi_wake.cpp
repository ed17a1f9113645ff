// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// How the source wakes the target.
enum class WakeBy { ipi, csd, task };

/// Where the measurement ends.
enum class MeasuredAt { first_instruction, handler_entry, idle_exit, function_run, acknowledged };

}  // namespace
}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<idlesim::WakeBy> {
    static constexpr std::pair<std::string_view, idlesim::WakeBy> values[] = {
        {"ipi", WakeBy::ipi}, {"csd", WakeBy::csd}, {"task", WakeBy::task}};
};

template <>
struct EnumNames<idlesim::MeasuredAt> {
    static constexpr std::pair<std::string_view, idlesim::MeasuredAt> values[] = {
        {"first_instruction", MeasuredAt::first_instruction},
        {"handler_entry", MeasuredAt::handler_entry},
        {"idle_exit", MeasuredAt::idle_exit},
        {"function_run", MeasuredAt::function_run},
        {"acknowledged", MeasuredAt::acknowledged}};
};

}  // namespace idlesim::config

namespace idlesim {
namespace {

/// One CPU wakes another, again and again, and takes the time: the test behind the percentiles
/// of commit aebef63cf7ff. What that test sent is not published, so it is a switch, `wake`:
/// `ipi` always sends the interrupt, `csd` is smp_call_function_single(), which spares it where
/// the target polls its flags, `task` wakes a thread.
class IpiWake final : public Workload, private CpuListener {
public:
    /// Samples that memory is set aside for at once.
    static constexpr std::int64_t kMostReserved = 10'000'000;

    struct Params {
        int source_cpu = 0;
        int target_cpu = 2;
        std::int64_t wakeups = 10'000;
        WakeBy wake = WakeBy::ipi;
        MeasuredAt measured_at = MeasuredAt::first_instruction;
        bool discard_awake = true;
        Duration interval = 20us;
    };

    explicit IpiWake(Params params) : params_{params} {}

    [[nodiscard]] std::vector<int> cpus(const Topology&) const override {
        return {params_.source_cpu, params_.target_cpu};
    }

    void check(const PlatformSpec&,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        if (params_.source_cpu == params_.target_cpu) {
            diagnostics.error(where,
                              fmt::format("ipi_wake: source_cpu and target_cpu are both {}; a CPU "
                                          "cannot wake itself from idle",
                                          params_.source_cpu));
        }
        if (params_.wake == WakeBy::task && params_.measured_at != MeasuredAt::first_instruction &&
            params_.measured_at != MeasuredAt::idle_exit) {
            diagnostics.error(where,
                              "ipi_wake: wake: task runs no function on the target; it is "
                              "measured_at: first_instruction or idle_exit");
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& options) override {
        Machine& machine = kernel.machine();
        kernel.set_peers(params_.source_cpu, params_.target_cpu);
        kernel.set_peers(params_.target_cpu, params_.source_cpu);
        fabric_ = &machine.fabric();
        simulation_ = &machine.simulation();
        source_ = &machine.cpu(params_.source_cpu);
        target_ = &machine.cpu(params_.target_cpu);
        target_->set_listener(this);
        pause_ = Distribution::uniform(params_.interval / 2, params_.interval * 3 / 2);
        stream_ = std::make_unique<RandomStream>(machine.stream("ipi_wake.interval"));
        timer_ = std::make_unique<Event>(
            machine.simulation(), "ipi_wake.interval", Phase::interrupt, bind<&IpiWake::go>(this));
        Task& source = kernel.add_task("ipi_wake", params_.source_cpu);
        source.program = &machine.keep(source_program(kernel));
        kernel.make_runnable(source);
        simulation_->schedule_in(*timer_, params_.interval);
        samples_ = SampleTable{"wake_latency", machine.steps().names(), options.sample_rows};
        samples_.reserve(std::min(params_.wakeups, kMostReserved));
    }

    [[nodiscard]] double progress() const override {
        return static_cast<double>(samples_.count()) / static_cast<double>(params_.wakeups);
    }

    void collect(RunResult& result) override { result.samples = std::move(samples_); }

private:
    Program source_program(Kernel& kernel) {
        ProgramBuilder b = kernel.machine().program("ipi_wake");
        const Label loop = b.label();
        b.bind(loop).wait_for_release().effect(effect_of<&IpiWake::launch>(this));
        emit_wake(kernel, b);
        b.jump(loop);
        return b.finish();
    }

    void emit_wake(Kernel& kernel, ProgramBuilder& b) {
        if (params_.wake == WakeBy::task) {
            Task& wakee = kernel.add_task("wakee", params_.target_cpu);
            wakee.path = &path_;
            wakee.program = &kernel.machine().keep(wakee_program(kernel, wakee));
            // The time is taken by trace points, and the waker writes its own.
            if (params_.measured_at == MeasuredAt::idle_exit) {
                b.work("tracepoint");
            }
            b.work("try_to_wake_up");
            kernel.emit_wake(b, wakee);
            return;
        }
        CrossCall& call =
            kernel.add_function_call(params_.target_cpu, effect_of<&IpiWake::function>(this));
        call.path = &path_;
        if (params_.wake == WakeBy::csd) {
            kernel.emit_call(b, call);
        } else {
            kernel.emit_call_by_interrupt(b, call);
        }
    }

    Program wakee_program(Kernel& kernel, Task& wakee) {
        ProgramBuilder b = kernel.machine().program("wakee");
        wakee_ = &wakee;
        const Label loop = b.label();
        b.bind(loop).effect(effect_of<&IpiWake::sleep_again>(this));
        kernel.emit_schedule(b);
        b.jump(loop);
        return b.finish();
    }

    // Effects, and what arrives from the target.

    // The next wake-up is due. It waits for the last one, should that still be under way.
    void go() {
        is_due_ = true;
        go_when_idle();
    }

    void go_when_idle() {
        if (is_due_ && !open_ && is_served_) {
            is_due_ = false;
            source_->release();
        }
    }

    bool launch(LogicalCpu& cpu, std::uint64_t) {
        simulation_->schedule_in(*timer_, pause_.sample(*stream_));
        is_served_ = false;
        path_.start(cpu.now());
        cpu.attach(path_);
        open_ = true;
        function_ran_ = false;
        is_discarded_ = params_.discard_awake && !is_asleep(*target_);
        return false;
    }

    static bool is_asleep(const LogicalCpu& cpu) {
        return cpu.state() == CpuState::resident || cpu.state() == CpuState::polling;
    }

    bool function(LogicalCpu&, std::uint64_t) {
        function_ran_ = true;
        return false;
    }

    // A target that was awake saw the wake-up without a sleep in between: it ends here.
    bool sleep_again(LogicalCpu& cpu, std::uint64_t) {
        if (open_ && cpu.carries(path_)) {
            finish(cpu);
        }
        Kernel::sleep(*wakee_);
        is_served_ = true;
        go_when_idle();
        return false;
    }

    void on_probe(ProbePoint point, LogicalCpu& cpu) override {
        if (point == ProbePoint::function_run) {
            is_served_ = true;
        }
        if (open_ && cpu.carries(path_) && is_end(point, cpu)) {
            finish(cpu);
        }
        go_when_idle();
    }

    // An interrupt that meets the target between two sleeps ends where its handler returns; a
    // call that was drained by the idle loop itself ends where it has run.
    [[nodiscard]] bool is_end(ProbePoint point, const LogicalCpu& cpu) const {
        switch (params_.measured_at) {
            case MeasuredAt::handler_entry:
                return point == ProbePoint::handler_entry || is_drained_awake(point, cpu);
            case MeasuredAt::idle_exit:
                return point == ProbePoint::idle_exit || is_drained_awake(point, cpu);
            case MeasuredAt::function_run:
            case MeasuredAt::acknowledged:
                return point == ProbePoint::function_run;
            case MeasuredAt::first_instruction:
                return point == ProbePoint::resumed ||
                       (point == ProbePoint::handler_returned && function_ran_) ||
                       is_drained_awake(point, cpu);
        }
        return false;
    }

    [[nodiscard]] bool is_drained_awake(ProbePoint point, const LogicalCpu& cpu) const {
        return point == ProbePoint::function_run && !cpu.in_handler();
    }

    void finish(LogicalCpu& cpu) {
        open_ = false;
        cpu.detach(path_);
        Time end = cpu.now();
        if (params_.measured_at == MeasuredAt::acknowledged) {
            end += fabric_->line_transfer(cpu.number(), source_->number());
            path_.mark(fabric_->transfer_step(), end);
        }
        if (is_discarded_) {
            return;
        }
        samples_.record(end, cpu.number(), end - path_.begin(), path_.parts());
        if (samples_.count() >= params_.wakeups) {
            simulation_->stop();
        }
    }

    Params params_;
    Fabric* fabric_ = nullptr;
    Simulation* simulation_ = nullptr;
    LogicalCpu* source_ = nullptr;
    LogicalCpu* target_ = nullptr;
    Task* wakee_ = nullptr;
    Attribution path_;
    bool open_ = false;
    bool function_ran_ = false;
    bool is_served_ = true;  // the target has done what the last wake-up asked for
    bool is_due_ = false;
    bool is_discarded_ = false;
    Distribution pause_ = Distribution::constant(Duration::zero());
    std::unique_ptr<RandomStream> stream_;
    std::unique_ptr<Event> timer_;
    SampleTable samples_;
};

const Register<Workload, IpiWake> kIpiWake{
    "ipi_wake",
    "one CPU wakes another from idle, N times, and takes the time",
    {
        config::field("source_cpu", &IpiWake::Params::source_cpu, "the CPU that wakes"),
        config::field("target_cpu", &IpiWake::Params::target_cpu, "the CPU that sleeps"),
        config::field("wakeups", &IpiWake::Params::wakeups, "how many wake-ups to measure")
            .at_least(1)
            .at_most(1'000'000'000),
        config::field("wake",
                      &IpiWake::Params::wake,
                      "ipi: always an interrupt; csd: smp_call_function_single(), a store where "
                      "the target polls; task: try_to_wake_up()"),
        config::field("measured_at",
                      &IpiWake::Params::measured_at,
                      "end of the measurement: first_instruction after the sleep, handler_entry, "
                      "idle_exit (the tracepoint), function_run, or acknowledged (seen by the "
                      "source)"),
        config::field("discard_awake",
                      &IpiWake::Params::discard_awake,
                      "leave out wake-ups that find the target awake (another interrupt has just "
                      "woken it); they do not count towards wakeups"),
        config::field("interval",
                      &IpiWake::Params::interval,
                      "mean distance of two wake-ups (uniform, half to one and a half times)")
            .positive(),
    }};

}  // namespace
}  // namespace idlesim
