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

/// A thread in user mode that polls a device and handles its packets in bursts, as DPDK does, on a
/// CPU of its own, while the other threads of its core idle, and other cores of its package if
/// asked. There is always a next packet. Its rate and the cycles of the TSC per packet are what a
/// packet forwarder prints (testpmd). The clock of the TSC is the platform's core_clock.
class PollLoop final : public Workload {
public:
    struct Params {
        int cpu = 0;
        int idle_cores = 0;
        Duration packet_work = 100ns;
        double indirect_branches = 46;
        int burst = 32;
        Duration warm_up = 20ms;
        Duration duration = 200ms;
        Duration interval = 20ms;
    };

    explicit PollLoop(Params params) : params_{params} {}

    [[nodiscard]] std::vector<int> cpus(const Topology& topology) const override {
        if (params_.cpu < 0 || params_.cpu >= topology.cpus()) {
            return {params_.cpu};
        }
        const int own = topology.core_of(params_.cpu);
        const int package = topology.package_of(own);
        std::vector<int> cpus = topology.threads_of(own);
        int idle = 0;
        for (int core = 0; core < topology.cores() && idle < params_.idle_cores; ++core) {
            if (core != own && topology.package_of(core) == package) {
                const std::vector<int> threads = topology.threads_of(core);
                cpus.insert(cpus.end(), threads.begin(), threads.end());
                ++idle;
            }
        }
        return cpus;
    }

    void check(const PlatformSpec& platform,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        const int most = platform.topology.cores() / platform.topology.packages - 1;
        if (params_.idle_cores > most) {
            diagnostics.error(
                where, fmt::format("poll_loop: idle_cores: its package has {} other cores", most));
        }
        if (params_.duration < params_.interval) {
            diagnostics.error(where, "poll_loop: duration is shorter than an interval");
        }
        if (params_.packet_work * params_.burst > params_.interval) {
            diagnostics.error(where, "poll_loop: a burst takes longer than an interval");
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& /*options*/) override {
        Machine& machine = kernel.machine();
        simulation_ = &machine.simulation();
        hertz_ = machine.platform().core_clock.hertz();
        Task& task = kernel.add_task("poll_loop", params_.cpu);
        task.context.indirect_branches = params_.indirect_branches;
        ProgramBuilder b = machine.program("poll_loop");
        const Label loop = b.label();
        kernel.emit_task_begin(b);
        b.bind(loop).effect(effect_of<&PollLoop::receive>(this)).compute("packet");
        b.effect(effect_of<&PollLoop::send>(this)).jump(loop);
        task.program = &machine.keep(b.finish());
        kernel.make_runnable(task);
        clock_ = std::make_unique<Event>(
            *simulation_, "poll_loop.interval", Phase::observe, bind<&PollLoop::look>(this));
        simulation_->schedule_in(*clock_, params_.warm_up);
    }

    [[nodiscard]] double progress() const override {
        return static_cast<double>(std::max<std::int64_t>(0, intervals_)) /
               static_cast<double>(params_.duration / params_.interval);
    }

    void collect(RunResult& result) override {
        result.series.push_back({"packet_cycles", "cycles", std::move(cycles_)});
        result.series.push_back({"packet_rate", "1/s", std::move(rates_)});
    }

private:
    bool receive(LogicalCpu& cpu, std::uint64_t) {
        cpu.context().compute_left = params_.packet_work * params_.burst;
        return false;
    }

    bool send(LogicalCpu&, std::uint64_t) {
        ++bursts_;
        last_burst_ = simulation_->now();
        return false;
    }

    // Whole bursts, over the time that they took; the first look ends the warm-up.
    void look() {
        ++intervals_;
        if (intervals_ == 0) {
            bursts_ = 0;
            counted_to_ = last_burst_;
        } else if (bursts_ > 0) {
            const double seconds = std::chrono::duration<double>(last_burst_ - counted_to_).count();
            const double packets = static_cast<double>(bursts_) * params_.burst;
            cycles_.push_back(seconds * hertz_ / packets);
            rates_.push_back(packets / seconds);
            bursts_ = 0;
            counted_to_ = last_burst_;
        }
        if (progress() >= 1.0) {
            simulation_->stop();
        } else {
            simulation_->schedule_in(*clock_, params_.interval);
        }
    }

    Params params_;
    Simulation* simulation_ = nullptr;
    std::unique_ptr<Event> clock_;
    double hertz_ = 0;
    std::int64_t bursts_ = 0;
    std::int64_t intervals_ = -1;
    Time last_burst_{};
    Time counted_to_{};
    std::vector<double> cycles_;
    std::vector<double> rates_;
};

const Register<Workload, PollLoop> kPollLoop{
    "poll_loop",
    "a thread that polls for packets in user mode beside idle siblings",
    {
        config::field("cpu", &PollLoop::Params::cpu, "CPU of the thread; its siblings idle"),
        config::field("idle_cores",
                      &PollLoop::Params::idle_cores,
                      "other cores of its package that take part and idle")
            .at_least(0)
            .at_most(1023),
        config::field("packet_work",
                      &PollLoop::Params::packet_work,
                      "work of a packet, alone on the core: the absolute scale")
            .positive(),
        config::field("indirect_branches",
                      &PollLoop::Params::indirect_branches,
                      "indirect branches per microsecond of work")
            .at_least(0.0)
            .at_most(1e4),
        config::field("burst", &PollLoop::Params::burst, "packets handled in one go")
            .at_least(1)
            .at_most(4096),
        config::field("warm_up", &PollLoop::Params::warm_up, "time before the first interval")
            .non_negative(),
        config::field("duration", &PollLoop::Params::duration, "simulated time after the warm-up")
            .positive(),
        config::field("interval", &PollLoop::Params::interval, "one value per interval").positive(),
    }};

}  // namespace
}  // namespace idlesim
