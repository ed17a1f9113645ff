// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/kernel.hpp"
#include "models/path_pool.hpp"
#include "models/rt_app/profile.hpp"
#include "sim/stats/sample_table.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace idlesim::rt_app {

class Actor;

/// What the tasks of a profile share while it runs: mutexes, conditions, timers, and what is
/// measured.
class Stage {
public:
    struct Mutex {
        Actor* owner = nullptr;
        std::deque<Actor*> waiters;
    };

    struct Barrier {
        int parties = 0;
        int arrived = 0;
        std::deque<Actor*> waiters;
    };

    /// Builds a task for each instance in the profile, bound as it says, or free to move among
    /// `cpus`.
    Stage(Kernel& kernel,
          const Profile& profile,
          const std::vector<int>& cpus,
          std::int64_t sample_rows);
    Stage(const Stage&) = delete;
    Stage(Stage&&) = delete;
    Stage& operator=(const Stage&) = delete;
    Stage& operator=(Stage&&) = delete;
    ~Stage();

    [[nodiscard]] Kernel& kernel() { return kernel_; }

    [[nodiscard]] Mutex& mutex(int index) { return mutexes_[static_cast<std::size_t>(index)]; }

    /// Those who wait for a condition, longest first.
    [[nodiscard]] std::deque<Actor*>& waiters(int condition) {
        return conditions_[static_cast<std::size_t>(condition)];
    }

    [[nodiscard]] Barrier& barrier(int index) { return barriers_[static_cast<std::size_t>(index)]; }

    /// When a shared timer fires next; absent: nobody has used it yet.
    [[nodiscard]] std::optional<Time>& timer(int index) {
        return timers_[static_cast<std::size_t>(index)];
    }

    /// Stops the simulation once all tasks have ended.
    void task_ended();

    void phase_done() { ++phases_done_; }

    [[nodiscard]] bool all_ended() const { return ended_ == actors_.size(); }

    [[nodiscard]] std::int64_t phases_done() const { return phases_done_; }

    [[nodiscard]] PathPool& paths() { return paths_; }

    /// A task runs again that a timer or another task has woken at `due`; `path`, where it is not
    /// nullptr, has followed it here.
    void record_wake(const LogicalCpu& cpu, Time due, const Attribution* path);

    /// Time that a task had left when it began to wait for a timer; negative: it was late.
    void record_slack(Duration slack);

    /// wake_latency and slack.
    void collect(RunResult& result);

private:
    void add_actors(const TaskSpec& spec, const std::vector<int>& free_cpus);

    Kernel& kernel_;
    const Profile& profile_;
    std::vector<Mutex> mutexes_;
    std::vector<std::deque<Actor*>> conditions_;
    std::vector<Barrier> barriers_;
    std::vector<std::optional<Time>> timers_;
    PathPool paths_;
    StepId unfollowed_step_;
    std::vector<std::unique_ptr<Actor>> actors_;
    SampleTable samples_;
    std::vector<double> slack_;
    std::size_t ended_ = 0;
    std::int64_t phases_done_ = 0;
};

}  // namespace idlesim::rt_app
