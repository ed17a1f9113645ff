// SPDX-License-Identifier: Apache-2.0
#include "models/specjbb/mutators.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace idlesim {

struct Mutators::Worker {
    Mutators* pool = nullptr;
    Task* task = nullptr;
    JbbRequest request;
    bool serves = false;

    bool at_safepoint(LogicalCpu&, std::uint64_t) { return pool->at_safepoint_; }

    // True when there was a request.
    bool take(LogicalCpu& cpu, std::uint64_t) {
        if (pool->queue_.empty()) {
            if (!pool->is_saturated_) {
                pool->listener_.queue_is_empty();
                return false;
            }
            request = {cpu.now(), false};
        } else {
            request = pool->queue_.front();
            pool->queue_.pop_front();
        }
        serves = true;
        cpu.context().compute_left = pool->spec_.service.sample(pool->services_);
        return true;
    }

    // True when something has come in the meantime.
    bool fall_asleep(LogicalCpu&, std::uint64_t) {
        if (!pool->queue_.empty() || pool->is_saturated_) {
            return true;
        }
        pool->asleep_.push_back(this);
        Kernel::sleep(*task);
        return false;
    }

    bool is_stopped(LogicalCpu& cpu, std::uint64_t) {
        return cpu.context().compute_left > Duration::zero();
    }

    // True when the safepoint is over already.
    bool stop(LogicalCpu&, std::uint64_t) {
        if (!pool->at_safepoint_) {
            return true;
        }
        pool->stopped_.push_back(this);
        Kernel::sleep(*task);
        return false;
    }

    bool has_request(LogicalCpu&, std::uint64_t) { return serves; }

    bool finish(LogicalCpu&, std::uint64_t) {
        serves = false;
        return pool->listener_.request_done(request);
    }
};

Mutators::Mutators(Kernel& kernel,
                   MutatorSpec spec,
                   Task& collector_thread,
                   MutatorListener& listener)
    : kernel_{kernel},
      spec_{std::move(spec)},
      collector_thread_{collector_thread},
      listener_{listener},
      inboxes_(static_cast<std::size_t>(kernel.machine().platform().topology.cpus())),
      wake_site_{kernel.add_wake_site()},
      vector_{kernel.allocate_vector()},
      arrival_{kernel.machine().simulation(),
               "specjbb.arrival",
               Phase::interrupt,
               bind<&Mutators::arrive>(this)},
      gaps_{kernel.machine().stream("specjbb.arrivals")},
      targets_{kernel.machine().stream("specjbb.interrupts")},
      services_{kernel.machine().stream("specjbb.services")} {
    for (const int cpu : spec_.cpus) {
        auto worker = std::make_unique<Worker>();
        worker->pool = this;
        worker->task = &kernel.add_task("mutator", cpu, spec_.cpus);
        worker->task->context.indirect_branches = spec_.indirect_branches;
        write_program(*worker);
        kernel.make_runnable(*worker->task);
        workers_.push_back(std::move(worker));
    }
    write_handler();
}

Mutators::~Mutators() = default;

void Mutators::write_program(Worker& worker) {
    ProgramBuilder b = kernel_.machine().program("mutator");
    const Label loop = b.label();
    const Label serve = b.label();
    const Label awake = b.label();
    const Label collect = b.label();
    const Label stop = b.label();
    const Label released = b.label();
    kernel_.emit_task_begin(b);
    b.bind(loop).branch(effect_of<&Worker::at_safepoint>(&worker), stop);
    b.branch(effect_of<&Worker::take>(&worker), serve);
    kernel_.emit_kernel_entry(b);
    b.work("futex_take").branch(effect_of<&Worker::fall_asleep>(&worker), awake);
    kernel_.emit_schedule(b);
    b.bind(awake).work("futex_take_return");
    kernel_.emit_user_return(b);
    b.jump(loop);

    b.bind(serve).compute("request").branch(effect_of<&Worker::is_stopped>(&worker), stop);
    b.branch(effect_of<&Worker::finish>(&worker), collect).jump(loop);

    b.bind(collect);
    kernel_.emit_kernel_entry(b);
    b.work("futex_give");
    kernel_.emit_wake(b, collector_thread_);
    b.work("futex_give_return");
    kernel_.emit_user_return(b);
    b.jump(loop);

    b.bind(stop);
    kernel_.emit_kernel_entry(b);
    b.work("futex_take").branch(effect_of<&Worker::stop>(&worker), released);
    kernel_.emit_schedule(b);
    b.bind(released).work("futex_take_return");
    kernel_.emit_user_return(b);
    b.branch(effect_of<&Worker::has_request>(&worker), serve).jump(loop);
    worker.task->program = &kernel_.machine().keep(b.finish());
}

void Mutators::write_handler() {
    const Program& handler =
        kernel_.machine().keep(kernel_.interrupt_program("request", [this](ProgramBuilder& b) {
            const Label next = b.label();
            const Label done = b.label();
            b.work("device_handler").bind(next);
            b.branch(effect_of<&Mutators::nothing_to_hand_over>(this), done).work("try_to_wake_up");
            kernel_.emit_wake(b, wake_site_);
            b.jump(next).bind(done);
        }));
    for (const int cpu : spec_.cpus) {
        kernel_.machine().cpu(cpu).set_handler(vector_, &handler);
    }
}

void Mutators::inject(double per_second) {
    constexpr double kPicosecondsPerSecond = 1e12;
    is_saturated_ = false;
    gap_ = Distribution::exponential(Duration{std::llround(kPicosecondsPerSecond / per_second)});
    Simulation& simulation = kernel_.machine().simulation();
    simulation.schedule(arrival_, simulation.now() + gap_.sample(gaps_));
}

void Mutators::saturate() {
    is_saturated_ = true;
    kernel_.machine().simulation().cancel(arrival_);
}

void Mutators::drop_queue() {
    queue_.clear();
}

void Mutators::disturb_all() {
    for (JbbRequest& request : queue_) {
        request.is_steady = false;
    }
    for (auto& inbox : inboxes_) {
        for (Delivery& delivery : inbox) {
            delivery.request.is_steady = false;
        }
    }
    for (const auto& worker : workers_) {
        worker->request.is_steady = false;
    }
}

void Mutators::begin_safepoint() {
    at_safepoint_ = true;
    for (const auto& worker : workers_) {
        kernel_.machine().cpu(worker->task->cpu).stop_computing(worker->task->context);
    }
}

void Mutators::end_safepoint() {
    at_safepoint_ = false;
    for (const auto& worker : workers_) {
        worker->task->context.compute_stopped = false;
    }
}

Task* Mutators::take_stopped() {
    if (stopped_.empty()) {
        return nullptr;
    }
    Task* task = stopped_.front()->task;
    stopped_.pop_front();
    return task;
}

void Mutators::arrive() {
    Simulation& simulation = kernel_.machine().simulation();
    Delivery delivery{{simulation.now(), is_steady_}, nullptr};
    int cpu = 0;
    if (asleep_.empty()) {
        const double drawn = targets_.uniform() * static_cast<double>(spec_.cpus.size());
        cpu = spec_.cpus[static_cast<std::size_t>(drawn)];
    } else {
        delivery.wakes = asleep_.back();
        asleep_.pop_back();
        cpu = delivery.wakes->task->cpu;
    }
    inboxes_[static_cast<std::size_t>(cpu)].push_back(delivery);
    kernel_.machine().cpu(cpu).raise(vector_);
    simulation.schedule(arrival_, simulation.now() + gap_.sample(gaps_));
}

// Queues what has come and stops at the first request for which somebody has to be woken.
bool Mutators::nothing_to_hand_over(LogicalCpu& cpu, std::uint64_t) {
    auto& inbox = inboxes_[static_cast<std::size_t>(cpu.number())];
    while (!inbox.empty()) {
        const Delivery delivery = inbox.front();
        inbox.pop_front();
        queue_.push_back(delivery.request);
        if (delivery.wakes != nullptr) {
            wake_site_.choose(cpu, *delivery.wakes->task);
            return false;
        }
    }
    return true;
}

}  // namespace idlesim
