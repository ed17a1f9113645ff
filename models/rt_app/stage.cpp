// SPDX-License-Identifier: Apache-2.0
#include "models/rt_app/stage.hpp"

#include "models/rt_app/actor.hpp"

#include <array>

#include <fmt/format.h>

namespace idlesim::rt_app {

Stage::Stage(Kernel& kernel,
             const Profile& profile,
             const std::vector<int>& cpus,
             std::int64_t sample_rows)
    : kernel_{kernel},
      profile_{profile},
      mutexes_(profile.mutexes.size()),
      conditions_(profile.conditions.size()),
      timers_(profile.timers.size()),
      paths_{kernel.machine(), PathPool::kMostOnOneCpu},
      unfollowed_step_{kernel.machine().steps().id("wake_up")} {
    for (const int parties : profile.barrier_parties) {
        barriers_.push_back({parties, 0, {}});
    }
    for (const TaskSpec& spec : profile.tasks) {
        add_actors(spec, cpus);
    }
    samples_ = SampleTable{"wake_latency", kernel.machine().steps().names(), sample_rows};
}

Stage::~Stage() = default;

// Tasks begin side by side, as fork() spreads them.
void Stage::add_actors(const TaskSpec& spec, const std::vector<int>& free_cpus) {
    const std::vector<int>& allowed = spec.cpus.empty() ? free_cpus : spec.cpus;
    for (int i = 0; i < spec.instances; ++i) {
        const int cpu = allowed[actors_.size() % allowed.size()];
        const std::string name =
            spec.instances == 1 ? spec.name : fmt::format("{}-{}", spec.name, i);
        Task& task = allowed.size() == 1 ? kernel_.add_task(name, cpu)
                                         : kernel_.add_task(name, cpu, allowed);
        actors_.push_back(std::make_unique<Actor>(*this, profile_, spec, task));
    }
}

void Stage::task_ended() {
    if (++ended_ == actors_.size()) {
        kernel_.machine().simulation().stop();
    }
}

void Stage::record_wake(const LogicalCpu& cpu, Time due, const Attribution* path) {
    const Time now = kernel_.machine().now();
    if (path != nullptr) {
        samples_.record(now, cpu.number(), path->total(), path->parts());
        return;
    }
    const std::array<StepPart, 1> part{StepPart{unfollowed_step_, now - due}};
    samples_.record(now, cpu.number(), now - due, part);
}

void Stage::record_slack(Duration slack) {
    constexpr double kMicrosecond = 1e6;  // in picoseconds
    slack_.push_back(static_cast<double>(slack.count()) / kMicrosecond);
}

void Stage::collect(RunResult& result) {
    result.samples = std::move(samples_);
    if (!slack_.empty()) {
        result.series.push_back({"slack", "us", std::move(slack_)});
    }
}

}  // namespace idlesim::rt_app
