// SPDX-License-Identifier: Apache-2.0
#include "models/arrival/arrival_process.hpp"
#include "models/kernel/kernel.hpp"
#include "models/request_server.hpp"
#include "models/service_time.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace idlesim {
namespace {

enum class QueueLayout : std::uint8_t { per_cpu, shared };

enum class InterruptRule : std::uint8_t { queue, spread, single };

}  // namespace
}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<idlesim::QueueLayout> {
    static constexpr std::pair<std::string_view, idlesim::QueueLayout> values[] = {
        {"per_cpu", idlesim::QueueLayout::per_cpu}, {"shared", idlesim::QueueLayout::shared}};
};

template <>
struct EnumNames<idlesim::InterruptRule> {
    static constexpr std::pair<std::string_view, idlesim::InterruptRule> values[] = {
        {"queue", idlesim::InterruptRule::queue},
        {"spread", idlesim::InterruptRule::spread},
        {"single", idlesim::InterruptRule::single}};
};

}  // namespace idlesim::config

namespace idlesim {
namespace {

/// Requests that arrive whatever the machine does, and workers that serve them, first come, first
/// served. A request arrives with the interrupt of a device, whose handler puts it into a queue and
/// wakes a worker that waits for one.
///
/// request_latency runs from the arrival to the end of the computation. A request that finds a
/// worker waiting is followed through the machine, step by step; the time of one that finds all of
/// them busy is split in `queued` and `service`.
class OpenLoop final : public Workload {
public:
    struct Params {
        std::vector<int> cpus{0};
        Choice<ArrivalProcess> arrivals;
        ServiceTime service;
        QueueLayout queue = QueueLayout::per_cpu;
        std::optional<int> workers;
        std::optional<InterruptRule> interrupts;
        int interrupt_cpu = 0;
        double indirect_branches = 0;
        std::int64_t warmup = 0;
        std::int64_t requests = 100'000;
    };

    explicit OpenLoop(Params params)
        : params_{std::move(params)}, arrivals_{params_.arrivals.make()} {}

    [[nodiscard]] std::vector<int> cpus(const Topology&) const override {
        std::vector<int> all = params_.cpus;
        if (rule() == InterruptRule::single) {
            all.push_back(params_.interrupt_cpu);
        }
        return all;
    }

    void check(const PlatformSpec&,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override;

    void set_up(Kernel& kernel, const MeasurementOptions& options) override;

    [[nodiscard]] double progress() const override {
        return static_cast<double>(server_->completed()) / static_cast<double>(wanted());
    }

    void collect(RunResult& result) override { server_->collect(result); }

private:
    [[nodiscard]] InterruptRule rule() const {
        const bool is_shared = params_.queue == QueueLayout::shared;
        return params_.interrupts.value_or(is_shared ? InterruptRule::spread
                                                     : InterruptRule::queue);
    }

    [[nodiscard]] std::int64_t wanted() const { return params_.warmup + params_.requests; }

    [[nodiscard]] std::size_t worker_count() const {
        const auto given = static_cast<std::size_t>(params_.workers.value_or(0));
        return given != 0 ? given : params_.cpus.size();
    }

    void arrive();
    std::size_t choose_cpu(std::size_t queue);

    Params params_;
    std::unique_ptr<ArrivalProcess> arrivals_;
    Simulation* simulation_ = nullptr;
    std::unique_ptr<RequestServer> server_;
    std::unique_ptr<Event> arrival_;
    std::optional<Distribution> service_;
    std::optional<RandomStream> gap_luck_;
    std::optional<RandomStream> service_luck_;
    std::optional<RandomStream> queue_luck_;
    std::int64_t arrived_ = 0;
    std::size_t next_cpu_ = 0;
};

void OpenLoop::check(const PlatformSpec&,
                     const config::Location& where,
                     config::Diagnostics& diagnostics) const {
    idlesim::check(params_.service, diagnostics);
    arrivals_->check(params_.arrivals.location, diagnostics);
    std::vector<int> sorted = params_.cpus;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty()) {
        diagnostics.error(where, "open_loop: there is no CPU to serve requests");
        return;
    }
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
        diagnostics.error(where, "open_loop: a CPU stands twice in cpus");
    }
    const bool is_shared = params_.queue == QueueLayout::shared;
    if (is_shared && params_.interrupts == InterruptRule::queue) {
        diagnostics.error(where,
                          "open_loop: a shared queue belongs to no CPU; choose interrupts: spread "
                          "or single");
    }
    if (!is_shared && params_.workers) {
        diagnostics.error(where,
                          "open_loop: with a queue per CPU each CPU has one worker; leave workers "
                          "out, or choose queue: shared");
    }
    const auto servers = static_cast<double>(std::min(worker_count(), sorted.size()));
    const double load =
        arrivals_->rate() * std::chrono::duration<double>(params_.service.mean).count() / servers;
    if (load >= 1.0) {
        diagnostics.warning(where,
                            fmt::format("open_loop: requests bring {:.2f} times the work that {} "
                                        "CPUs can do; latency grows with the length of the run",
                                        load,
                                        servers));
    }
}

void OpenLoop::set_up(Kernel& kernel, const MeasurementOptions& options) {
    Machine& machine = kernel.machine();
    simulation_ = &machine.simulation();
    gap_luck_ = machine.stream("open_loop.arrivals");
    service_luck_ = machine.stream("open_loop.service");
    queue_luck_ = machine.stream("open_loop.queue");
    service_ = distribution_of(params_.service);
    RequestServer::Options server;
    server.warmup = params_.warmup;
    server.requests = params_.requests;
    server.indirect_branches = params_.indirect_branches;
    server.sample_rows = options.sample_rows;
    // Where each CPU keeps to itself it carries one followed request; elsewhere they may meet.
    const bool keeps_apart =
        params_.queue == QueueLayout::per_cpu && rule() == InterruptRule::queue;
    server.most_followed = keeps_apart ? params_.cpus.size() : PathPool::kMostOnOneCpu;
    server_ = std::make_unique<RequestServer>(kernel, server);
    if (params_.queue == QueueLayout::shared) {
        server_->add_shared_queue(params_.cpus, worker_count());
    } else {
        for (const int cpu : params_.cpus) {
            server_->add_queue(cpu);
        }
    }
    arrival_ = std::make_unique<Event>(
        *simulation_, "open_loop.arrival", Phase::interrupt, bind<&OpenLoop::arrive>(this));
    simulation_->schedule_in(*arrival_, arrivals_->next_gap(*gap_luck_));
}

void OpenLoop::arrive() {
    const std::size_t queue = server_->queues() > 1 ? queue_luck_->below(server_->queues()) : 0;
    const std::size_t cpu = choose_cpu(queue);
    const int number = rule() == InterruptRule::single ? params_.interrupt_cpu : params_.cpus[cpu];
    server_->arrive(queue, number, service_->sample(*service_luck_));
    // What comes behind the last one that counts would only be waited for.
    if (++arrived_ < wanted()) {
        simulation_->schedule_in(*arrival_, arrivals_->next_gap(*gap_luck_));
    }
}

std::size_t OpenLoop::choose_cpu(std::size_t queue) {
    if (rule() != InterruptRule::spread) {
        return queue;
    }
    const std::size_t cpu = next_cpu_;
    next_cpu_ = next_cpu_ + 1 == params_.cpus.size() ? 0 : next_cpu_ + 1;
    return cpu;
}

const Register<Workload, OpenLoop> kOpenLoop{
    "open_loop",
    "requests that arrive whatever the machine does, and workers that serve them",
    {
        config::field("cpus", &OpenLoop::Params::cpus, "CPUs that serve requests"),
        config::field(
            "arrivals",
            &OpenLoop::Params::arrivals,
            "when requests arrive: process poisson, batch, mmpp, on_off or csv, and its parameters")
            .required(),
        config::field("service", &OpenLoop::Params::service, "how long a request computes"),
        config::field(
            "queue",
            &OpenLoop::Params::queue,
            "per_cpu: each CPU has a queue and a worker bound to it, and each request "
            "goes to one of them at random; shared: one queue, whose workers go where the "
            "scheduler places them"),
        config::field("workers",
                      &OpenLoop::Params::workers,
                      "with a shared queue: number of workers; absent: one for each CPU")
            .at_least(1)
            .at_most(10'000),
        config::field("interrupts",
                      &OpenLoop::Params::interrupts,
                      "CPU that takes the interrupt of a request: of its queue, each of cpus in "
                      "turn (spread), or interrupt_cpu (single); absent: queue, or spread where "
                      "the queue is shared"),
        config::field("interrupt_cpu",
                      &OpenLoop::Params::interrupt_cpu,
                      "takes all interrupts with interrupts: single; need not be among cpus"),
        config::field("indirect_branches",
                      &OpenLoop::Params::indirect_branches,
                      "of a request, per microsecond of its computation: what IBRS makes slow")
            .non_negative()
            .at_most(1000.0),
        config::field("warmup", &OpenLoop::Params::warmup, "requests before the measured ones")
            .non_negative()
            .at_most(1'000'000'000),
        config::field("requests", &OpenLoop::Params::requests, "to measure")
            .at_least(1)
            .at_most(1'000'000'000),
    }};

}  // namespace
}  // namespace idlesim
