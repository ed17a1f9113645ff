// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <memory>

#include <fmt/format.h>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// dbench 4 as far as idleness matters: client processes, one to a CPU, that compute for a while,
/// then wait a little for a device whose interrupt wakes them on the same CPU, again and again. The
/// throughput is what the operations of all clients move. How long a burst and a wait are is no
/// published number: the burst is fitted, and with it the wake rate.
class Dbench final : public Workload {
public:
    struct Params {
        std::vector<int> clients{0, 1, 2, 3};
        Duration burst = 10us;
        Duration wait = 10us;
        double bytes_per_operation = 4096;
        Duration duration = 1s;
        Duration interval = 100ms;
    };

    explicit Dbench(Params params) : params_{std::move(params)} {}

    [[nodiscard]] std::vector<int> cpus(const Topology&) const override { return params_.clients; }

    void check(const PlatformSpec&,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        if (params_.clients.empty()) {
            diagnostics.error(where, "dbench: there is no client");
        }
        if (params_.duration < params_.interval) {
            diagnostics.error(where, "dbench: duration is shorter than an interval");
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& /*options*/) override {
        Machine& machine = kernel.machine();
        simulation_ = &machine.simulation();
        for (const int cpu : params_.clients) {
            clients_.push_back(std::make_unique<Client>(*this, kernel, cpu));
        }
        clock_ = std::make_unique<Event>(
            *simulation_, "dbench.interval", Phase::observe, bind<&Dbench::interval_over>(this));
        simulation_->schedule_in(*clock_, params_.interval);
    }

    [[nodiscard]] double progress() const override {
        return static_cast<double>(throughput_.size()) / wanted();
    }

    void collect(RunResult& result) override {
        result.series.push_back({"throughput", "MB/s", std::move(throughput_)});
        result.series.push_back({"wake_rate", "1/s", std::move(wake_rate_)});
    }

private:
    class Client {
    public:
        Client(Dbench& owner, Kernel& kernel, int cpu)
            : owner_{owner},
              kernel_{kernel},
              cpu_{kernel.machine().cpu(cpu)},
              bursts_{kernel.machine().stream(fmt::format("dbench.{}.burst", cpu))},
              waits_{kernel.machine().stream(fmt::format("dbench.{}.wait", cpu))},
              vector_{kernel.allocate_vector()},
              done_{kernel.machine().simulation(),
                    fmt::format("dbench.{}", cpu),
                    Phase::interrupt,
                    bind<&Client::request_done>(this)},
              task_{kernel.add_task("dbench", cpu)} {
            ProgramBuilder b = kernel.machine().program("dbench");
            const Label loop = b.label();
            kernel.emit_guarded_begin(b);
            b.bind(loop).effect(effect_of<&Client::begin_burst>(this)).compute();
            kernel.emit_guarded_entry(b);
            b.effect(effect_of<&Client::request>(this), 0, "nanosleep_call");
            kernel.emit_schedule(b);
            b.work("nanosleep_return");
            kernel.emit_guarded_return(b);
            b.jump(loop);
            task_.program = &kernel.machine().keep(b.finish());
            kernel.make_runnable(task_);
            cpu_.set_handler(
                vector_,
                &kernel.machine().keep(
                    kernel.measured_interrupt_program("disk", [this](ProgramBuilder& handler) {
                        handler.work("device_handler").work("try_to_wake_up");
                        handler.effect(effect_of<&Client::wake>(this), 0, "enqueue_task");
                    })));
        }

    private:
        bool begin_burst(LogicalCpu& cpu, std::uint64_t) {
            cpu.context().compute_left = owner_.burst_.sample(bursts_);
            return false;
        }

        bool request(LogicalCpu& cpu, std::uint64_t) {
            Kernel::sleep(task_);
            cpu.simulation().schedule_in(done_, owner_.wait_.sample(waits_));
            return false;
        }

        void request_done() {
            ++owner_.operations_;
            cpu_.raise(vector_);
        }

        bool wake(LogicalCpu& cpu, std::uint64_t) {
            kernel_.wake_here(task_, cpu);
            return false;
        }

        Dbench& owner_;
        Kernel& kernel_;
        LogicalCpu& cpu_;
        RandomStream bursts_;
        RandomStream waits_;
        Vector vector_;
        Event done_;
        Task& task_;
    };

    [[nodiscard]] double wanted() const {
        return static_cast<double>(params_.duration / params_.interval);
    }

    void interval_over() {
        constexpr double kMega = 1e6;
        const double seconds = std::chrono::duration<double>(params_.interval).count();
        const auto operations = static_cast<double>(operations_);
        operations_ = 0;
        throughput_.push_back(operations * params_.bytes_per_operation / kMega / seconds);
        wake_rate_.push_back(operations / seconds / static_cast<double>(clients_.size()));
        if (progress() >= 1.0) {
            simulation_->stop();
        } else {
            simulation_->schedule_in(*clock_, params_.interval);
        }
    }

    Params params_;
    Simulation* simulation_ = nullptr;
    Distribution burst_ = Distribution::gamma(4.0, params_.burst);
    Distribution wait_ = Distribution::gamma(4.0, params_.wait);
    std::vector<std::unique_ptr<Client>> clients_;
    std::unique_ptr<Event> clock_;
    std::int64_t operations_ = 0;
    std::vector<double> throughput_;
    std::vector<double> wake_rate_;
};

const Register<Workload, Dbench> kDbench{
    "dbench",
    "closed-loop clients that compute, wait for a device, and are woken by its interrupt",
    {
        config::field("clients", &Dbench::Params::clients, "CPUs, one client each"),
        config::field("burst", &Dbench::Params::burst, "mean computation between two waits")
            .positive(),
        config::field("wait", &Dbench::Params::wait, "mean time that the device takes").positive(),
        config::field("bytes_per_operation",
                      &Dbench::Params::bytes_per_operation,
                      "what one operation moves: the absolute scale of the throughput")
            .at_least(1.0)
            .at_most(1e9),
        config::field("duration", &Dbench::Params::duration, "simulated time").positive(),
        config::field("interval", &Dbench::Params::interval, "one throughput value per interval")
            .positive(),
    }};

}  // namespace
}  // namespace idlesim
