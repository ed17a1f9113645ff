// SPDX-License-Identifier: Apache-2.0
#include "models/request_server.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace idlesim {

namespace {

constexpr std::int64_t kMostReserved = 10'000'000;

}  // namespace

/// Brings requests to a CPU.
class RequestServer::Device {
public:
    Device(RequestServer& server, LogicalCpu& cpu)
        : server_{server}, cpu_{cpu}, site_{server.kernel_.add_wake_site()} {
        Kernel& kernel = server.kernel_;
        cpu.set_handler(server.vector_,
                        &kernel.machine().keep(
                            kernel.measured_interrupt_program("request", [&](ProgramBuilder& b) {
                                const Label next = b.label();
                                const Label done = b.label();
                                b.work("device_handler").bind(next);
                                b.branch(effect_of<&Device::nobody_to_wake>(this), done);
                                b.work("try_to_wake_up");
                                kernel.emit_wake(b, site_);
                                b.jump(next).bind(done);
                            })));
    }

    void bring(const Request& request) {
        ++request.queue->on_the_way;
        if (request.path != nullptr) {
            request.path->start(cpu_.now());
            cpu_.attach(*request.path);
        }
        arrived_.push_back(request);
        cpu_.raise(server_.vector_);
    }

private:
    bool nobody_to_wake(LogicalCpu& cpu, std::uint64_t);

    RequestServer& server_;
    LogicalCpu& cpu_;
    WakeSite& site_;
    std::deque<Request> arrived_;
};

/// A task that serves the requests of a queue, one after the other.
class RequestServer::Worker {
public:
    Worker(RequestServer& server, Queue& queue, Task& task)
        : server_{server}, queue_{queue}, task_{task} {
        Kernel& kernel = server.kernel_;
        ProgramBuilder b = kernel.machine().program(task.name);
        const Label loop = b.label();
        const Label take = b.label();
        const Label taken = b.label();
        kernel.emit_task_begin(b);
        b.bind(loop);
        kernel.emit_kernel_entry(b);
        b.work("pipe_take").bind(take).branch(effect_of<&Worker::take>(this), taken);
        kernel.emit_schedule(b);
        b.jump(take).bind(taken).work("pipe_take_return");
        kernel.emit_user_return(b);
        b.compute("service").effect(effect_of<&Worker::complete>(this)).jump(loop);
        task.program = &kernel.machine().keep(b.finish());
        task.context.indirect_branches = server.options_.indirect_branches;
        kernel.make_runnable(task);
    }

    /// What the handler does when it has chosen the worker.
    Task& wake_for(const Request& request) {
        is_waiting_ = false;
        task_.path = request.path;
        return task_;
    }

private:
    // False when there is nothing to take: the worker sleeps at its next schedule.
    bool take(LogicalCpu& cpu, std::uint64_t) {
        if (queue_.requests.empty()) {
            if (!is_waiting_) {
                is_waiting_ = true;
                queue_.waiting.push_back(this);
            }
            Kernel::sleep(task_);
            return false;
        }
        if (is_waiting_) {
            is_waiting_ = false;
            queue_.waiting.erase(std::find(queue_.waiting.begin(), queue_.waiting.end(), this));
        }
        request_ = queue_.requests.front();
        queue_.requests.pop_front();
        started_ = cpu.now();
        follows_ = request_.path != nullptr && cpu.carries(*request_.path);
        if (request_.path != nullptr && !follows_) {
            server_.paths_.give_back(*request_.path);
        }
        cpu.context().compute_left = request_.service;
        return true;
    }

    bool complete(LogicalCpu& cpu, std::uint64_t) {
        server_.record(cpu, request_, started_, follows_);
        return false;
    }

    RequestServer& server_;
    Queue& queue_;
    Task& task_;
    Request request_;
    Time started_{};
    bool is_waiting_ = false;
    bool follows_ = false;
};

bool RequestServer::Device::nobody_to_wake(LogicalCpu& cpu, std::uint64_t) {
    while (!arrived_.empty()) {
        Request request = arrived_.front();
        arrived_.pop_front();
        Queue& queue = *request.queue;
        --queue.on_the_way;
        if (queue.waiting.empty()) {
            // Whoever was waiting when it came has found another one by now.
            if (request.path != nullptr) {
                server_.paths_.give_back(*request.path);
                request.path = nullptr;
            }
            queue.requests.push_back(request);
            continue;
        }
        Worker& worker = *queue.waiting.front();
        queue.waiting.pop_front();
        queue.requests.push_back(request);
        site_.choose(cpu, worker.wake_for(request));
        return false;
    }
    return true;
}

RequestServer::RequestServer(Kernel& kernel, const Options& options)
    : kernel_{kernel},
      options_{options},
      simulation_{kernel.machine().simulation()},
      queued_step_{kernel.machine().steps().id("queued")},
      service_step_{kernel.machine().steps().id("service")},
      devices_(static_cast<std::size_t>(kernel.machine().platform().topology.cpus())),
      vector_{kernel.allocate_vector()},
      paths_{kernel.machine(), options.most_followed} {
    // An interrupt may come to any CPU that takes part.
    for (const int cpu : kernel.machine().cpu_numbers()) {
        devices_[static_cast<std::size_t>(cpu)] =
            std::make_unique<Device>(*this, kernel.machine().cpu(cpu));
    }
}

RequestServer::~RequestServer() = default;

void RequestServer::add_worker(Queue& queue, Task& task) {
    workers_.push_back(std::make_unique<Worker>(*this, queue, task));
    samples_ =
        SampleTable{"request_latency", kernel_.machine().steps().names(), options_.sample_rows};
    samples_.reserve(std::min(options_.requests, kMostReserved));
}

void RequestServer::add_queue(int cpu) {
    add_worker(queues_.emplace_back(), kernel_.add_task("worker", cpu));
}

void RequestServer::add_shared_queue(const std::vector<int>& cpus, std::size_t workers) {
    Queue& queue = queues_.emplace_back();
    for (std::size_t i = 0; i < workers; ++i) {
        add_worker(queue, kernel_.add_task("worker", cpus[i % cpus.size()], cpus));
    }
}

// Followed is who will find a worker waiting, as it looks now.
Attribution* RequestServer::follow(const Queue& queue) {
    const bool finds_worker = queue.requests.empty() && queue.waiting.size() > queue.on_the_way;
    return finds_worker ? paths_.take() : nullptr;
}

void RequestServer::arrive(std::size_t queue, int cpu, Duration service) {
    if (arrived_ == options_.warmup) {
        measured_from_ = simulation_.now();
        counted_until_ = measured_from_;
    }
    change_count(1);
    Request request;
    request.index = arrived_++;
    request.queue = &queues_[queue];
    request.arrival = simulation_.now();
    request.service = service;
    request.path = follow(*request.queue);
    devices_[static_cast<std::size_t>(cpu)]->bring(request);
}

void RequestServer::record(LogicalCpu& cpu, const Request& request, Time started, bool followed) {
    const Time now = simulation_.now();
    if (request.index >= options_.warmup) {
        // The path stays with the CPU where a worker was that has been moved while it served.
        if (followed && cpu.carries(*request.path)) {
            samples_.record(now, cpu.number(), request.path->total(), request.path->parts());
        } else {
            const std::array<StepPart, 2> parts{StepPart{queued_step_, started - request.arrival},
                                                StepPart{service_step_, now - started}};
            samples_.record(now, cpu.number(), now - request.arrival, parts);
        }
    }
    if (followed) {
        paths_.give_back(*request.path);
    }
    change_count(-1);
    if (++completed_ == options_.warmup + options_.requests) {
        simulation_.stop();
    }
}

void RequestServer::change_count(std::int64_t by) {
    const Time now = simulation_.now();
    request_time_ +=
        static_cast<double>(in_system_) * static_cast<double>((now - counted_until_).count());
    if (arrived_ <= options_.warmup) {
        request_time_ = 0;
    }
    counted_until_ = now;
    in_system_ += by;
}

void RequestServer::collect(RunResult& result) {
    const Duration elapsed = counted_until_ - measured_from_;
    const double seconds = std::chrono::duration<double>(elapsed).count();
    if (seconds > 0) {
        result.series.push_back(
            {"throughput", "1/s", {static_cast<double>(options_.requests) / seconds}});
        result.series.push_back(
            {"requests_in_system", "1", {request_time_ / static_cast<double>(elapsed.count())}});
    }
    result.samples = std::move(samples_);
}

}  // namespace idlesim
