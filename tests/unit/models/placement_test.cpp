// SPDX-License-Identifier: Apache-2.0
#include "models/placement/placement.hpp"

#include "models/platform/topology.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"

#include <map>
#include <set>
#include <string>

namespace idlesim {
namespace {

/// Two packages of four cores with two threads: CPUs 0 to 7 are first threads, 8 to 15 second ones.
class Queues final : public RunQueueView {
public:
    std::set<int> busy;
    std::map<int, Duration> latencies;

    [[nodiscard]] const Topology& topology() const override { return topology_; }

    [[nodiscard]] bool is_idle(int cpu) const override { return busy.count(cpu) == 0; }

    [[nodiscard]] int running(int cpu) const override { return busy.count(cpu) == 0 ? 0 : 1; }

    [[nodiscard]] Duration idle_exit_latency(int cpu) const override {
        const auto found = latencies.find(cpu);
        return found == latencies.end() ? Duration{1000} : found->second;
    }

private:
    Topology topology_{2, 1, 4, 2, 1, {}};
};

int placed(const std::string& policy, const Queues& queues, int previous, int waker) {
    std::vector<int> all;
    for (int cpu = 0; cpu < 16; ++cpu) {
        all.push_back(cpu);
    }
    RandomStream luck{1, "test"};
    return Registry<Placement>::choice(policy).make()->select(
        {previous, waker, &all}, queues, luck);
}

}  // namespace

TEST_CASE("Linux takes an idle previous CPU before it looks for an idle core", "[placement]") {
    Queues queues;
    queues.busy = {9, 5};
    // The sibling of CPU 1 is busy, cores 2 and 3 are free: the task stays all the same.
    CHECK(placed("select_idle_sibling", queues, 1, 5) == 1);
    CHECK(placed("idle_core_first", queues, 1, 5) != 1);
}

TEST_CASE("Linux looks for an idle core, then for any idle CPU of the cache", "[placement]") {
    Queues queues;
    queues.busy = {1, 2, 8, 5};
    CHECK(placed("select_idle_sibling", queues, 1, 5) == 3);
    queues.busy = {0, 1, 2, 3, 8, 9, 5};
    CHECK(placed("select_idle_sibling", queues, 1, 5) == 10);
    queues.busy = {0, 1, 2, 3, 8, 9, 10, 11, 5};
    CHECK(placed("select_idle_sibling", queues, 1, 5) == 1);
}

TEST_CASE("an idle waker of the same cache takes the task whose CPU is busy", "[placement]") {
    Queues queues;
    queues.busy = {1};
    CHECK(placed("select_idle_sibling", queues, 1, 3) == 3);
    CHECK(placed("select_idle_sibling", queues, 1, 6) == 2);
}

TEST_CASE("policies differ in what they prefer", "[placement]") {
    Queues queues;
    queues.busy = {0, 1};
    CHECK(placed("pinned", queues, 1, 5) == 1);
    CHECK(placed("previous_cpu", queues, 2, 5) == 2);
    CHECK(placed("previous_cpu", queues, 1, 5) == 2);
    CHECK(placed("packing", queues, 3, 5) == 8);
    queues.latencies[6] = Duration{1};
    CHECK(placed("shallowest_state_first", queues, 3, 5) == 6);
}

TEST_CASE("no policy leaves the CPUs that a task may run on", "[placement]") {
    const std::vector<int> allowed{2, 10};
    for (const std::string& policy : Registry<Placement>::names()) {
        for (const std::set<int>& busy : {std::set<int>{}, {2}, {10}, {2, 10}}) {
            Queues queues;
            queues.busy = busy;
            RandomStream luck{1, "test"};
            const int cpu =
                Registry<Placement>::choice(policy).make()->select({2, 7, &allowed}, queues, luck);
            INFO(policy);
            CHECK((cpu == 2 || cpu == 10));
        }
    }
}

}  // namespace idlesim
