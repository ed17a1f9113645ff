// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/core.hpp"

#include "models/cpu/logical_cpu.hpp"

namespace idlesim {

void Core::add(LogicalCpu& thread) {
    threads_.push_back({&thread, thread.activity()});
    thread.set_core(this);
    guard_changed(thread);
}

double Core::taken_by(Activity activity) const {
    switch (activity) {
        case Activity::none:
            return 0;
        case Activity::polling:
            return sharing_.beside_polling;
        case Activity::busy:
            return sharing_.beside_busy;
    }
    return 0;
}

void Core::tell_others(const LogicalCpu& thread, Duration stall) {
    for (const Thread& other : threads_) {
        if (other.cpu != &thread) {
            other.cpu->core_changed(stall);
        }
    }
}

void Core::activity_changed(LogicalCpu& thread) {
    for (Thread& own : threads_) {
        if (own.cpu != &thread) {
            continue;
        }
        const Activity before = own.activity;
        own.activity = thread.activity();
        if (own.activity == before) {
            return;
        }
        Duration stall{};
        if (own.activity == Activity::none) {
            stall = sharing_.join_stall;
        } else if (before == Activity::none) {
            stall = sharing_.divide_stall;
        }
        tell_others(thread, stall);
        return;
    }
}

// IBRS in one thread guards the core whatever the thread does (Waiman Long, "x86/speculation:
// Disable IBRS when idle", Message-ID 20230620140625.1001886-1-longman@redhat.com).
void Core::guard_changed(LogicalCpu& thread) {
    std::uint64_t any = 0;
    for (const Thread& each : threads_) {
        any |= each.cpu->spec_ctrl();
    }
    Duration penalty{};
    if ((any & kSpecCtrlIbrs) != 0) {
        penalty = sharing_.ibrs_branch;
    } else if ((any & kSpecCtrlStibp) != 0) {
        penalty = sharing_.stibp_branch;
    }
    if (penalty != branch_penalty_) {
        branch_penalty_ = penalty;
        tell_others(thread, Duration::zero());
    }
}

double Core::stretch(const LogicalCpu& thread) const {
    double stretch = 1.0;
    for (const Thread& other : threads_) {
        if (other.cpu != &thread) {
            stretch += taken_by(other.activity);
        }
    }
    return stretch;
}

}  // namespace idlesim
