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

/// Tasks bound to CPUs, each woken by a timer every `period` to compute for a while: rt-app's
/// simplest profile. Latency runs from the timer's instant to the first instruction of the task.
class Periodic final : public Workload {
public:
    struct Params {
        std::vector<int> tasks{0};
        Duration period = 1ms;
        Duration work = 50us;
        std::int64_t activations = 10'000;
    };

    explicit Periodic(Params params) : params_{std::move(params)} {}

    [[nodiscard]] std::vector<int> cpus(const Topology&) const override { return params_.tasks; }

    void check(const PlatformSpec&,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        if (params_.tasks.empty()) {
            diagnostics.error(where, "periodic: there is no task");
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& options) override {
        Machine& machine = kernel.machine();
        simulation_ = &machine.simulation();
        for (const int cpu : params_.tasks) {
            tasks_.push_back(std::make_unique<PeriodicTask>(*this, kernel, cpu));
        }
        samples_ = SampleTable{"wake_latency", machine.steps().names(), options.sample_rows};
        samples_.reserve(std::min(wanted(), kMostReserved));
    }

    [[nodiscard]] double progress() const override {
        return static_cast<double>(samples_.count()) / static_cast<double>(wanted());
    }

    void collect(RunResult& result) override { result.samples = std::move(samples_); }

private:
    static constexpr std::int64_t kMostReserved = 10'000'000;

    class PeriodicTask {
    public:
        PeriodicTask(Periodic& owner, Kernel& kernel, int cpu)
            : owner_{owner}, timers_{kernel.timers(cpu)}, task_{kernel.add_task("periodic", cpu)} {
            timer_.wakes = &task_;
            timer_.path = &path_;
            ProgramBuilder b = kernel.machine().program("periodic");
            const Label loop = b.label();
            b.bind(loop).work("nanosleep_call");
            kernel.emit_timer_start(b, effect_of<&PeriodicTask::sleep>(this));
            kernel.emit_schedule(b);
            b.effect(effect_of<&PeriodicTask::woke>(this)).compute().work("nanosleep_return");
            b.jump(loop);
            task_.program = &kernel.machine().keep(b.finish());
            RandomStream stream = kernel.machine().stream(fmt::format("periodic.{}.start", cpu));
            next_ =
                Time{} + Distribution::uniform(Duration{1}, owner.params_.period).sample(stream);
            kernel.make_runnable(task_);
        }

    private:
        bool sleep(LogicalCpu& cpu, std::uint64_t) {
            while (next_ <= cpu.now()) {
                next_ += owner_.params_.period;
            }
            Kernel::sleep(task_);
            return !timers_.start(timer_, next_);
        }

        bool woke(LogicalCpu& cpu, std::uint64_t) {
            if (cpu.carries(path_)) {
                cpu.detach(path_);
                owner_.record(cpu, path_);
            }
            cpu.context().compute_left = owner_.params_.work;
            return false;
        }

        Periodic& owner_;
        CpuTimers& timers_;
        Task& task_;
        HrTimer timer_;
        Attribution path_;
        Time next_{};
    };

    [[nodiscard]] std::int64_t wanted() const {
        return params_.activations * static_cast<std::int64_t>(params_.tasks.size());
    }

    void record(const LogicalCpu& cpu, const Attribution& path) {
        samples_.record(cpu.now(), cpu.number(), path.total(), path.parts());
        if (samples_.count() >= wanted()) {
            simulation_->stop();
        }
    }

    Params params_;
    Simulation* simulation_ = nullptr;
    std::vector<std::unique_ptr<PeriodicTask>> tasks_;
    SampleTable samples_;
};

const Register<Workload, Periodic> kPeriodic{
    "periodic",
    "tasks that a timer wakes every period to compute for a while",
    {
        config::field("tasks", &Periodic::Params::tasks, "CPUs, one task each"),
        config::field("period", &Periodic::Params::period, "distance of two activations")
            .positive(),
        config::field("work", &Periodic::Params::work, "computation of one activation")
            .non_negative(),
        config::field("activations", &Periodic::Params::activations, "to measure, per task")
            .at_least(1)
            .at_most(1'000'000'000),
    }};

}  // namespace
}  // namespace idlesim
