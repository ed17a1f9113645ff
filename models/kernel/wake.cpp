// SPDX-License-Identifier: Apache-2.0
// Remote wake-ups and cross calls, from the side of the sender: kernel/sched/core.c
// (try_to_wake_up, resched_curr, ttwu_queue_cond) and kernel/smp.c of 6.3.
#include "models/kernel/kernel.hpp"

namespace idlesim {

namespace {

// A path that its owner has taken back since the task was chosen does not travel.
Attribution* carried(Attribution* path, const LogicalCpu& from) {
    return path != nullptr && from.carries(*path) ? path : nullptr;
}

// What a store or an interrupt would carry goes straight to a target that is already on its way.
void hand_over(Attribution* path, LogicalCpu& from, LogicalCpu& to) {
    if (carried(path, from) != nullptr) {
        from.detach(*path);
        to.attach(*path);
    }
}

}  // namespace

/// Effects of a waker; their context is the WakeSite or the CrossCall.
struct WakeEffects {
    static Task& task_of(void* site, const LogicalCpu& cpu) {
        return static_cast<WakeSite*>(site)->task(cpu);
    }

    static LogicalCpu& target(const Task& task) { return task.kernel->machine_.cpu(task.cpu); }

    static LogicalCpu& target(const CrossCall& call) {
        return call.kernel->machine_.cpu(call.target);
    }

    static Fabric& fabric(const Task& task) { return task.kernel->machine_.fabric(); }

    static Fabric& fabric(const CrossCall& call) { return call.kernel->machine_.fabric(); }

    static void trace(
        Kernel& kernel, LogicalCpu& cpu, TraceEvent event, std::int64_t a, std::int64_t b = 0) {
        if (kernel.trace_) {
            kernel.trace_->record(cpu, event, a, b);
        }
    }

    static bool is_awake(void* site, LogicalCpu& cpu, std::uint64_t) {
        const Task& task = task_of(site, cpu);
        if (!task.sleeping) {
            hand_over(task.path, cpu, target(task));
        } else if (KernelTrace* trace = task.kernel->trace_.get()) {
            trace->waking(cpu, task);
        }
        return !task.sleeping;
    }

    // select_task_rq().
    static bool place(void* site, LogicalCpu& cpu, std::uint64_t) {
        Task& task = task_of(site, cpu);
        task.kernel->place(task, cpu);
        return false;
    }

    static bool uses_wake_list(void* site, LogicalCpu& cpu, std::uint64_t) {
        const Task& task = task_of(site, cpu);
        return task.kernel->uses_wake_list(cpu, task);
    }

    static bool enqueue(void* site, LogicalCpu& cpu, std::uint64_t) {
        Task& task = task_of(site, cpu);
        task.kernel->enqueue(task, target(task));
        if (KernelTrace* trace = task.kernel->trace_.get()) {
            trace->woken(cpu, task);
        }
        return false;
    }

    // resched_curr(): true when no interrupt has to be sent.
    static bool resched(void* site, LogicalCpu& cpu, std::uint64_t) {
        Task& task = task_of(site, cpu);
        LogicalCpu& to = target(task);
        if (&to == &cpu) {
            to.set_need_resched_here();
            return true;
        }
        const bool was_set = to.need_resched();
        to.set_need_resched(true);
        if (was_set) {
            hand_over(task.path, cpu, to);
            return true;
        }
        if (to.polling()) {
            trace(*task.kernel, cpu, TraceEvent::sched_wake_idle_without_ipi, task.cpu);
            fabric(task).send_store(cpu, to, carried(task.path, cpu));
            return true;
        }
        return false;
    }

    static bool send_reschedule(void* site, LogicalCpu& cpu, std::uint64_t) {
        Task& task = task_of(site, cpu);
        trace(*task.kernel, cpu, TraceEvent::ipi_send_cpu, task.cpu, 0);
        fabric(task).send_interrupt(cpu, target(task), kRescheduleVector, carried(task.path, cpu));
        return false;
    }

    // llist_add(): true when the queue was not empty, whose kick then serves this call too.
    static bool queue(CrossCall& call, LogicalCpu& cpu) {
        LogicalCpu& to = target(call);
        auto& calls = call.kernel->of(to).call_queue;
        const bool was_empty = calls.empty();
        calls.push_back(&call);
        if (!was_empty) {
            hand_over(call.path, cpu, to);
        }
        return !was_empty;
    }

    // call_function_single_prep_ipi(): true when the target polls and needs no interrupt.
    static bool kick(CrossCall& call, LogicalCpu& cpu) {
        LogicalCpu& to = target(call);
        if (!to.polling()) {
            return false;
        }
        if (to.need_resched()) {
            hand_over(call.path, cpu, to);
        } else {
            to.set_need_resched(true);
            trace(*call.kernel, cpu, TraceEvent::sched_wake_idle_without_ipi, call.target);
            fabric(call).send_store(cpu, to, carried(call.path, cpu));
        }
        return true;
    }

    static bool send_call_interrupt(CrossCall& call, LogicalCpu& cpu) {
        trace(*call.kernel, cpu, TraceEvent::ipi_send_cpu, call.target, 1);
        fabric(call).send_interrupt(
            cpu, target(call), kCallFunctionSingleVector, carried(call.path, cpu));
        return false;
    }

    // The wakee's own call carries whatever measured event follows it now.
    static bool bind_call(void* site, LogicalCpu& cpu, std::uint64_t) {
        Task& task = task_of(site, cpu);
        CrossCall& call = task.wake_call;
        call.kernel = task.kernel;
        call.kind = CrossCall::Kind::wake;
        call.target = task.cpu;
        call.task = &task;
        call.path = task.path;
        task.sleeping = false;
        return false;
    }

    using OfCall = bool (*)(CrossCall&, LogicalCpu&);

    /// Of a call that the program names.
    template <OfCall Function>
    static bool of_call(void* call, LogicalCpu& cpu, std::uint64_t) {
        return Function(*static_cast<CrossCall*>(call), cpu);
    }

    /// Of the call that wakes the task of the site.
    template <OfCall Function>
    static bool of_site(void* site, LogicalCpu& cpu, std::uint64_t) {
        return Function(task_of(site, cpu).wake_call, cpu);
    }
};

// ttwu_queue_cond(): only a CPU of another LLC up to 5.19; from 6.0 any idle CPU.
bool Kernel::uses_wake_list(const LogicalCpu& waker, const Task& task) const {
    if (rules_.wake_list == WakeList::never || waker.number() == task.cpu) {
        return false;
    }
    // One that is still on its way to sleep is on its run queue (ttwu_runnable() comes first).
    const Cpu& target = *cpus_[static_cast<std::size_t>(task.cpu)];
    if (target.current == &task) {
        return false;
    }
    const Distance distance = machine_.fabric().distance(waker.number(), task.cpu);
    if (distance > Distance::same_llc) {
        return true;
    }
    return rules_.wake_list == WakeList::idle_target && target.is_idle && target.run_queue.empty();
}

void Kernel::emit_call(ProgramBuilder& b, CrossCall& call) {
    using W = WakeEffects;
    const Label sent = b.label();
    b.branch({&W::of_call<&W::queue>, &call}, sent, 0, "csd_queue");
    b.branch({&W::of_call<&W::kick>, &call}, sent, 0, "set_need_resched");
    b.icr_write({&W::of_call<&W::send_call_interrupt>, &call});
    b.bind(sent);
}

void Kernel::emit_call_by_interrupt(ProgramBuilder& b, CrossCall& call) {
    using W = WakeEffects;
    const Label sent = b.label();
    b.branch({&W::of_call<&W::queue>, &call}, sent, 0, "csd_queue");
    b.icr_write({&W::of_call<&W::send_call_interrupt>, &call});
    b.bind(sent);
}

void Kernel::emit_wake(ProgramBuilder& b, Task& task) {
    emit_wake(b, wake_sites_.emplace_back(task));
}

WakeSite& Kernel::add_wake_site() {
    return wake_sites_.emplace_back(machine_.platform().topology.cpus());
}

void Kernel::emit_wake(ProgramBuilder& b, WakeSite& site) {
    using W = WakeEffects;
    const Label done = b.label();
    const Label by_target = b.label();
    b.branch({&W::is_awake, &site}, done);
    if (site.may_move()) {
        b.effect({&W::place, &site});
    }
    b.branch({&W::uses_wake_list, &site}, by_target);
    b.effect({&W::enqueue, &site}, 0, "enqueue_task");
    b.branch({&W::resched, &site}, done, 0, "set_need_resched");
    b.icr_write({&W::send_reschedule, &site});
    b.jump(done);
    b.bind(by_target);
    b.effect({&W::bind_call, &site});
    b.branch({&W::of_site<&W::queue>, &site}, done, 0, "csd_queue");
    b.branch({&W::of_site<&W::kick>, &site}, done, 0, "set_need_resched");
    b.icr_write({&W::of_site<&W::send_call_interrupt>, &site});
    b.bind(done);
}

}  // namespace idlesim
