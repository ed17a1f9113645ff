// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/placement/placement.hpp"

#include <optional>

namespace idlesim {

/// Scans of the CPUs that a task may run on, from `start` on and around, inside the last-level
/// cache of `start` (select_idle_core() and select_idle_cpu(), kernel/sched/fair.c, 6.3).
class IdleCpuSearch {
public:
    IdleCpuSearch(const Wakee& wakee, const RunQueueView& view) : wakee_{wakee}, view_{view} {}

    [[nodiscard]] bool may_use(int cpu) const;

    /// A CPU of a core whose threads are all idle; the thread found is the first of them allowed.
    [[nodiscard]] std::optional<int> idle_core(int start) const;

    [[nodiscard]] std::optional<int> idle_cpu(int start) const;

    [[nodiscard]] bool share_cache(int a, int b) const;

private:
    template <class Test>
    [[nodiscard]] std::optional<int> first_in_cache(int start, Test test) const;

    const Wakee& wakee_;
    const RunQueueView& view_;
};

}  // namespace idlesim
