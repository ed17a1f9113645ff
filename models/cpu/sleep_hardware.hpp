// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cpu/attribution.hpp"
#include "models/cpu/step_cost.hpp"
#include "sim/engine/time.hpp"

#include <cstdint>

namespace idlesim {

class LogicalCpu;
enum class CpuState : std::uint8_t;

/// What ends a sleep, as far as the hardware can tell it in advance.
enum class WakeCause : std::uint8_t {
    local_timer,  ///< armed before, so the hardware knows when it comes
    other,
};

/// How a sleep ends: what has to pass before the next instruction, and what the path behind it
/// suffers from.
struct HardwareExit {
    Duration package{};  ///< comes first: the package wakes
    StepId package_step = 0;
    Duration core{};
    StepId core_step = 0;
    /// Warm time of the path behind that runs cold.
    Duration cold_work{};
    /// The clock is this many times as slow as it should be...
    double slowdown = 1.0;
    /// ...for so long.
    Duration slow_for{};
};

/// What lies under a sleeping instruction: grants idle states to the CPUs that ask for them. The
/// CPU asks; what it gets depends on the others and on the moment.
class SleepHardware {
public:
    SleepHardware() = default;
    SleepHardware(const SleepHardware&) = delete;
    SleepHardware(SleepHardware&&) = delete;
    SleepHardware& operator=(const SleepHardware&) = delete;
    SleepHardware& operator=(SleepHardware&&) = delete;
    virtual ~SleepHardware() = default;

    /// What entering the hardware state `requested` costs now, up to where it can be interrupted;
    /// `asked` is the whole of it.
    [[nodiscard]] virtual CostId entry(LogicalCpu& cpu, int requested, CostId asked) = 0;

    /// The uninterruptible part of entering the hardware state `requested` is over.
    virtual void arrive(LogicalCpu& cpu, int requested) = 0;

    /// A wake event reaches a CPU that has arrived.
    [[nodiscard]] virtual HardwareExit wake(LogicalCpu& cpu, WakeCause cause) = 0;

    /// The CPU sleeps in an instruction that no hardware state describes (HLT beside a table of
    /// MWAIT states): it draws what the shallowest state draws.
    virtual void doze(LogicalCpu& cpu) = 0;

    /// The CPU does something else now.
    virtual void state_changed(const LogicalCpu& cpu, CpuState state) = 0;
};

}  // namespace idlesim
