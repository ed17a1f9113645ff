// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/task_pair.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <memory>

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
        simulation_ = &kernel.machine().simulation();
        kernel.set_peers(params_.cpu1, params_.cpu2);
        kernel.set_peers(params_.cpu2, params_.cpu1);
        Task& first = kernel.add_task("thread1", params_.cpu1);
        Task& second = kernel.add_task("thread2", params_.cpu2);
        threads_ = std::make_unique<TaskPair>(kernel,
                                              first,
                                              second,
                                              params_.test == HandOver::pipe ? "pipe" : "futex",
                                              options.sample_rows);
        alarm_ = std::make_unique<Event>(*simulation_,
                                         "context_switch2.alarm",
                                         Phase::observe,
                                         bind<&ContextSwitch2::print_rate>(this));
        simulation_->schedule_in(*alarm_, params_.interval);
    }

    [[nodiscard]] double progress() const override {
        return static_cast<double>(rates_.size()) / static_cast<double>(intervals());
    }

    void collect(RunResult& result) override {
        result.samples = threads_->take_samples();
        result.series.push_back({"context_switch_rate", "1/s", std::move(rates_)});
    }

private:
    void print_rate() {
        const std::int64_t iterations = 2 * threads_->round_trips();
        const auto counted = static_cast<double>(iterations - iterations_before_);
        rates_.push_back(counted * static_cast<double>(Duration{1s}.count()) /
                         static_cast<double>(params_.interval.count()));
        iterations_before_ = iterations;
        if (static_cast<std::int64_t>(rates_.size()) == intervals()) {
            simulation_->stop();
        } else {
            simulation_->schedule_in(*alarm_, params_.interval);
        }
    }

    [[nodiscard]] std::int64_t intervals() const { return params_.duration / params_.interval; }

    Params params_;
    Simulation* simulation_ = nullptr;
    std::unique_ptr<TaskPair> threads_;
    std::int64_t iterations_before_ = 0;
    std::vector<double> rates_;
    std::unique_ptr<Event> alarm_;
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
