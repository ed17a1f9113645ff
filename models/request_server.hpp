// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/kernel.hpp"
#include "models/path_pool.hpp"
#include "models/run_result.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace idlesim {

/// Queues of requests, the workers that serve them and the devices that bring them.
///
/// Each device interrupts its CPU; the handler queues what has come and wakes one worker for each
/// request, the one that has waited longest. Workers take requests in the order of their queue.
class RequestServer {
public:
    struct Options {
        std::int64_t warmup = 0;    ///< requests that are not measured, before those that are
        std::int64_t requests = 1;  ///< to measure; the last one stops the simulation
        double indirect_branches = 0;
        std::int64_t sample_rows = 0;
        std::size_t most_followed = PathPool::kMostOnOneCpu;  ///< at a time
    };

    RequestServer(Kernel& kernel, const Options& options);
    RequestServer(const RequestServer&) = delete;
    RequestServer(RequestServer&&) = delete;
    RequestServer& operator=(const RequestServer&) = delete;
    RequestServer& operator=(RequestServer&&) = delete;
    ~RequestServer();

    /// A queue with one worker, bound to `cpu`.
    void add_queue(int cpu);

    /// A queue whose workers may run on any of `cpus`.
    void add_shared_queue(const std::vector<int>& cpus, std::size_t workers);

    [[nodiscard]] std::size_t queues() const { return queues_.size(); }

    /// A request comes now for a queue, by an interrupt of `cpu`.
    void arrive(std::size_t queue, int cpu, Duration service);

    /// Requests served, the warm-up among them.
    [[nodiscard]] std::int64_t completed() const { return completed_; }

    /// request_latency; throughput, in requests a second, and the mean of requests_in_system over
    /// the time from the first measured arrival to the end of the last request.
    void collect(RunResult& result);

private:
    struct Queue;
    class Device;
    class Worker;

    struct Request {
        std::int64_t index = 0;
        Queue* queue = nullptr;
        Time arrival{};
        Duration service{};
        Attribution* path = nullptr;  ///< nullptr: not followed
    };

    struct Queue {
        std::deque<Request> requests;
        std::deque<Worker*> waiting;
        std::size_t on_the_way = 0;  ///< requests whose handler has not run yet
    };

    Device& device_of(int cpu);
    void add_worker(Queue& queue, Task& task);
    Attribution* follow(const Queue& queue);
    void record(LogicalCpu& cpu, const Request& request, Time started, bool followed);
    void change_count(std::int64_t by);

    Kernel& kernel_;
    Options options_;
    Simulation& simulation_;
    StepId queued_step_;
    StepId service_step_;
    std::deque<Queue> queues_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::unique_ptr<Device>> devices_;  // [CPU], nullptr where none is needed
    Vector vector_;
    PathPool paths_;
    SampleTable samples_;
    std::int64_t arrived_ = 0;
    std::int64_t completed_ = 0;
    std::int64_t in_system_ = 0;
    Time measured_from_{};
    Time counted_until_{};
    double request_time_ = 0;  // integral of in_system_ over time, in picoseconds
};

}  // namespace idlesim
