// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/attribution.hpp"
#include "models/kernel/kernel.hpp"
#include "sim/stats/sample_table.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace idlesim {

/// Two tasks that hand a token to each other in turn, through a pipe or a futex.
///
/// Each hand-over is a wake_latency sample, from one task's return to user mode to the other's:
/// the steps of all hand-overs cover the whole time, so their mean is the inverse of the rate.
class TaskPair {
public:
    /// Writes the tasks' programs; `costs` is the prefix of their costs ("pipe").
    TaskPair(Kernel& kernel,
             Task& first,
             Task& second,
             const std::string& costs,
             std::int64_t sample_rows);
    TaskPair(const TaskPair&) = delete;
    TaskPair(TaskPair&&) = delete;
    TaskPair& operator=(const TaskPair&) = delete;
    TaskPair& operator=(TaskPair&&) = delete;
    ~TaskPair() = default;

    /// How often the token has come back to the first task.
    [[nodiscard]] std::int64_t round_trips() const { return round_trips_; }

    /// Stops the simulation after so many; 0: never.
    void stop_after(std::int64_t round_trips) { wanted_ = round_trips; }

    /// The lines of each come from where the other one is, also when they move; on one CPU they
    /// need not come. Else they come from where Kernel::set_peers() says.
    void follow_lines();

    [[nodiscard]] SampleTable take_samples() { return std::move(samples_); }

private:
    /// One task and what has been handed to it.
    struct Side {
        TaskPair* pair = nullptr;
        Task* task = nullptr;
        int tokens = 0;
        bool waits = false;

        // True when the task has not begun to wait: it will see the token by itself.
        bool give(LogicalCpu& giver, std::uint64_t);

        // True when there is something to take; otherwise the task sleeps at its next schedule.
        bool take(LogicalCpu&, std::uint64_t);
    };

    Program program_of(Side& self, Side& peer, bool begins, const std::string& costs);
    void update_lines();
    bool begin(LogicalCpu& cpu, std::uint64_t);
    bool count(LogicalCpu& cpu, std::uint64_t is_first);

    Kernel& kernel_;
    std::array<Side, 2> sides_{};
    Attribution path_;
    SampleTable samples_;
    std::int64_t round_trips_ = 0;
    std::int64_t wanted_ = 0;
    bool follows_lines_ = false;
    std::array<int, 2> lines_between_{-1, -1};
};

}  // namespace idlesim
