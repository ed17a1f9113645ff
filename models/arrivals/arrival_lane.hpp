// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/arrivals/recorded_wakes.hpp"
#include "models/kernel/kernel.hpp"

#include <optional>
#include <vector>

namespace idlesim {

/// How a recording is played.
struct ReplayPlan {
    std::optional<ArrivalKind> source;  ///< all arrivals come this way; absent: as recorded
    std::optional<Duration> work;       ///< of each wake-up of a task; absent: as recorded
    std::int64_t repeat = 1;
    Duration length{};            ///< of the recording
    std::vector<Vector> devices;  ///< [device of the recording]; the last one serves the rest

    [[nodiscard]] ArrivalKind kind_of(const Arrival& arrival) const {
        return source.value_or(arrival.kind);
    }

    /// Zero: it wakes no task.
    [[nodiscard]] Duration work_of(const Arrival& arrival) const {
        return arrival.work > Duration::zero() && work ? *work : arrival.work;
    }
};

/// One replayed CPU.
class ArrivalLane {
public:
    /// Adds the task to the kernel, before Kernel::start(). All must outlive the lane; `waker` is
    /// the CPU that sends wake-ups of other CPUs, where there are any.
    ArrivalLane(const ReplayPlan& plan,
                SampleTable& samples,
                Kernel& kernel,
                int cpu,
                int waker,
                const CpuArrivals& recorded);

    /// In a device's handler: everything that is due.
    void serve(LogicalCpu& cpu) {
        work_ += due_;
        due_ = {};
        kernel_.wake_here(task_, cpu);
    }

    [[nodiscard]] bool has_due() const { return due_ > Duration::zero(); }

private:
    /// Goes through the arrivals of one kind, again and again as often as the recording is played.
    struct Cursor {
        std::vector<const Arrival*> arrivals;
        std::size_t next = 0;
        std::int64_t round = 0;
    };

    [[nodiscard]] std::optional<Time> time_of(const Cursor& cursor) const {
        if (cursor.arrivals.empty() || cursor.round >= plan_.repeat) {
            return std::nullopt;
        }
        return Time{} + plan_.length * cursor.round + cursor.arrivals[cursor.next]->at;
    }

    static const Arrival& take(Cursor& cursor) {
        const Arrival& arrival = *cursor.arrivals[cursor.next];
        if (++cursor.next == cursor.arrivals.size()) {
            cursor.next = 0;
            ++cursor.round;
        }
        return arrival;
    }

    void write_task();
    void write_waker(int waker);
    void schedule(Event& event, const Cursor& cursor);
    void open(LogicalCpu& cpu);

    // Events.
    void device_arrives();
    void remote_arrives();

    // Effects of the task.
    bool has_work(LogicalCpu& cpu, std::uint64_t);
    bool keeps_timer(LogicalCpu& cpu, std::uint64_t);
    bool woke(LogicalCpu& cpu, std::uint64_t);
    bool expired(LogicalCpu& cpu, std::uint64_t);

    // Effects of the waker.
    bool send(LogicalCpu& cpu, std::uint64_t);

    static bool do_nothing(void* /*context*/, LogicalCpu& /*cpu*/, std::uint64_t /*argument*/) {
        return false;
    }

    void take_due_timers(Time now);
    bool arm();

    const ReplayPlan& plan_;
    SampleTable& samples_;
    Kernel& kernel_;
    LogicalCpu& cpu_;
    LogicalCpu* waker_ = nullptr;
    CpuTimers& timers_;
    Task& task_;
    HrTimer timer_;
    Attribution timer_path_;
    Attribution wake_path_;
    bool is_open_ = false;  ///< wake_path_ is under way
    Cursor timer_arrivals_;
    Cursor device_arrivals_;
    Cursor remote_arrivals_;
    Event device_event_;
    Event remote_event_;
    Vector wake_vector_ = 0;  ///< of the waker: it wakes the task
    Vector call_vector_ = 0;  ///< of the waker: it calls a function that does nothing
    Duration due_{};          ///< of interrupts that have not been served
    Duration sent_{};         ///< of wake-ups that have not been sent
    Duration work_{};         ///< for the task
};

}  // namespace idlesim
