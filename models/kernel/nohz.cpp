// SPDX-License-Identifier: Apache-2.0
// Who may stop its tick, and who keeps the time (kernel/time/tick-sched.c, 6.3): the duty of
// do_timer(), and CPUs of nohz_full, which run a single task without a tick.
#include "models/kernel/kernel.hpp"

#include <algorithm>

namespace idlesim {

bool Kernel::is_full_dynticks(int cpu) const {
    return std::find(spec_.nohz_full.begin(), spec_.nohz_full.end(), cpu) != spec_.nohz_full.end();
}

void Kernel::set_up_nohz() {
    bool has_housekeeper = false;
    for (const auto& cpu : cpus_) {
        if (cpu == nullptr) {
            continue;
        }
        const bool is_full = is_full_dynticks(cpu->hardware.number());
        // Under nohz_full one CPU keeps the time for all and cannot hand that over.
        const bool keeps_time = !spec_.nohz_full.empty() && !is_full && !has_housekeeper;
        has_housekeeper = has_housekeeper || keeps_time;
        cpu->tick->set_can_stop(spec_.nohz && !keeps_time);
    }
}

// A tick has fired: a CPU without the duty takes it where nobody has it, and one of nohz_full that
// runs a single task stops the tick again.
void Kernel::note_tick(Cpu& cpu) {
    if (timekeeper_ < 0) {
        timekeeper_ = cpu.hardware.number();
    }
    if (timekeeper_ == cpu.hardware.number() && spec_.max_deferment) {
        cpu.tick->set_deferment(spec_.max_deferment);
    }
    if (!cpu.is_idle && cpu.run_queue.empty() && cpu.tick->is_running() && cpu.tick->can_stop() &&
        is_full_dynticks(cpu.hardware.number())) {
        cpu.tick->stop(cpu.timers->next_wheel_timer());
    }
}

// tick_nohz_stop_tick(): who had the duty drops it. While nobody takes it, the last one to have had
// it goes on watching the clock.
void Kernel::leave_duty(Cpu& cpu) {
    if (timekeeper_ == cpu.hardware.number()) {
        timekeeper_ = -1;
        cpu.kept_time_last = true;
    } else if (timekeeper_ >= 0 && cpu.kept_time_last) {
        cpu.kept_time_last = false;
        cpu.tick->set_deferment(std::nullopt);
    }
}

// A second task, or a timer of the wheel, on a CPU that works without a tick.
void Kernel::kick_full_dynticks(Cpu& cpu) {
    if (cpu.is_idle || cpu.tick->is_running() || !is_full_dynticks(cpu.hardware.number())) {
        return;
    }
    if (!cpu.run_queue.empty()) {
        cpu.tick->restart();
    } else {
        cpu.tick->stop(cpu.timers->next_wheel_timer());
    }
}

}  // namespace idlesim
