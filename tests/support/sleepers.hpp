// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cstate/cstate_hardware.hpp"
#include "tests/support/bare_cpu.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace idlesim::test {

/// One sleep of a CPU, in time since the start: MWAIT for `state` begins at `from`, what ends it
/// comes at `until`.
struct Sleep {
    std::string state;
    Duration from{};
    Duration until{};
    bool by_timer =
        false;  ///< an armed timer of the CPU; else a store, as a device's is unforeseen
};

/// CPUs without a kernel that sleep by a plan. On a platform whose steps are free, all the time
/// that passes is the hardware's. Between two sleeps a CPU spins in a task, which is running.
class Sleepers {
public:
    Sleepers(const PlatformSpec& platform, const std::vector<int>& cpus)
        : bare_{platform, cpus}, cpus_{cpus} {}

    /// `path` steps of the cost "path" follow every wake-up.
    void plan(int cpu, const std::vector<Sleep>& sleeps, int path = 0) {
        Planned& planned = plans_.emplace_back();
        planned.cpu = cpu;
        LogicalCpu& logical = bare_.cpu(cpu);
        ProgramBuilder b = bare_.program("sleeper");
        for (const Sleep& sleep : sleeps) {
            planned.until.push_back(Time{} + sleep.until);
            b.wait_for_release().monitor().mwait(0, true, sleep.state);
            b.effect(effect_of<&Planned::wakes>(&planned));
            for (int i = 0; i < path; ++i) {
                b.work("path");
            }
            b.effect(effect_of<&Planned::arrives>(&planned));
            b.sti().work({}).cli();  // serves the timer
            bare_.at(sleep.from, [&logical] { logical.release(); });
            bare_.at(sleep.until, [&logical, by_timer = sleep.by_timer] {
                if (by_timer) {
                    logical.raise(kExpiredTimerVector);
                } else {
                    logical.monitored_line_written();
                }
            });
        }
        rest(b);
        ProgramBuilder handler = bare_.program("timer");
        handler.iret();
        logical.set_handler(kExpiredTimerVector, &bare_.machine().keep(handler.finish()));
        bare_.start(cpu, b.finish());
    }

    /// Plans nothing for the CPUs that have no plan: they spin.
    void run_until(Duration end) {
        for (const int cpu : cpus_) {
            if (!has_plan(cpu)) {
                plan(cpu, {});
            }
        }
        bare_.run_until(end);
    }

    [[nodiscard]] Machine& machine() { return bare_.machine(); }

    [[nodiscard]] const CStateHardware& hardware() { return *machine().cstates(); }

    /// How long the hardware has taken to end the sleep; the first is 0.
    [[nodiscard]] Duration exit(int cpu, std::size_t sleep = 0) {
        const Planned& planned = plan_of(cpu);
        return planned.woke.at(sleep) - planned.until.at(sleep);
    }

    /// How long the path behind it has taken.
    [[nodiscard]] Duration path(int cpu, std::size_t sleep = 0) {
        const Planned& planned = plan_of(cpu);
        return planned.arrived.at(sleep) - planned.woke.at(sleep);
    }

    /// Time that the CPU has spent in a hardware state; of scope package: that its package has,
    /// while the CPU slept.
    [[nodiscard]] Duration granted(int cpu, const std::string& state) {
        const GrantedTime time = hardware().granted(cpu, machine().now());
        const int index = machine().costs().hardware_state(state);
        const auto i = static_cast<std::size_t>(index);
        return hardware().is_package_state(index) ? time.package.at(i) : time.core.at(i);
    }

    [[nodiscard]] Duration resident(int cpu) {
        return bare_.cpu(cpu).residency()[static_cast<std::size_t>(CpuState::resident)];
    }

private:
    struct Planned {
        int cpu = 0;
        std::vector<Time> until;
        std::vector<Time> woke;
        std::vector<Time> arrived;

        bool wakes(LogicalCpu& logical, std::uint64_t) {
            woke.push_back(logical.now());
            return false;
        }

        bool arrives(LogicalCpu& logical, std::uint64_t) {
            arrived.push_back(logical.now());
            return false;
        }
    };

    [[nodiscard]] bool has_plan(int cpu) const {
        return std::any_of(plans_.begin(), plans_.end(), [cpu](const Planned& planned) {
            return planned.cpu == cpu;
        });
    }

    [[nodiscard]] const Planned& plan_of(int cpu) const {
        for (const Planned& planned : plans_) {
            if (planned.cpu == cpu) {
                return planned;
            }
        }
        throw std::out_of_range{"a CPU without a plan"};
    }

    BareMachine bare_;
    std::vector<int> cpus_;
    std::deque<Planned> plans_;
};

}  // namespace idlesim::test
