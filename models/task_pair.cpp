// SPDX-License-Identifier: Apache-2.0
#include "models/task_pair.hpp"

namespace idlesim {

TaskPair::TaskPair(
    Kernel& kernel, Task& first, Task& second, const std::string& costs, std::int64_t sample_rows)
    : kernel_{kernel} {
    sides_[0] = {this, &first, 0, false};
    sides_[1] = {this, &second, 0, false};
    first.path = &path_;
    second.path = &path_;
    Machine& machine = kernel.machine();
    first.program = &machine.keep(program_of(sides_[0], sides_[1], true, costs));
    second.program = &machine.keep(program_of(sides_[1], sides_[0], false, costs));
    // The second task blocks first, as in the real programs, where it waits for a byte.
    kernel.make_runnable(first);
    kernel.make_runnable(second);
    samples_ = SampleTable{"wake_latency", machine.steps().names(), sample_rows};
}

Program TaskPair::program_of(Side& self, Side& peer, bool begins, const std::string& costs) {
    ProgramBuilder b = kernel_.machine().program(self.task->name);
    const Label loop = b.label();
    const Label wait = b.label();
    const Label take = b.label();
    const Label taken = b.label();
    const Label given = b.label();

    kernel_.emit_guarded_begin(b);
    if (begins) {
        b.effect(effect_of<&TaskPair::begin>(this));
    } else {
        b.jump(wait);
    }
    // The wake-up: write() of one byte, or FUTEX_WAKE.
    b.bind(loop);
    kernel_.emit_guarded_entry(b);
    b.branch(effect_of<&Side::give>(&peer), given, 0, costs + "_give");
    kernel_.emit_wake(b, *peer.task);
    b.bind(given).work(costs + "_give_return");
    kernel_.emit_guarded_return(b);
    // The wait: read() of one byte, or FUTEX_WAIT.
    b.bind(wait);
    kernel_.emit_guarded_entry(b);
    b.work(costs + "_take");
    b.bind(take).branch(effect_of<&Side::take>(&self), taken);
    kernel_.emit_schedule(b);
    b.jump(take);
    b.bind(taken).work(costs + "_take_return");
    kernel_.emit_guarded_return(b);
    b.effect(effect_of<&TaskPair::count>(this), begins ? 1 : 0);
    b.jump(loop);
    return b.finish();
}

bool TaskPair::Side::give(LogicalCpu& giver, std::uint64_t) {
    ++tokens;
    if (!waits) {
        giver.detach(pair->path_);
        pair->kernel_.machine().cpu(task->cpu).attach(pair->path_);
    }
    return !waits;
}

bool TaskPair::Side::take(LogicalCpu&, std::uint64_t) {
    if (tokens > 0) {
        --tokens;
        waits = false;
        return true;
    }
    waits = true;
    Kernel::sleep(*task);
    return false;
}

void TaskPair::follow_lines() {
    follows_lines_ = true;
    update_lines();
}

void TaskPair::update_lines() {
    const std::array<int, 2> between{sides_[0].task->cpu, sides_[1].task->cpu};
    if (between == lines_between_) {
        return;
    }
    lines_between_ = between;
    Machine& machine = kernel_.machine();
    const Duration transfer = between[0] == between[1]
                                  ? Duration::zero()
                                  : machine.fabric().line_transfer(between[0], between[1]);
    for (const int cpu : between) {
        machine.cpu(cpu).set_line_transfer(transfer);
    }
}

bool TaskPair::begin(LogicalCpu& cpu, std::uint64_t) {
    path_.start(cpu.now());
    cpu.attach(path_);
    return false;
}

// A hand-over ends where the next one begins: nothing lies between two of them.
bool TaskPair::count(LogicalCpu& cpu, std::uint64_t is_first) {
    const Time now = cpu.now();
    if (!cpu.carries(path_)) {
        return false;
    }
    samples_.record(now, cpu.number(), now - path_.begin(), path_.parts());
    path_.start(now);
    if (follows_lines_) {
        update_lines();
    }
    round_trips_ += is_first != 0 ? 1 : 0;
    if (wanted_ != 0 && round_trips_ == wanted_) {
        cpu.simulation().stop();
    }
    return false;
}

}  // namespace idlesim
