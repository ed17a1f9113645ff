// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/run_result.hpp"
#include "sim/engine/time.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace idlesim {

/// Who can end an idle interval: a store to the polled flags, the poll limit, and each interrupt
/// handler by its name ("tick", "local_timer", "reschedule", a device's).
class WakeSources {
public:
    static constexpr std::size_t kStore = 0;
    static constexpr std::size_t kPollLimit = 1;
    /// Nothing that the kernel can name: NMI, SMI, a spurious break event.
    static constexpr std::size_t kOther = 2;

    /// Number of the handler of that name; devices of one name on several CPUs share it.
    std::size_t add(const std::string& name);

    [[nodiscard]] const std::string& name(std::size_t source) const { return names_[source]; }

private:
    std::vector<std::string> names_{"store", "poll_limit", "other"};
};

/// Counts what ends the idle intervals of one CPU.
///
/// The cause of an interval is the first interrupt that was served between its start and its
/// statistics: strategies that wait with interrupts off serve it after the interval, but before
/// those. Where none was, the flags tell: polling reached its limit, or somebody stored to them.
class WakeCauses {
public:
    /// An idle interval begins.
    void begin() { served_ = kNone; }

    /// The handler of that number has run.
    void serve(std::size_t source) { served_ = served_ == kNone ? source : served_; }

    /// The interval is over after `slept`. Returns its cause.
    std::size_t end(bool poll_limit_hit, bool need_resched, Duration slept);

    /// A row for each source that has ended an interval of CPU `cpu`.
    void report(const WakeSources& sources, int cpu, std::vector<WakeRow>& rows) const;

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    struct Count {
        std::uint64_t wakes = 0;
        Duration slept{};
    };

    std::size_t served_ = kNone;
    std::vector<Count> counts_;  // [source]
};

}  // namespace idlesim
