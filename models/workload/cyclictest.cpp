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

/// cyclictest (rt-tests 2.4): threads bound to CPUs sleep until an absolute time that moves on by
/// their interval (clock_nanosleep, TIMER_ABSTIME); latency is the clock reading behind the sleep
/// minus the time that was asked for. Unless `latency` says otherwise it writes 0 into
/// /dev/cpu_dma_latency, so that the CPUs only poll.
class Cyclictest final : public Workload {
public:
    struct Params {
        std::vector<int> affinity{0};
        Duration interval = 1ms;
        Duration distance = 500us;
        std::int64_t loops = 10'000;
        Duration latency{};
        bool default_system = false;
    };

    explicit Cyclictest(Params params) : params_{std::move(params)} {}

    [[nodiscard]] std::vector<int> cpus(const Topology&) const override { return params_.affinity; }

    [[nodiscard]] std::optional<Duration> cpu_dma_latency() const override {
        return params_.default_system ? std::nullopt : std::optional{params_.latency};
    }

    void check(const PlatformSpec&,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        if (params_.affinity.empty()) {
            diagnostics.error(where, "cyclictest: affinity names no CPU");
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& options) override {
        Machine& machine = kernel.machine();
        simulation_ = &machine.simulation();
        for (std::size_t i = 0; i < params_.affinity.size(); ++i) {
            threads_.push_back(std::make_unique<Thread>(*this, kernel, static_cast<int>(i)));
        }
        samples_ = SampleTable{"cyclictest_latency", machine.steps().names(), options.sample_rows};
        samples_.reserve(std::min(wanted(), kMostReserved));
    }

    [[nodiscard]] double progress() const override {
        return static_cast<double>(samples_.count()) / static_cast<double>(wanted());
    }

    void collect(RunResult& result) override {
        result.samples = std::move(samples_);
        for (const auto& thread : threads_) {
            result.cyclictest.push_back(thread->take_latencies());
        }
    }

private:
    static constexpr std::int64_t kMostReserved = 10'000'000;

    /// A measuring thread, its timer and the event that it measures.
    class Thread {
    public:
        Thread(Cyclictest& owner, Kernel& kernel, int index)
            : owner_{owner},
              interval_{owner.params_.interval + owner.params_.distance * index},
              cpu_{owner.params_.affinity[static_cast<std::size_t>(index)]},
              timers_{kernel.timers(cpu_)} {
            Task& task = kernel.add_task("cyclictest", cpu_);
            task_ = &task;
            latencies_.cpu = cpu_;
            latencies_.interval = interval_;
            timer_.wakes = &task;
            timer_.path = &path_;
            task.program = &kernel.machine().keep(program(kernel));
            // Threads start together, at an instant that has nothing to do with the tick.
            RandomStream stream = kernel.machine().stream("cyclictest.start");
            next_ = Time{} + Distribution::uniform(Duration{1}, interval_).sample(stream);
            kernel.make_runnable(task);
        }

        ThreadLatencies take_latencies() { return std::move(latencies_); }

    private:
        Program program(Kernel& kernel) {
            ProgramBuilder b = kernel.machine().program("cyclictest");
            const Label loop = b.label();
            kernel.emit_guarded_begin(b);
            b.bind(loop);
            kernel.emit_guarded_entry(b);
            b.work("nanosleep_call");
            kernel.emit_timer_start(b, effect_of<&Thread::sleep>(this));
            kernel.emit_schedule(b);
            kernel.emit_guarded_return(b);
            b.effect(effect_of<&Thread::woke>(this), 0, "nanosleep_return").jump(loop);
            return b.finish();
        }

        // True when the clock event stays as it is.
        bool sleep(LogicalCpu& cpu, std::uint64_t) {
            next_ += interval_;
            while (next_ <= cpu.now()) {
                next_ += interval_;
            }
            Kernel::sleep(*task_);
            return !timers_.start(timer_, next_);
        }

        bool woke(LogicalCpu& cpu, std::uint64_t) {
            // The operation that reads the clock has just been marked.
            if (cpu.carries(path_)) {
                cpu.detach(path_);
                latencies_.picoseconds.push_back(path_.total().count());
                owner_.record(cpu, path_);
            }
            return false;
        }

        Cyclictest& owner_;
        Duration interval_;
        int cpu_;
        CpuTimers& timers_;
        Task* task_ = nullptr;
        HrTimer timer_;
        Attribution path_;
        Time next_{};
        ThreadLatencies latencies_;
    };

    [[nodiscard]] std::int64_t wanted() const {
        return params_.loops * static_cast<std::int64_t>(params_.affinity.size());
    }

    void record(const LogicalCpu& cpu, const Attribution& path) {
        samples_.record(cpu.now(), cpu.number(), path.total(), path.parts());
        if (samples_.count() >= wanted()) {
            simulation_->stop();
        }
    }

    Params params_;
    Simulation* simulation_ = nullptr;
    std::vector<std::unique_ptr<Thread>> threads_;
    SampleTable samples_;
};

const Register<Workload, Cyclictest> kCyclictest{
    "cyclictest",
    "threads that sleep until an absolute time and measure how late they wake",
    {
        config::field("affinity", &Cyclictest::Params::affinity, "CPUs, one thread each"),
        config::field("interval", &Cyclictest::Params::interval, "of the first thread").positive(),
        config::field("distance",
                      &Cyclictest::Params::distance,
                      "what the interval of each further thread is longer")
            .non_negative(),
        config::field("loops", &Cyclictest::Params::loops, "latencies to measure, per thread")
            .at_least(1)
            .at_most(1'000'000'000),
        config::field("latency",
                      &Cyclictest::Params::latency,
                      "what it writes into /dev/cpu_dma_latency (--latency); 0: CPUs only poll")
            .non_negative(),
        config::field("default_system",
                      &Cyclictest::Params::default_system,
                      "leave /dev/cpu_dma_latency alone (--default-system)"),
    }};

}  // namespace
}  // namespace idlesim
