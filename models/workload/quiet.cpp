// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <memory>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// A machine with nothing to do: its CPUs idle for `duration`, but for those that spin in a pause
/// loop in user mode. For idle power, ticks and housekeeping.
class Quiet final : public Workload {
public:
    struct Params {
        std::vector<int> cpus;
        std::vector<int> spinning;
        Duration duration = 1s;
    };

    explicit Quiet(Params params) : params_{std::move(params)} {}

    [[nodiscard]] std::vector<int> cpus(const Topology& topology) const override {
        std::vector<int> all = params_.cpus;
        for (int cpu = 0; params_.cpus.empty() && cpu < topology.cpus(); ++cpu) {
            all.push_back(cpu);
        }
        all.insert(all.end(), params_.spinning.begin(), params_.spinning.end());
        return all;
    }

    void check(const PlatformSpec&,
               const config::Location& /*where*/,
               config::Diagnostics& /*diagnostics*/) const override {}

    void set_up(Kernel& kernel, const MeasurementOptions& /*options*/) override {
        Machine& machine = kernel.machine();
        simulation_ = &machine.simulation();
        ProgramBuilder b = machine.program("spin");
        const Label loop = b.label();
        // A task's flag stays clear, so only an interrupt leaves the loop, and it goes on.
        b.bind(loop).sti().pause_loop(Duration::zero()).jump(loop);
        const Program& spin = machine.keep(b.finish());
        for (const int cpu : params_.spinning) {
            Task& task = kernel.add_task("spin", cpu);
            task.program = &spin;
            kernel.make_runnable(task);
        }
        end_ = std::make_unique<Event>(
            *simulation_, "quiet.end", Phase::control, bind<&Quiet::end>(this));
        simulation_->schedule_in(*end_, params_.duration);
    }

    [[nodiscard]] double progress() const override {
        const Duration elapsed = simulation_->now() - Time{};
        return is_over_ ? 1.0
                        : static_cast<double>(elapsed.count()) /
                              static_cast<double>(params_.duration.count() + 1);
    }

    void collect(RunResult& /*result*/) override {}

private:
    void end() {
        is_over_ = true;
        simulation_->stop();
    }

    Params params_;
    Simulation* simulation_ = nullptr;
    std::unique_ptr<Event> end_;
    bool is_over_ = false;
};

const Register<Workload, Quiet> kQuiet{
    "quiet",
    "CPUs idle, or spin in a pause loop, for a while",
    {
        config::field("cpus", &Quiet::Params::cpus, "the CPUs that take part; empty: all"),
        config::field("spinning", &Quiet::Params::spinning, "CPUs that spin instead"),
        config::field("duration", &Quiet::Params::duration, "how long").positive(),
    }};

}  // namespace
}  // namespace idlesim
