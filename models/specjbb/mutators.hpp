// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/kernel.hpp"
#include "sim/engine/distribution.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace idlesim {

/// A request to the backend.
struct JbbRequest {
    Time arrived{};
    /// Nothing of a collection was left when it arrived, and none has begun since.
    bool is_steady = false;
};

/// Told what the mutators do.
class MutatorListener {
public:
    MutatorListener() = default;
    MutatorListener(const MutatorListener&) = delete;
    MutatorListener(MutatorListener&&) = delete;
    MutatorListener& operator=(const MutatorListener&) = delete;
    MutatorListener& operator=(MutatorListener&&) = delete;
    virtual ~MutatorListener() = default;

    /// True when this request's memory was the last there was: a collection has to begin, and the
    /// thread wakes who runs it.
    [[nodiscard]] virtual bool request_done(const JbbRequest& request) = 0;

    /// A thread has found the queue empty.
    virtual void queue_is_empty() = 0;
};

/// What mutators do.
struct MutatorSpec {
    std::vector<int> cpus;                                       ///< rising
    Distribution service = Distribution::constant(Duration{1});  ///< alone on a core
    double indirect_branches = 0;                                ///< per microsecond of it
};

/// The threads that serve requests, one a CPU and free to move, with one queue, and the requests
/// that arrive whatever the threads do. The thread that went to sleep last is woken for a request;
/// the interrupt that brings it is steered to the CPU where that thread slept (accelerated RFS,
/// Documentation/networking/scaling.rst), to any CPU where none sleeps. A safepoint stops the
/// threads wherever they compute.
class Mutators {
public:
    /// `listener` and `collector_thread`, which a mutator wakes for a collection, must outlive
    /// them.
    Mutators(Kernel& kernel, MutatorSpec spec, Task& collector_thread, MutatorListener& listener);
    Mutators(const Mutators&) = delete;
    Mutators(Mutators&&) = delete;
    Mutators& operator=(const Mutators&) = delete;
    Mutators& operator=(Mutators&&) = delete;
    ~Mutators();

    /// Requests arrive at `per_second`, Poisson, from now on.
    void inject(double per_second);

    /// There is always a next request.
    void saturate();

    /// Drops what is queued and has arrived so far; what is served goes on.
    void drop_queue();

    /// Requests that arrived, are queued or are served count as disturbed by a collection.
    void disturb_all();

    /// Whether requests that arrive from now on are steady.
    void set_steady(bool steady) { is_steady_ = steady; }

    /// Every thread stops at its next poll; who sleeps is safe as it is.
    void begin_safepoint();

    /// Threads may go on; those that have stopped are still asleep.
    void end_safepoint();

    /// One that a safepoint has stopped and nobody has woken since, or nullptr.
    [[nodiscard]] Task* take_stopped();

    [[nodiscard]] std::size_t queued() const { return queue_.size(); }

private:
    struct Worker;

    void write_program(Worker& worker);
    void write_handler();
    void arrive();
    bool nothing_to_hand_over(LogicalCpu& cpu, std::uint64_t);

    /// A request between its arrival and the handler, with the thread that is to be woken.
    struct Delivery {
        JbbRequest request;
        Worker* wakes = nullptr;
    };

    Kernel& kernel_;
    MutatorSpec spec_;
    Task& collector_thread_;
    MutatorListener& listener_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<Worker*> asleep_;  // the last one that went to sleep is the last
    std::deque<Worker*> stopped_;
    std::deque<JbbRequest> queue_;
    std::vector<std::deque<Delivery>> inboxes_;  // [CPU]: between the arrival and its handler
    WakeSite& wake_site_;
    Vector vector_;
    Event arrival_;
    RandomStream gaps_;
    RandomStream targets_;
    RandomStream services_;
    Distribution gap_ = Distribution::constant(Duration{1});
    bool is_saturated_ = false;
    bool is_steady_ = false;
    bool at_safepoint_ = false;
};

}  // namespace idlesim
