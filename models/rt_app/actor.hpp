// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/kernel.hpp"
#include "models/rt_app/profile.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace idlesim::rt_app {

class Stage;

/// A task of a profile: the program that its events make, and where it stands.
class Actor {
public:
    /// Writes the program and makes the task runnable. `stage`, `profile` and `spec` must outlive
    /// it.
    Actor(Stage& stage, const Profile& profile, const TaskSpec& spec, Task& task);

private:
    void emit_task(ProgramBuilder& b);
    void emit_phase(ProgramBuilder& b, std::size_t index);
    void emit_event(ProgramBuilder& b, const Event& event);
    void emit_sleep(ProgramBuilder& b, Duration length);
    void emit_timer(ProgramBuilder& b, const Event& event);
    void emit_timed_wait(ProgramBuilder& b);
    void emit_suspend(ProgramBuilder& b, int condition);
    void emit_wake_all(ProgramBuilder& b, int condition, bool only_one);
    void emit_lock(ProgramBuilder& b, int mutex);
    void emit_unlock(ProgramBuilder& b, int mutex);
    void emit_wait(ProgramBuilder& b, const Event& event);
    void emit_barrier(ProgramBuilder& b, int barrier);
    void emit_block(ProgramBuilder& b);
    void emit_wakes(ProgramBuilder& b);
    void leave(ProgramBuilder& b);

    bool begin(LogicalCpu& cpu, std::uint64_t);
    bool begin_phase(LogicalCpu&, std::uint64_t phase);
    bool phase_repeats(LogicalCpu&, std::uint64_t phase);
    bool task_repeats(LogicalCpu&, std::uint64_t);
    bool ended(LogicalCpu&, std::uint64_t);
    bool sleep_forever(LogicalCpu&, std::uint64_t);
    bool set_work(LogicalCpu& cpu, std::uint64_t picoseconds);
    bool set_sleep(LogicalCpu& cpu, std::uint64_t picoseconds);
    bool timer_has_passed(LogicalCpu& cpu, std::uint64_t event);
    bool arm(LogicalCpu& cpu, std::uint64_t);
    bool woke_by_timer(LogicalCpu& cpu, std::uint64_t);
    bool wait_for(LogicalCpu&, std::uint64_t condition);
    bool is_woken(LogicalCpu&, std::uint64_t);
    bool choose_one(LogicalCpu&, std::uint64_t condition);
    bool choose_all(LogicalCpu&, std::uint64_t condition);
    bool nobody_left(LogicalCpu& cpu, std::uint64_t);
    bool try_lock(LogicalCpu&, std::uint64_t mutex);
    bool wait_for_mutex(LogicalCpu&, std::uint64_t mutex);
    bool unlock_wakes_nobody(LogicalCpu&, std::uint64_t mutex);
    bool is_last_at(LogicalCpu&, std::uint64_t barrier);

    void begin_wake(LogicalCpu& waker);
    void end_wake(const LogicalCpu& cpu, Attribution* path, bool counts);
    [[nodiscard]] std::optional<Time>& timer(int index);

    Stage& stage_;
    Kernel& kernel_;
    const Profile& profile_;
    const TaskSpec& spec_;
    Task& task_;
    WakeSite& site_;
    HrTimer sleep_timer_;
    Time first_{};
    Time due_{};
    bool woken_ = false;
    bool has_slept_ = false;
    Attribution* wake_path_ = nullptr;  // of a wake-up by another task
    std::deque<Actor*> to_wake_;
    std::vector<std::optional<Time>> own_timers_;
    std::vector<const Event*> timer_events_;  // by the argument of timer_has_passed
    std::vector<std::int64_t> phase_rounds_;
    std::int64_t rounds_ = 0;
};

}  // namespace idlesim::rt_app
