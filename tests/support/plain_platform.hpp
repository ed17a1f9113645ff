// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/platform.hpp"

#include <array>
#include <string>

namespace idlesim::test {

inline constexpr std::array kSteps{"cli",
                                   "sti",
                                   "set_polling",
                                   "clear_polling",
                                   "test_need_resched",
                                   "set_need_resched",
                                   "monitor",
                                   "mwait_entry",
                                   "mwait_exit",
                                   "umwait_entry",
                                   "umwait_exit",
                                   "io_entry",
                                   "io_exit",
                                   "io_dummy_read",
                                   "wrmsr_spec_ctrl",
                                   "xstate_init",
                                   "hlt_entry",
                                   "hlt_exit",
                                   "pause_turn",
                                   "icr_write",
                                   "ipi_delivery",
                                   "ipi_cross_package",
                                   "line_transfer_same_core",
                                   "line_transfer_same_llc",
                                   "line_transfer_cross_llc",
                                   "line_transfer_cross_package",
                                   "vectoring",
                                   "irq_entry",
                                   "eoi",
                                   "scheduler_ipi",
                                   "irq_exit",
                                   "iret",
                                   "tick_irq_enter",
                                   "csd_flush",
                                   "csd_function",
                                   "tick_handler",
                                   "nmi_handler",
                                   "background_handler",
                                   "csd_queue",
                                   "try_to_wake_up",
                                   "enqueue_task",
                                   "idle_enter",
                                   "idle_prepare",
                                   "tick_stop",
                                   "idle_housekeeping",
                                   "idle_loop_exit",
                                   "tick_restart",
                                   "schedule",
                                   "pipe_give",
                                   "pipe_give_return",
                                   "pipe_take",
                                   "pipe_take_return",
                                   "futex_give",
                                   "futex_give_return",
                                   "futex_take",
                                   "futex_take_return"};

/// Sets one cost of a platform.
inline void set_cost(PlatformSpec& platform, const std::string& name, Duration value) {
    for (auto& entry : platform.costs.entries) {
        if (entry.key == name) {
            entry.value.value = value;
            return;
        }
    }
    Cost cost;
    cost.value = value;
    platform.costs.entries.push_back({name, {}, cost});
}

/// A platform on which every step takes the same time and nothing is left to chance: what happens
/// when can be counted by hand. Every cost that a shipped program asks for exists.
inline PlatformSpec plain_platform(Duration step = std::chrono::nanoseconds{10}) {
    PlatformSpec platform;
    platform.name = "plain";
    platform.vendor = "AMD";
    platform.topology = {2, 1, 2, 2, 1, {}};
    for (const char* name : kSteps) {
        set_cost(platform, name, step);
    }
    set_cost(platform, "background_interval", std::chrono::milliseconds{1});
    return platform;
}

}  // namespace idlesim::test
