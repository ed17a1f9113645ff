// SPDX-License-Identifier: Apache-2.0
#include "models/interrupt/interrupt_source.hpp"
#include "models/kernel/kernel.hpp"
#include "sim/registry/registry.hpp"

#include <memory>
#include <vector>

#include <fmt/format.h>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// A device whose handler, at the end of a burst of interrupts, arms a timer of the wheel on its
/// own CPU and wakes nobody (mod_timer() of a timeout, as drivers and the network stack do). Such a
/// timer asks for no interrupt: the idle loop has to see it before it sleeps. Interrupts come in
/// bursts, as a card's do: the second one may meet a CPU that is on its way back to sleep.
class TimerArming final : public InterruptSource {
public:
    struct Params {
        Duration mean_interval = 50ms;
        int burst = 2;
        Duration burst_gap = 3us;
        Duration delay = 8ms;
    };

    explicit TimerArming(Params params) : params_{params} {}

    void attach(Kernel& kernel) override {
        Machine& machine = kernel.machine();
        for (const int number : machine.cpu_numbers()) {
            devices_.push_back(std::make_unique<Device>(*this, kernel, machine.cpu(number)));
        }
    }

private:
    class Device {
    public:
        Device(const TimerArming& owner, Kernel& kernel, LogicalCpu& cpu)
            : owner_{owner},
              kernel_{kernel},
              cpu_{cpu},
              vector_{kernel.allocate_vector()},
              interval_{Distribution::exponential(owner.params_.mean_interval)},
              gap_{Distribution::exponential(owner.params_.burst_gap)},
              stream_{kernel.machine().stream(fmt::format("cpu{}.timer_arming", cpu.number()))},
              event_{kernel.machine().simulation(),
                     fmt::format("cpu{}.timer_arming", cpu.number()),
                     Phase::interrupt,
                     bind<&Device::arrive>(this)} {
            cpu.set_handler(vector_,
                            &kernel.machine().keep(
                                kernel.interrupt_program("timer_arming", [this](ProgramBuilder& b) {
                                    b.work("device_handler");
                                    b.effect(effect_of<&Device::arm>(this));
                                })));
            cpu.simulation().schedule_in(event_, interval_.sample(stream_));
        }

    private:
        void arrive() {
            cpu_.raise(vector_);
            in_burst_ = (in_burst_ + 1) % owner_.params_.burst;
            const Distribution& until_next = in_burst_ == 0 ? interval_ : gap_;
            cpu_.simulation().schedule_in(event_, until_next.sample(stream_));
        }

        // The end of a burst arms the timeout of the next; one is pending at a time.
        bool arm(LogicalCpu& cpu, std::uint64_t) {
            if (in_burst_ == 0 && !timer_.is_armed) {
                kernel_.add_wheel_timer(cpu, timer_, owner_.params_.delay);
            }
            return false;
        }

        const TimerArming& owner_;
        Kernel& kernel_;
        LogicalCpu& cpu_;
        Vector vector_;
        Distribution interval_;
        Distribution gap_;
        int in_burst_ = 0;
        RandomStream stream_;
        Event event_;
        WheelTimer timer_;
    };

    Params params_;
    std::vector<std::unique_ptr<Device>> devices_;
};

const Register<InterruptSource, TimerArming> kTimerArming{
    "timer_arming",
    "a device on every CPU that interrupts in bursts and then arms a timer of the wheel",
    {
        config::field("mean_interval",
                      &TimerArming::Params::mean_interval,
                      "mean distance of two bursts of interrupts on one CPU (exponential)")
            .positive(),
        config::field("burst", &TimerArming::Params::burst, "interrupts of a burst")
            .at_least(1)
            .at_most(1000),
        config::field("burst_gap",
                      &TimerArming::Params::burst_gap,
                      "mean distance of two interrupts of a burst (exponential)")
            .positive(),
        config::field("delay", &TimerArming::Params::delay, "what the timer is armed for")
            .positive(),
    }};

}  // namespace
}  // namespace idlesim
