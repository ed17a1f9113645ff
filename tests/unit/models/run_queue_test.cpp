// SPDX-License-Identifier: Apache-2.0
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_scene.hpp"

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using test::CpuidleScene;

bool begin_second(void*, LogicalCpu& cpu, std::uint64_t) {
    cpu.context().compute_left = 1s;
    return false;
}

/// Two tasks that compute from the start on, both on CPU 0; CPU 1 has nothing to do.
struct TwoOnOne {
    explicit TwoOnOne(const std::string& policy)
        : scene{test::cpuidle_scenario(test::cpuidle_platform(),
                                       "{ kind: quiet, cpus: [0, 1], duration: 1 s }")} {
        Kernel& kernel = scene.kernel();
        kernel.set_placement(Registry<Placement>::choice(policy).make());
        for (const char* name : {"a", "b"}) {
            Task& task = kernel.add_task(name, 0, {0, 1});
            ProgramBuilder b = scene.machine().program(name);
            kernel.emit_task_begin(b);
            const Label loop = b.label();
            b.bind(loop).effect({&begin_second, nullptr}).compute().jump(loop);
            task.program = &scene.machine().keep(b.finish());
            kernel.make_runnable(task);
            tasks.push_back(&task);
        }
        scene.run_until(100ms);
    }

    CpuidleScene scene;
    std::vector<Task*> tasks;
};

}  // namespace

TEST_CASE("a tick sends a waiting task to an idle CPU", "[run_queue]") {
    TwoOnOne two{"select_idle_sibling"};
    CHECK(two.tasks[0]->cpu + two.tasks[1]->cpu == 1);
    CHECK(two.scene.in(1, CpuState::computing) > 80ms);
}

TEST_CASE("pinned tasks share their CPU in time slices, whatever else is idle", "[run_queue]") {
    TwoOnOne two{"pinned"};
    CHECK(two.tasks[0]->cpu == 0);
    CHECK(two.tasks[1]->cpu == 0);
    CHECK(two.scene.in(1, CpuState::computing) == 0ms);
    for (const Task* task : two.tasks) {
        CHECK(task->context.compute_left < 970ms);
        CHECK(task->context.compute_left > 930ms);
    }
}

}  // namespace idlesim
