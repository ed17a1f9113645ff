// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/idle_story.hpp"
#include "models/run_result.hpp"
#include "models/scenario.hpp"

#include <atomic>
#include <cstdint>
#include <stdexcept>

namespace idlesim {

/// How to run a scenario. Nothing here but `seed` and `replication` changes what is measured.
struct RunOptions {
    std::uint64_t seed = 1;
    int replication = 1;
    /// Keep step rows of about this many samples; <= 0 keeps all. Statistics use all samples.
    std::int64_t sample_rows = 100'000;
    /// Off: every operation goes through the queue. Results are bit-identical.
    bool run_ahead = true;
    /// Record a trace; what is measured stays the same.
    bool trace = false;
    /// When it becomes true the run ends early with Interrupted.
    const std::atomic<bool>* stop = nullptr;
    /// Receives the share of the work that is done, in per mille.
    std::atomic<int>* progress = nullptr;
};

/// A run that was asked to stop before its end.
class Interrupted : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Builds everything that a run of the scenario needs, and nothing more. Throws MissingCost where
/// the platform does not give a cost that a program asks for.
void prepare(const Scenario& scenario);

/// Builds the machine of a checked scenario, runs its workload to the end, and returns what it
/// measured. Deterministic in (scenario, seed, replication). Throws Interrupted, and
/// std::runtime_error with a text for people when the run cannot go on (livelock, end of time).
RunResult run(const Scenario& scenario, const RunOptions& options);

/// A question about an idle interval that the run cannot answer; what() is a sentence for the user.
class NoIdleInterval : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Runs the scenario, as run() does, until the idle interval that is asked for is over, and tells
/// its story. Throws NoIdleInterval where the CPU takes no part, has no cpuidle driver, or is not
/// idle then.
IdleStory explain(const Scenario& scenario,
                  const RunOptions& options,
                  const IdleQuestion& question);

}  // namespace idlesim
