// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <array>
#include <memory>

#include <fmt/format.h>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// What the two threads hand over through.
enum class HandOver { pipe, futex };

}  // namespace
}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<idlesim::HandOver> {
    static constexpr std::pair<std::string_view, idlesim::HandOver> values[] = {
        {"pipe", HandOver::pipe}, {"futex", HandOver::futex}};
};

}  // namespace idlesim::config

namespace idlesim {
namespace {

/// Two threads on two CPUs that wake each other in turn (context_switch2 of Anton Blanchard's
/// junkcode; tools/testing/selftests/powerpc/benchmarks/context_switch.c). The program adds 2 to
/// its count per round trip and prints it each second, so one count is one hand-over: one remote
/// wake-up, one idle exit.
///
/// Each hand-over is a wake_latency sample, from one thread's return to user mode to the
/// other's: the steps of all hand-overs cover the whole time, so their mean is the inverse of
/// the rate.
class ContextSwitch2 final : public Workload {
public:
    struct Params {
        int cpu1 = 0;
        int cpu2 = 2;
        HandOver test = HandOver::pipe;
        Duration duration = 5s;
        Duration interval = 1s;
    };

    explicit ContextSwitch2(Params params) : params_{params} {}

    [[nodiscard]] std::vector<int> cpus(const Topology&) const override {
        return {params_.cpu1, params_.cpu2};
    }

    void check(const PlatformSpec&,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        if (params_.interval > params_.duration) {
            diagnostics.error(where,
                              "context_switch2: duration is shorter than one interval, so there "
                              "would be no rate to print");
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& options) override {
        Machine& machine = kernel.machine();
        simulation_ = &machine.simulation();
        kernel.set_peers(params_.cpu1, params_.cpu2);
        kernel.set_peers(params_.cpu2, params_.cpu1);
        Task& first = kernel.add_task("thread1", params_.cpu1);
        Task& second = kernel.add_task("thread2", params_.cpu2);
        sides_[0] = {this, &first, &machine.cpu(params_.cpu1), 0, false};
        sides_[1] = {this, &second, &machine.cpu(params_.cpu2), 0, false};
        first.path = &path_;
        second.path = &path_;
        first.program = &machine.keep(thread_program(kernel, sides_[0], sides_[1], true));
        second.program = &machine.keep(thread_program(kernel, sides_[1], sides_[0], false));
        // The second thread blocks first, as in the real program, where it waits for a byte.
        kernel.make_runnable(first);
        kernel.make_runnable(second);
        alarm_ = std::make_unique<Event>(machine.simulation(),
                                         "context_switch2.alarm",
                                         Phase::observe,
                                         bind<&ContextSwitch2::print_rate>(this));
        simulation_->schedule_in(*alarm_, params_.interval);
        samples_ = SampleTable{"wake_latency", machine.steps().names(), options.sample_rows};
    }

    [[nodiscard]] double progress() const override {
        return static_cast<double>(rates_.size()) / static_cast<double>(intervals());
    }

    void collect(RunResult& result) override {
        result.samples = std::move(samples_);
        result.series.push_back({"context_switch_rate", "1/s", std::move(rates_)});
    }

private:
    /// One thread and what has been handed to it.
    struct Side {
        ContextSwitch2* workload = nullptr;
        Task* task = nullptr;
        LogicalCpu* cpu = nullptr;
        int tokens = 0;
        bool waits = false;

        // True when the thread has not begun to wait: it will see the token by itself.
        bool give(LogicalCpu& giver, std::uint64_t) {
            ++tokens;
            if (!waits) {
                giver.detach(workload->path_);
                cpu->attach(workload->path_);
            }
            return !waits;
        }

        // True when there is something to take; otherwise the thread sleeps at its next schedule.
        bool take(LogicalCpu&, std::uint64_t) {
            if (tokens > 0) {
                --tokens;
                waits = false;
                return true;
            }
            waits = true;
            Kernel::sleep(*task);
            return false;
        }
    };

    Program thread_program(Kernel& kernel, Side& self, Side& peer, bool begins) {
        const std::string prefix = params_.test == HandOver::pipe ? "pipe" : "futex";
        ProgramBuilder b = kernel.machine().program(self.task->name);
        const Label loop = b.label();
        const Label wait = b.label();
        const Label take = b.label();
        const Label taken = b.label();
        const Label given = b.label();

        if (begins) {
            b.effect(effect_of<&ContextSwitch2::begin>(this));
        } else {
            b.jump(wait);
        }
        // The wake-up: write() of one byte, or FUTEX_WAKE.
        b.bind(loop).branch(effect_of<&Side::give>(&peer), given, 0, prefix + "_give");
        kernel.emit_wake(b, *peer.task);
        b.bind(given).work(prefix + "_give_return");
        // The wait: read() of one byte, or FUTEX_WAIT.
        b.bind(wait).work(prefix + "_take");
        b.bind(take).branch(effect_of<&Side::take>(&self), taken);
        kernel.emit_schedule(b);
        b.jump(take);
        b.bind(taken).work(prefix + "_take_return");
        b.effect(effect_of<&ContextSwitch2::count>(this), begins ? 1 : 0);
        b.jump(loop);
        return b.finish();
    }

    bool begin(LogicalCpu& cpu, std::uint64_t) {
        path_.start(cpu.now());
        cpu.attach(path_);
        return false;
    }

    // A hand-over ends where the next one begins: nothing lies between two of them.
    bool count(LogicalCpu& cpu, std::uint64_t is_first_thread) {
        const Time now = cpu.now();
        if (!cpu.carries(path_)) {
            return false;
        }
        samples_.record(now, cpu.number(), now - path_.begin(), path_.parts());
        path_.start(now);
        iterations_ += is_first_thread != 0 ? 2 : 0;
        return false;
    }

    void print_rate() {
        const auto counted = static_cast<double>(iterations_ - iterations_before_);
        rates_.push_back(counted * static_cast<double>(Duration{1s}.count()) /
                         static_cast<double>(params_.interval.count()));
        iterations_before_ = iterations_;
        if (static_cast<std::int64_t>(rates_.size()) == intervals()) {
            simulation_->stop();
        } else {
            simulation_->schedule_in(*alarm_, params_.interval);
        }
    }

    [[nodiscard]] std::int64_t intervals() const { return params_.duration / params_.interval; }

    Params params_;
    Simulation* simulation_ = nullptr;
    std::array<Side, 2> sides_{};
    Attribution path_;
    std::int64_t iterations_ = 0;
    std::int64_t iterations_before_ = 0;
    std::vector<double> rates_;
    std::unique_ptr<Event> alarm_;
    SampleTable samples_;
};

const Register<Workload, ContextSwitch2> kContextSwitch2{
    "context_switch2",
    "two threads on two CPUs wake each other in turn; hand-overs a second",
    {
        config::field("cpu1", &ContextSwitch2::Params::cpu1, "CPU of the first thread"),
        config::field("cpu2", &ContextSwitch2::Params::cpu2, "CPU of the second thread"),
        config::field("test", &ContextSwitch2::Params::test, "what they hand over through"),
        config::field("duration", &ContextSwitch2::Params::duration, "simulated time").positive(),
        config::field("interval",
                      &ContextSwitch2::Params::interval,
                      "how often the rate is printed: one context_switch_rate each, per second")
            .positive(),
    }};

}  // namespace
}  // namespace idlesim
