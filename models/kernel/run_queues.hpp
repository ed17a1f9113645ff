// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/kernel.hpp"

#include <algorithm>

namespace idlesim {

/// The run queues as a placement policy sees them.
class Kernel::RunQueues final : public RunQueueView {
public:
    explicit RunQueues(const Kernel& kernel) : kernel_{kernel} {}

    [[nodiscard]] const Topology& topology() const override {
        return kernel_.machine_.platform().topology;
    }

    [[nodiscard]] bool is_idle(int cpu) const override {
        return of(cpu) != nullptr && running(cpu) == 0;
    }

    // ttwu_pending: a wake-up that the CPU has not enqueued yet counts.
    [[nodiscard]] int running(int cpu) const override {
        const Cpu* state = of(cpu);
        if (state == nullptr) {
            return 0;
        }
        const auto pending = std::count_if(
            state->call_queue.begin(), state->call_queue.end(), [](const CrossCall* call) {
                return call->kind == CrossCall::Kind::wake;
            });
        return static_cast<int>(pending) + static_cast<int>(state->run_queue.size()) +
               (state->is_idle ? 0 : 1);
    }

    [[nodiscard]] Duration idle_exit_latency(int cpu) const override {
        const Cpu* state = of(cpu);
        if (state == nullptr || state->device == nullptr) {
            return Duration::zero();
        }
        const auto selected = static_cast<std::size_t>(state->device->selected());
        return kernel_.cpuidle_.states[selected].declared.exit_latency;
    }

private:
    [[nodiscard]] const Cpu* of(int cpu) const {
        return kernel_.cpus_[static_cast<std::size_t>(cpu)].get();
    }

    const Kernel& kernel_;
};

}  // namespace idlesim
