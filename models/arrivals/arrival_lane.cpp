// SPDX-License-Identifier: Apache-2.0
#include "models/arrivals/arrival_lane.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace idlesim {

ArrivalLane::ArrivalLane(const ReplayPlan& plan,
                         SampleTable& samples,
                         Kernel& kernel,
                         int cpu,
                         int waker,
                         const CpuArrivals& recorded)
    : plan_{plan},
      samples_{samples},
      kernel_{kernel},
      cpu_{kernel.machine().cpu(cpu)},
      timers_{kernel.timers(cpu)},
      task_{kernel.add_task("replay", cpu)},
      device_event_{kernel.machine().simulation(),
                    fmt::format("cpu{}.replay.device", cpu),
                    Phase::interrupt,
                    bind<&ArrivalLane::device_arrives>(this)},
      remote_event_{kernel.machine().simulation(),
                    fmt::format("cpu{}.replay.remote", cpu),
                    Phase::interrupt,
                    bind<&ArrivalLane::remote_arrives>(this)} {
    for (const Arrival& arrival : recorded.arrivals) {
        const ArrivalKind kind = plan.kind_of(arrival);
        Cursor& cursor = kind == ArrivalKind::timer    ? timer_arrivals_
                         : kind == ArrivalKind::device ? device_arrivals_
                                                       : remote_arrivals_;
        cursor.arrivals.push_back(&arrival);
    }
    write_task();
    kernel.make_runnable(task_);
    if (!remote_arrivals_.arrivals.empty()) {
        write_waker(waker);
    }
    schedule(device_event_, device_arrivals_);
    schedule(remote_event_, remote_arrivals_);
}

void ArrivalLane::schedule(Event& event, const Cursor& cursor) {
    if (const auto time = time_of(cursor)) {
        cpu_.simulation().schedule(event, std::max(*time, cpu_.now()));
    }
}

void ArrivalLane::write_task() {
    ProgramBuilder b = kernel_.machine().program("replay");
    const Label loop = b.label();
    const Label busy = b.label();
    b.bind(loop).branch(effect_of<&ArrivalLane::has_work>(this), busy);
    if (!timer_arrivals_.arrivals.empty()) {
        timer_.on_expiry = effect_of<&ArrivalLane::expired>(this);
        kernel_.emit_timer_start(b, effect_of<&ArrivalLane::keeps_timer>(this));
    }
    kernel_.emit_schedule(b);
    b.effect(effect_of<&ArrivalLane::woke>(this)).jump(loop);
    b.bind(busy).compute().jump(loop);
    task_.program = &kernel_.machine().keep(b.finish());
}

void ArrivalLane::write_waker(int waker) {
    Machine& machine = kernel_.machine();
    waker_ = &machine.cpu(waker);
    kernel_.set_peers(waker, cpu_.number());
    kernel_.set_peers(cpu_.number(), waker);
    wake_vector_ = kernel_.allocate_vector();
    waker_->set_handler(wake_vector_,
                        &machine.keep(kernel_.interrupt_program("waker", [this](ProgramBuilder& b) {
                            b.effect(effect_of<&ArrivalLane::send>(this)).work("try_to_wake_up");
                            kernel_.emit_wake(b, task_);
                        })));
    CrossCall& call = kernel_.add_function_call(cpu_.number(), {&ArrivalLane::do_nothing, this});
    call_vector_ = kernel_.allocate_vector();
    waker_->set_handler(call_vector_,
                        &machine.keep(kernel_.interrupt_program(
                            "caller", [&](ProgramBuilder& b) { kernel_.emit_call(b, call); })));
}

// A measured wake-up begins; one at a time is followed.
void ArrivalLane::open(LogicalCpu& cpu) {
    task_.path = nullptr;
    if (task_.sleeping && !is_open_) {
        is_open_ = true;
        wake_path_.start(cpu.now());
        cpu.attach(wake_path_);
        task_.path = &wake_path_;
    }
}

void ArrivalLane::device_arrives() {
    const Arrival& arrival = take(device_arrivals_);
    const Duration work = plan_.work_of(arrival);
    if (work > Duration::zero()) {
        open(cpu_);
        due_ += work;
    }
    const std::size_t device =
        std::min(static_cast<std::size_t>(arrival.irq), plan_.devices.size() - 1);
    cpu_.raise(plan_.devices[device]);
    schedule(device_event_, device_arrivals_);
}

void ArrivalLane::remote_arrives() {
    const Duration work = plan_.work_of(take(remote_arrivals_));
    sent_ += work;
    waker_->raise(work > Duration::zero() ? wake_vector_ : call_vector_);
    schedule(remote_event_, remote_arrivals_);
}

bool ArrivalLane::send(LogicalCpu& cpu, std::uint64_t) {
    work_ += sent_;
    sent_ = {};
    open(cpu);
    return false;
}

void ArrivalLane::take_due_timers(Time now) {
    for (auto time = time_of(timer_arrivals_); time && *time <= now;
         time = time_of(timer_arrivals_)) {
        work_ += plan_.work_of(take(timer_arrivals_));
    }
}

// False: the task sleeps from here on, so that no wake-up on its way to schedule() is lost.
bool ArrivalLane::has_work(LogicalCpu& cpu, std::uint64_t) {
    take_due_timers(cpu.now());
    if (work_ == Duration::zero()) {
        Kernel::sleep(task_);
        return false;
    }
    cpu.context().compute_left = work_;
    work_ = {};
    return true;
}

// True when the clock event has to be programmed.
bool ArrivalLane::arm() {
    const auto time = time_of(timer_arrivals_);
    if (!time || timer_.is_armed) {
        return false;
    }
    const bool wakes =
        plan_.work_of(*timer_arrivals_.arrivals[timer_arrivals_.next]) > Duration::zero();
    timer_.wakes = wakes ? &task_ : nullptr;
    timer_.path = wakes ? &timer_path_ : nullptr;
    return timers_.start(timer_, *time);
}

bool ArrivalLane::keeps_timer(LogicalCpu& /*cpu*/, std::uint64_t) {
    return !arm();
}

// The task arms the next timer when it sleeps again; one that wakes nobody is followed at once.
bool ArrivalLane::expired(LogicalCpu& cpu, std::uint64_t) {
    take_due_timers(cpu.now());
    if (timer_.wakes == nullptr) {
        arm();
    }
    return false;
}

bool ArrivalLane::woke(LogicalCpu& cpu, std::uint64_t) {
    for (Attribution* path : {&timer_path_, &wake_path_}) {
        if (cpu.carries(*path)) {
            cpu.detach(*path);
            samples_.record(cpu.now(), cpu.number(), path->total(), path->parts());
            is_open_ = is_open_ && path != &wake_path_;
        }
    }
    return false;
}

}  // namespace idlesim
