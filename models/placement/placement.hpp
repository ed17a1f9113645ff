// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/random.hpp"
#include "sim/engine/time.hpp"

#include <string_view>
#include <vector>

namespace idlesim {

struct Topology;

/// What a policy can see of the run queues when a task wakes.
class RunQueueView {
public:
    RunQueueView() = default;
    RunQueueView(const RunQueueView&) = delete;
    RunQueueView(RunQueueView&&) = delete;
    RunQueueView& operator=(const RunQueueView&) = delete;
    RunQueueView& operator=(RunQueueView&&) = delete;
    virtual ~RunQueueView() = default;

    [[nodiscard]] virtual const Topology& topology() const = 0;

    /// available_idle_cpu(): runs the idle task and nothing waits there. False where the CPU takes
    /// no part in the run.
    [[nodiscard]] virtual bool is_idle(int cpu) const = 0;

    /// Tasks that run or wait on a CPU.
    [[nodiscard]] virtual int running(int cpu) const = 0;

    /// Declared exit latency of the state that an idle CPU has chosen; zero while it polls or
    /// without a cpuidle driver.
    [[nodiscard]] virtual Duration idle_exit_latency(int cpu) const = 0;
};

/// A task that wakes.
struct Wakee {
    int previous_cpu = 0;
    int waker_cpu = 0;
    /// CPUs that it may run on, rising.
    const std::vector<int>* allowed = nullptr;
};

/// Which CPU a woken task gets, of those that it may run on. One object serves all tasks of a run.
class Placement {
public:
    static constexpr std::string_view kKindKey = "policy";

    Placement() = default;
    Placement(const Placement&) = delete;
    Placement(Placement&&) = delete;
    Placement& operator=(const Placement&) = delete;
    Placement& operator=(Placement&&) = delete;
    virtual ~Placement() = default;

    /// The random stream is the policy's own.
    [[nodiscard]] virtual int select(const Wakee&, const RunQueueView&, RandomStream&) = 0;

    /// May the load balancer move tasks that wait for their CPU?
    [[nodiscard]] virtual bool lets_balance() const { return true; }
};

}  // namespace idlesim
