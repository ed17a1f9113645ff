// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"

#include "models/hypervisor/hypervisor.hpp"
#include "models/kernel/run_queues.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace idlesim {

namespace {

constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

// PM_QOS_RESUME_LATENCY_NO_CONSTRAINT as seen by governors: 2000 s (include/linux/pm_qos.h, 6.3).
constexpr Nanoseconds kNoLatencyLimit = 2'000'000'000'000;

Nanoseconds in_nanoseconds(const std::optional<Duration>& limit) {
    return limit ? std::chrono::floor<std::chrono::nanoseconds>(*limit).count() : kNoLatencyLimit;
}

// cpuidle_governor_latency_req(): the stricter of the global and the CPU's own limit.
Nanoseconds latency_limit(const KernelSpec& spec, int cpu) {
    const ResumeLatency* own = spec.resume_latency.find(std::to_string(cpu));
    if (own == nullptr) {
        own = spec.resume_latency.find("all");
    }
    const Nanoseconds global = in_nanoseconds(spec.cpu_dma_latency.limit);
    return own == nullptr ? global : std::min(global, in_nanoseconds(own->limit));
}

}  // namespace

Kernel::Kernel(Machine& machine,
               const KernelSpec& spec,
               const IdleStrategy& strategy,
               Cpuidle cpuidle)
    : machine_{machine},
      spec_{spec},
      rules_{rules_of(spec)},
      strategy_{strategy},
      cpus_(static_cast<std::size_t>(machine.platform().topology.cpus())),
      cpuidle_{std::move(cpuidle)},
      placement_{Registry<Placement>::choice("select_idle_sibling").make()},
      placement_luck_{machine.stream("placement")},
      guard_{rules_, machine.platform(), findings_} {
    run_queues_ = std::make_unique<RunQueues>(*this);
    const Duration period{kPicosecondsPerSecond / spec.hz};
    // Without skew_tick= the ticks of all CPUs coincide; where they fall is chance.
    RandomStream stream = machine.stream("tick.phase");
    const Duration phase = Distribution::uniform(Duration{0}, period).sample(stream);
    for (const int number : machine.cpu_numbers()) {
        auto cpu = std::make_unique<Cpu>(machine.cpu(number));
        cpu->tick = std::make_unique<Tick>(cpu->hardware, period, phase);
        cpu->timers = std::make_unique<CpuTimers>(cpu->hardware);
        if (has_cpuidle()) {
            cpu->device = std::make_unique<CpuidleDevice>(cpuidle_.states,
                                                          cpuidle_.make_governor(),
                                                          cpu->hardware,
                                                          *cpu->tick,
                                                          *cpu->timers,
                                                          latency_limit(spec, number));
            cpu->device->enable();
        }
        if (guard_.kernel_value() != 0) {
            cpu->hardware.set_spec_ctrl(guard_.kernel_value());
            cpu->hardware.set_spec_ctrl_listener(&guard_);
        }
        cpus_[static_cast<std::size_t>(number)] = std::move(cpu);
    }
    set_up_nohz();
    set_up_injection();
    if (Hypervisor* hypervisor = machine.hypervisor()) {
        set_up_guest(*hypervisor);
    }
}

// What the host's kernel knows of its guest: the timer that it emulates, and the guest's wish to
// poll for itself (arch_haltpoll_enable(), arch/x86/kernel/kvm.c, 6.3).
void Kernel::set_up_guest(Hypervisor& hypervisor) {
    for (const auto& cpu : cpus_) {
        if (cpu != nullptr) {
            hypervisor.set_timers(cpu->hardware.number(), [&state = *cpu] {
                const auto hrtimer = state.timers->next_hrtimer();
                const auto tick = state.tick->next();
                return hrtimer && tick ? std::min(hrtimer, tick) : hrtimer ? hrtimer : tick;
            });
        }
    }
    if (spec_.cpuidle == CpuidleDriver::haltpoll) {
        hypervisor.forbid_polling();
    }
}

Kernel::~Kernel() = default;

void Kernel::build() {
    if (idle_program_ == nullptr) {
        idle_program_ = &machine_.keep(idle_program());
        install_handlers();
    }
}

void Kernel::enable_trace() {
    trace_ = std::make_unique<KernelTrace>(machine_.platform().topology.cpus());
}

void Kernel::watch(const IdleQuestion& question) {
    watch_ = std::make_unique<IdleWatch>(question, machine_.cstates());
}

std::vector<WakeRow> Kernel::wakes() const {
    std::vector<WakeRow> rows;
    for (const auto& cpu : cpus_) {
        if (cpu != nullptr) {
            cpu->wakes.report(wake_sources_, cpu->hardware.number(), rows);
        }
    }
    return rows;
}

void Kernel::give_foresight(const WakeLog& log) {
    const std::vector<int>& numbers = machine_.cpu_numbers();
    const bool some_work = std::any_of(numbers.begin(), numbers.end(), [&log](int number) {
        return log.wakes.find(number) == log.wakes.end();
    });
    for (const auto& cpu : cpus_) {
        if (cpu != nullptr && cpu->device) {
            cpu->device->give_foresight(log, machine_.cstates(), some_work);
        }
    }
}

bool Kernel::governor_needs_foresight() const {
    return std::any_of(cpus_.begin(), cpus_.end(), [](const auto& cpu) {
        return cpu != nullptr && cpu->device && cpu->device->governor_needs_foresight();
    });
}

namespace {

// An event and its argument in the argument of an effect.
constexpr unsigned kArgumentBits = 32;

}  // namespace

void Kernel::trace_point(ProgramBuilder& b, TraceEvent event, int argument) {
    if (trace_) {
        b.effect(effect_of<&Kernel::record_event>(this),
                 static_cast<std::uint64_t>(event) << kArgumentBits |
                     static_cast<std::uint32_t>(argument));
    } else {
        // The step of the effect above: a trace must not change the table of samples, which the
        // other replications share.
        machine_.steps().id("other");
    }
}

bool Kernel::record_event(LogicalCpu& cpu, std::uint64_t event_and_argument) {
    trace_->record(cpu,
                   static_cast<TraceEvent>(event_and_argument >> kArgumentBits),
                   static_cast<std::int32_t>(event_and_argument));
    return false;
}

const CpuidleDevice* Kernel::cpuidle_device(int cpu) const {
    return cpus_.at(static_cast<std::size_t>(cpu))->device.get();
}

CpuTimers& Kernel::timers(int cpu) {
    return *of(machine_.cpu(cpu)).timers;
}

void Kernel::emit_timer_start(ProgramBuilder& b, Effect arm) {
    const Label unchanged = b.label();
    b.branch(arm, unchanged, 0, "hrtimer_start").timer_write().bind(unchanged);
}

void Kernel::add_wheel_timer(LogicalCpu& cpu, WheelTimer& timer, Duration delay) {
    Cpu& state = of(cpu);
    state.timers->add(timer, state.tick->round_up(cpu.now() + delay));
    kick_full_dynticks(state);
}

Kernel::Cpu& Kernel::of(const LogicalCpu& cpu) {
    return *cpus_[static_cast<std::size_t>(cpu.number())];
}

const IdleCounters& Kernel::idle_counters(int cpu) const {
    return cpus_.at(static_cast<std::size_t>(cpu))->counters;
}

Task& Kernel::add_task(std::string name, int cpu) {
    Task& task = tasks_.emplace_back();
    task.kernel = this;
    task.name = std::move(name);
    task.cpu = cpu;
    return task;
}

Task& Kernel::add_task(std::string name, int cpu, const std::vector<int>& allowed) {
    Task& task = add_task(std::move(name), cpu);
    const auto same = std::find(affinities_.begin(), affinities_.end(), allowed);
    task.allowed = same == affinities_.end() ? &affinities_.emplace_back(allowed) : &*same;
    return task;
}

CrossCall& Kernel::add_function_call(int target, Effect function) {
    CrossCall& call = calls_.emplace_back();
    call.kernel = this;
    call.target = target;
    call.function = function;
    return call;
}

void Kernel::make_runnable(Task& task) {
    task.sleeping = false;
    push(of(machine_.cpu(task.cpu)), task);
}

void Kernel::set_peers(int cpu, int peer) {
    machine_.cpu(cpu).set_line_transfer(machine_.fabric().line_transfer(cpu, peer));
}

void Kernel::start() {
    build();
    for (Task& task : tasks_) {
        task.context.reset(*task.program);
    }
    for (const auto& cpu : cpus_) {
        if (cpu == nullptr) {
            continue;
        }
        cpu->idle.reset(*idle_program_);
        cpu->tick->restart();
        Task* first = pop(*cpu);
        cpu->is_idle = first == nullptr;
        cpu->current = first;
        cpu->hardware.start(first == nullptr ? cpu->idle : first->context);
        if (trace_) {
            trace_->record(cpu->hardware, TraceEvent::cpu_idle_exit);
            trace_->switches(cpu->hardware, first);
        }
    }
}

void Kernel::wake_here(Task& task, LogicalCpu& cpu) {
    if (task.sleeping) {
        if (trace_) {
            trace_->waking(cpu, task);
            trace_->woken(cpu, task);
        }
        enqueue(task, cpu);
        cpu.set_need_resched_here();
    }
}

void Kernel::emit_schedule(ProgramBuilder& b) {
    b.cli().effect(effect_of<&Kernel::pick_next>(this), 0, "schedule").sti();
}

}  // namespace idlesim
