// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/task_pair.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <memory>

namespace idlesim {
namespace {

/// `perf bench sched pipe`: two tasks that pass a byte to and fro through two pipes
/// (tools/perf/bench/sched-pipe.c). One operation is a round trip, two counts of context_switch2.
/// As in perf they may run wherever the scheduler places them; with both on one CPU nobody idles.
class SchedPipe final : public Workload {
public:
    struct Params {
        std::vector<int> cpus;
        std::optional<std::vector<int>> pinned;
        std::int64_t loops = 100'000;
    };

    explicit SchedPipe(Params params) : params_{std::move(params)} {}

    [[nodiscard]] std::vector<int> cpus(const Topology& topology) const override {
        if (params_.pinned) {
            return *params_.pinned;
        }
        return params_.cpus.empty() ? every_cpu(topology) : params_.cpus;
    }

    void check(const PlatformSpec&,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        if (params_.pinned && params_.pinned->size() != 2) {
            diagnostics.error(where, "sched_pipe: pinned takes two CPUs, one for each task");
        }
        if (params_.pinned && !params_.cpus.empty()) {
            diagnostics.error(where, "sched_pipe: tasks are pinned, or free to move among cpus");
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& options) override {
        Task& first = add_task(kernel, "sched-pipe", 0);
        Task& second = add_task(kernel, "sched-pipe-child", 1);
        tasks_ = std::make_unique<TaskPair>(kernel, first, second, "pipe", options.sample_rows);
        tasks_->stop_after(params_.loops);
        tasks_->follow_lines();
        simulation_ = &kernel.machine().simulation();
    }

    [[nodiscard]] double progress() const override {
        return static_cast<double>(tasks_->round_trips()) / static_cast<double>(params_.loops);
    }

    void collect(RunResult& result) override {
        const Duration elapsed = simulation_->now() - Time{};
        constexpr double kMicrosecond = 1e6;  // in picoseconds
        const auto loops = static_cast<double>(params_.loops);
        result.series.push_back(
            {"usecs_per_op", "us", {static_cast<double>(elapsed.count()) / kMicrosecond / loops}});
        result.samples = tasks_->take_samples();
        result.sched_pipe = PipeTotals{params_.loops, elapsed};
    }

private:
    // The child begins on a CPU of its own where there is one, as fork() places it.
    Task& add_task(Kernel& kernel, const char* name, std::size_t index) const {
        if (params_.pinned) {
            return kernel.add_task(name, (*params_.pinned)[index]);
        }
        const std::vector<int>& all = kernel.machine().cpu_numbers();
        return kernel.add_task(name, all[std::min(index, all.size() - 1)], all);
    }

    static std::vector<int> every_cpu(const Topology& topology) {
        std::vector<int> all;
        for (int cpu = 0; cpu < topology.cpus(); ++cpu) {
            all.push_back(cpu);
        }
        return all;
    }

    Params params_;
    Simulation* simulation_ = nullptr;
    std::unique_ptr<TaskPair> tasks_;
};

const Register<Workload, SchedPipe> kSchedPipe{
    "sched_pipe",
    "perf bench sched pipe: two tasks pass a byte to and fro; usecs per round trip",
    {
        config::field("cpus",
                      &SchedPipe::Params::cpus,
                      "CPUs that both tasks may move among; none: all of the platform"),
        config::field("pinned",
                      &SchedPipe::Params::pinned,
                      "two CPUs that the tasks are bound to; twice the same one: nobody idles"),
        config::field("loops", &SchedPipe::Params::loops, "operations, two hand-overs each")
            .at_least(1)
            .at_most(1'000'000'000),
    }};

}  // namespace
}  // namespace idlesim
