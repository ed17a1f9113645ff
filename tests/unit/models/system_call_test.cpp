// SPDX-License-Identifier: Apache-2.0
#include "models/run.hpp"
#include "sim/experiment/experiment.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

namespace idlesim {
namespace {

// SPEC_CTRL takes 290 cycles of 2.1 GHz.
constexpr double kWrite = 290 / 2.1;

/// The steps of the hand-overs of a pipe on one CPU; four of them to two system calls of each task.
SampleTable hand_overs(const std::string& platform, const std::string& kernel_ibrs) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / "idlesim_system_call_test.yaml";
    std::ofstream{file} << fmt::format(
        "title: t\nplatform: {}\n"
        "kernel: {{ version: \"6.7\", hz: 100, cpuidle: none, kernel_ibrs: \"{}\" }}\n"
        "workload: {{ kind: sched_pipe, pinned: [0, 0], loops: 1000 }}\narms:\n  only: {{}}\n",
        platform,
        kernel_ibrs);
    const Experiment experiment = load_experiment(file, {});
    std::filesystem::remove(file);
    return run(experiment.arms.front().scenario, {}).samples;
}

/// Nanoseconds of one step in a hand-over, on average.
double step(const SampleTable& samples, const std::string& name) {
    const auto& steps = samples.steps();
    const auto found = std::find(steps.begin(), steps.end(), name);
    if (found == steps.end()) {
        return 0;
    }
    const auto index = static_cast<std::size_t>(found - steps.begin());
    return static_cast<double>(samples.step_histogram(index).sum()) /
           static_cast<double>(samples.count()) / 1000;
}

}  // namespace

TEST_CASE("kernel IBRS adds two writes of SPEC_CTRL to each system call", "[spec_ctrl]") {
    // A hand-over is a write by one task and the end of a read by the other.
    CHECK(step(hand_overs("intel-skx-server", "on"), "wrmsr_spec_ctrl") ==
          Approx(4 * kWrite).epsilon(0.01));
    CHECK(step(hand_overs("intel-skx-server", "off"), "wrmsr_spec_ctrl") == 0);
}

TEST_CASE("without legacy IBRS a system call has no border", "[spec_ctrl]") {
    CHECK(hand_overs("intel-icx-server", "on").values() ==
          hand_overs("intel-icx-server", "off").values());
}

}  // namespace idlesim
