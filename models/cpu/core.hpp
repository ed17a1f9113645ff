// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstdint>
#include <vector>

namespace idlesim {

class LogicalCpu;

/// IA32_SPEC_CTRL (Intel SDM volume 4, MSR 48H).
constexpr std::uint64_t kSpecCtrlIbrs = 1;
constexpr std::uint64_t kSpecCtrlStibp = 2;

/// What a hardware thread takes from the others of its core.
enum class Activity : std::uint8_t {
    none,     ///< asleep: its partitions are free
    polling,  ///< spins with PAUSE: takes few slots and frees no partition
    busy,
};

/// How the threads of a core get into each other's way.
struct CoreSharing {
    /// By how much more time a thread's work takes beside one that is busy, or polls: 0 = nothing.
    double beside_busy = 0;
    double beside_polling = 0;
    /// Stall of the others when a thread goes to sleep: it drains, the partitions are joined.
    Duration join_stall{};
    /// The same when it wakes: they are divided again.
    Duration divide_stall{};
    /// On top of every indirect branch while any thread of the core has IBRS (legacy) set...
    Duration ibrs_branch{};
    /// ...or STIBP.
    Duration stibp_branch{};
};

/// The hardware threads of a core that take part. Tells the others when one starts or stops to
/// work, or changes its SPEC_CTRL, and says what that costs them. (Intel optimization manual, 2.6.9
/// of 2021, Hyper-Threading: partitioned, shared and replicated resources; for the guard see
/// Documentation/admin-guide/hw-vuln/spectre.rst, 6.3.)
class Core {
public:
    explicit Core(const CoreSharing& sharing) : sharing_{sharing} {}

    void add(LogicalCpu& thread);

    /// `thread` does something else now than before.
    void activity_changed(LogicalCpu& thread);

    /// `thread` has written its SPEC_CTRL.
    void guard_changed(LogicalCpu& thread);

    /// How many times as long work on `thread` takes as alone.
    [[nodiscard]] double stretch(const LogicalCpu& thread) const;

    /// What an indirect branch on any thread of the core costs on top.
    [[nodiscard]] Duration branch_penalty() const { return branch_penalty_; }

private:
    struct Thread {
        LogicalCpu* cpu = nullptr;
        Activity activity = Activity::none;
    };

    [[nodiscard]] double taken_by(Activity activity) const;
    void tell_others(const LogicalCpu& thread, Duration stall);

    CoreSharing sharing_;
    std::vector<Thread> threads_;
    Duration branch_penalty_{};
};

}  // namespace idlesim
