// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kernel/kernel.hpp"
#include "models/specjbb/mutators.hpp"
#include "sim/engine/distribution.hpp"

#include <memory>
#include <vector>

namespace idlesim {

/// How a collection is done.
struct CollectorSpec {
    std::vector<int> cpus;  ///< rising
    int workers = 1;
    /// Of all workers together, each alone on a core.
    Distribution work = Distribution::constant(Duration{1});
    double indirect_branches = 0;  ///< per microsecond of it
    /// Works that are drawn at the start, one from each of as many equally likely ranges, and used
    /// in turn: so many collections always see the same works, which no two steps or arms differ
    /// in.
    int strata = 1;
};

/// Told when a collection is over and the mutators go on.
class CollectorListener {
public:
    CollectorListener() = default;
    CollectorListener(const CollectorListener&) = delete;
    CollectorListener(CollectorListener&&) = delete;
    CollectorListener& operator=(const CollectorListener&) = delete;
    CollectorListener& operator=(CollectorListener&&) = delete;
    virtual ~CollectorListener() = default;

    virtual void collection_done(Duration pause) = 0;
};

/// Stop-the-world collections as HotSpot's parallel collectors run them: the VM thread stops the
/// mutators, wakes one worker after the other, which share the work piece by piece until nothing is
/// left, and the last of them wakes it; then it wakes the mutators. Its threads are free to move
/// and share cores as the scheduler puts them. (ParallelGCThreads = 8 + 5/8 (n - 8):
/// WorkerPolicy::nof_parallel_worker_threads(), OpenJDK 17.)
class Collector {
public:
    Collector(Kernel& kernel, CollectorSpec spec, CollectorListener& listener);
    Collector(const Collector&) = delete;
    Collector(Collector&&) = delete;
    Collector& operator=(const Collector&) = delete;
    Collector& operator=(Collector&&) = delete;
    ~Collector();

    /// The VM thread: who has asked for a collection wakes it.
    [[nodiscard]] Task& thread() { return vm_thread_; }

    /// Writes the programs, once the mutators exist.
    void attach(Mutators& mutators);

    /// The world stops; the caller wakes the VM thread.
    void request();

    [[nodiscard]] bool is_running() const { return is_requested_; }

    /// The next collection has the first of the works.
    void begin_strata() { next_work_ = 0; }

private:
    struct Worker;

    void write_vm_thread();
    void write_worker(Worker& worker);
    void draw_works(RandomStream luck);
    Duration take_piece();
    bool waits_no_longer(LogicalCpu&, std::uint64_t);
    bool begin(LogicalCpu&, std::uint64_t);
    bool all_called(LogicalCpu& cpu, std::uint64_t);
    bool is_done(LogicalCpu&, std::uint64_t);
    bool end(LogicalCpu&, std::uint64_t);
    bool all_released(LogicalCpu& cpu, std::uint64_t);

    Kernel& kernel_;
    CollectorSpec spec_;
    CollectorListener& listener_;
    Mutators* mutators_ = nullptr;
    Task& vm_thread_;
    WakeSite& worker_site_;
    WakeSite& mutator_site_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<Duration> works_;  ///< one from each stratum, in random order
    std::size_t next_work_ = 0;
    bool is_requested_ = false;
    bool is_calling_ = false;
    Time requested_at_{};
    std::size_t called_ = 0;
    int active_ = 0;
    Duration work_left_{};
    Duration smallest_piece_{};
};

}  // namespace idlesim
