// SPDX-License-Identifier: Apache-2.0
#include "models/interrupt/interrupt_source.hpp"
#include "models/kernel/kernel.hpp"
#include "sim/registry/registry.hpp"

#include <memory>
#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// Interrupts that have nothing to do with the measurement (devices, timers of other work): a
/// Poisson process on every CPU that takes part, with the mean distance `background_interval`
/// and a handler of `background_handler`. What it adds to a measured latency is a collision,
/// shown as the step `background`.
class Background final : public InterruptSource {
public:
    struct Params {
        Duration mean_interval{};
    };

    explicit Background(Params params) : params_{params} {}

    void attach(Kernel& kernel) override {
        Machine& machine = kernel.machine();
        const Vector vector = kernel.allocate_vector();
        const Program& handler = machine.keep(kernel.interrupt_program(
            "background", [](ProgramBuilder& b) { b.work("background_handler"); }));
        const CostTable& costs = machine.costs();
        const Duration mean = params_.mean_interval > Duration::zero()
                                  ? params_.mean_interval
                                  : costs.cost(costs.id("background_interval")).base;
        for (const int number : machine.cpu_numbers()) {
            LogicalCpu& cpu = machine.cpu(number);
            cpu.set_handler(vector, &handler);
            arrivals_.push_back(std::make_unique<Arrivals>(machine, cpu, vector, mean));
        }
    }

private:
    class Arrivals {
    public:
        Arrivals(Machine& machine, LogicalCpu& cpu, Vector vector, Duration mean)
            : cpu_{cpu},
              vector_{vector},
              interval_{Distribution::exponential(mean)},
              stream_{machine.stream(fmt::format("cpu{}.background", cpu.number()))},
              event_{machine.simulation(),
                     fmt::format("cpu{}.background", cpu.number()),
                     Phase::interrupt,
                     bind<&Arrivals::arrive>(this)} {
            arm();
        }

    private:
        void arm() { cpu_.simulation().schedule_in(event_, interval_.sample(stream_)); }

        void arrive() {
            cpu_.raise(vector_);
            arm();
        }

        LogicalCpu& cpu_;
        Vector vector_;
        Distribution interval_;
        RandomStream stream_;
        Event event_;
    };

    Params params_;
    std::vector<std::unique_ptr<Arrivals>> arrivals_;
};

const Register<InterruptSource, Background> kBackground{
    "background",
    "interrupts of unrelated devices and timers, Poisson, on every CPU that takes part",
    {config::field("mean_interval",
                   &Background::Params::mean_interval,
                   "mean distance of two of them on one CPU; 0 ns: the platform's "
                   "background_interval")
         .non_negative()}};

}  // namespace
}  // namespace idlesim
