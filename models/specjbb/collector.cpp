// SPDX-License-Identifier: Apache-2.0
#include "models/specjbb/collector.hpp"

#include <algorithm>
#include <utility>

namespace idlesim {

namespace {

// A worker takes its share of half of what is left, down to pieces so small that the last to finish
// is not late by any that counts: work stealing, object by object, ends as even. Equal pieces do
// not; all workers ask for the next ones together, and some are late by a whole one.
constexpr std::int64_t kShares = 2;
constexpr std::int64_t kSmallestShare = 400;

// Draws from which the range of a stratum is read.
constexpr std::size_t kDrawsPerStratum = 64;

}  // namespace

struct Collector::Worker {
    Collector* collector = nullptr;
    Task* task = nullptr;
    bool is_called = false;

    // True when there was a piece of work.
    bool take(LogicalCpu& cpu, std::uint64_t) {
        cpu.context().compute_left = collector->take_piece();
        return cpu.context().compute_left > Duration::zero();
    }

    // True when no other worker is left.
    bool is_last(LogicalCpu&, std::uint64_t) {
        is_called = false;
        return --collector->active_ == 0 && !collector->is_calling_;
    }

    // True when it has been called again in the meantime.
    bool fall_asleep(LogicalCpu&, std::uint64_t) {
        if (!is_called) {
            Kernel::sleep(*task);
        }
        return is_called;
    }
};

Collector::Collector(Kernel& kernel, CollectorSpec spec, CollectorListener& listener)
    : kernel_{kernel},
      spec_{std::move(spec)},
      listener_{listener},
      vm_thread_{kernel.add_task("vm_thread", spec_.cpus.front(), spec_.cpus)},
      worker_site_{kernel.add_wake_site()},
      mutator_site_{kernel.add_wake_site()} {
    draw_works(kernel.machine().stream("specjbb.collections"));
    vm_thread_.context.indirect_branches = spec_.indirect_branches;
    for (int i = 0; i < spec_.workers; ++i) {
        auto worker = std::make_unique<Worker>();
        worker->collector = this;
        const auto cpu = static_cast<std::size_t>(i) % spec_.cpus.size();
        worker->task = &kernel.add_task("collector", spec_.cpus[cpu], spec_.cpus);
        worker->task->context.indirect_branches = spec_.indirect_branches;
        workers_.push_back(std::move(worker));
    }
}

Collector::~Collector() = default;

void Collector::attach(Mutators& mutators) {
    mutators_ = &mutators;
    write_vm_thread();
    for (const auto& worker : workers_) {
        write_worker(*worker);
    }
}

void Collector::write_vm_thread() {
    ProgramBuilder b = kernel_.machine().program("vm_thread");
    const Label loop = b.label();
    const Label begin = b.label();
    const Label call = b.label();
    const Label called = b.label();
    const Label done = b.label();
    const Label release = b.label();
    const Label released = b.label();
    b.sti().bind(loop);
    b.branch(effect_of<&Collector::waits_no_longer>(this), begin);
    kernel_.emit_schedule(b);
    b.jump(loop);
    b.bind(begin).work("futex_take_return").effect(effect_of<&Collector::begin>(this));
    b.bind(call).branch(effect_of<&Collector::all_called>(this), called).work("futex_give");
    kernel_.emit_wake(b, worker_site_);
    b.jump(call);
    b.bind(called).work("futex_take").branch(effect_of<&Collector::is_done>(this), done);
    kernel_.emit_schedule(b);
    b.jump(called);
    b.bind(done).work("futex_take_return").effect(effect_of<&Collector::end>(this));
    b.bind(release).branch(effect_of<&Collector::all_released>(this), released).work("futex_give");
    kernel_.emit_wake(b, mutator_site_);
    b.jump(release);
    b.bind(released).work("futex_take").jump(loop);
    vm_thread_.program = &kernel_.machine().keep(b.finish());
}

void Collector::write_worker(Worker& worker) {
    ProgramBuilder b = kernel_.machine().program("collector");
    const Label loop = b.label();
    const Label collect = b.label();
    const Label not_last = b.label();
    const Label awake = b.label();
    const Label rest = b.label();
    kernel_.emit_task_begin(b);
    b.bind(loop).branch(effect_of<&Worker::take>(&worker), collect);
    kernel_.emit_kernel_entry(b);
    b.work("futex_take");
    b.branch(effect_of<&Worker::is_last>(&worker), rest);
    b.bind(not_last).branch(effect_of<&Worker::fall_asleep>(&worker), awake);
    kernel_.emit_schedule(b);
    b.bind(awake).work("futex_take_return");
    kernel_.emit_user_return(b);
    b.jump(loop);
    b.bind(rest).work("futex_give");
    kernel_.emit_wake(b, vm_thread_);
    b.jump(not_last);
    b.bind(collect).compute("collection").jump(loop);
    worker.task->program = &kernel_.machine().keep(b.finish());
}

void Collector::request() {
    is_requested_ = true;
    requested_at_ = kernel_.machine().now();
    mutators_->begin_safepoint();
}

// False: sleeps at the next schedule().
bool Collector::waits_no_longer(LogicalCpu&, std::uint64_t) {
    if (!is_requested_) {
        Kernel::sleep(vm_thread_);
    }
    return is_requested_;
}

// The strata are ranges of a large sorted sample.
void Collector::draw_works(RandomStream luck) {
    const auto strata = static_cast<std::size_t>(spec_.strata);
    std::vector<Duration> sample(strata * kDrawsPerStratum);
    std::generate(sample.begin(), sample.end(), [&] { return spec_.work.sample(luck); });
    std::sort(sample.begin(), sample.end());
    for (std::size_t i = 0; i < strata; ++i) {
        const double place = luck.uniform() * static_cast<double>(kDrawsPerStratum);
        works_.push_back(sample[i * kDrawsPerStratum + static_cast<std::size_t>(place)]);
        const double other = luck.uniform() * static_cast<double>(i + 1);
        std::swap(works_[i], works_[static_cast<std::size_t>(other)]);
    }
}

bool Collector::begin(LogicalCpu&, std::uint64_t) {
    work_left_ = works_[next_work_];
    smallest_piece_ = work_left_ / (kSmallestShare * spec_.workers);
    next_work_ = (next_work_ + 1) % works_.size();
    called_ = 0;
    active_ = 0;
    is_calling_ = true;
    return false;
}

Duration Collector::take_piece() {
    const Duration share = work_left_ / (kShares * spec_.workers);
    const Duration piece = std::min(work_left_, std::max(share, smallest_piece_));
    work_left_ -= piece;
    return piece;
}

bool Collector::all_called(LogicalCpu& cpu, std::uint64_t) {
    if (called_ == workers_.size()) {
        is_calling_ = false;
        return true;
    }
    Worker& worker = *workers_[called_++];
    worker.is_called = true;
    ++active_;
    worker_site_.choose(cpu, *worker.task);
    return false;
}

bool Collector::is_done(LogicalCpu&, std::uint64_t) {
    const bool done = work_left_ == Duration::zero() && active_ == 0;
    if (!done) {
        Kernel::sleep(vm_thread_);
    }
    return done;
}

bool Collector::end(LogicalCpu&, std::uint64_t) {
    is_requested_ = false;
    mutators_->end_safepoint();
    listener_.collection_done(kernel_.machine().now() - requested_at_);
    return false;
}

bool Collector::all_released(LogicalCpu& cpu, std::uint64_t) {
    Task* task = mutators_->take_stopped();
    if (task == nullptr) {
        return true;
    }
    mutator_site_.choose(cpu, *task);
    return false;
}

}  // namespace idlesim
