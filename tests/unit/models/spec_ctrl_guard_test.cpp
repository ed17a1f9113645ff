// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/spec_ctrl_guard.hpp"

#include "models/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/cpuidle_scene.hpp"

namespace idlesim {
namespace {

using namespace std::chrono_literals;
using test::CpuidleScene;

/// A machine with legacy IBRS whose CPU 0 sleeps in C1 with IBRS cleared; an NMI comes at 5 ms.
std::uint64_t findings(const std::string& kind, const std::string& version) {
    PlatformSpec platform = test::cpuidle_platform();
    platform.cpuid.legacy_ibrs = true;
    CpuidleScene scene{
        test::cpuidle_scenario(platform,
                               "{ kind: quiet, cpus: [0], duration: 20 ms }",
                               "version: \"" + version + "\", intel_idle: { ibrs_off: true }",
                               test::fixed_governor("C1"))};
    scene.run_until(5ms);
    scene.cpu(0).raise_nmi();
    scene.run_until(15ms);
    CHECK(scene.cpu(0).state() == CpuState::resident);
    CHECK(scene.cpu(0).spec_ctrl() == 0);
    return scene.kernel().findings().count(kind);
}

}  // namespace

TEST_CASE("up to 6.6 idle leaves the copy of SPEC_CTRL behind, from 6.7 on it follows",
          "[spec_ctrl]") {
    CHECK(findings("stale_spec_ctrl_copy", "6.6") > 0);
    CHECK(findings("stale_spec_ctrl_copy", "6.7") == 0);
}

TEST_CASE("an NMI in idle is saved by the stale copy and bare without it", "[spec_ctrl]") {
    CHECK(findings("nmi_loads_stale_spec_ctrl_copy", "6.6") == 1);
    CHECK(findings("nmi_without_ibrs", "6.6") == 0);
    CHECK(findings("nmi_loads_stale_spec_ctrl_copy", "6.7") == 0);
    CHECK(findings("nmi_without_ibrs", "6.7") == 1);
}

TEST_CASE("no interrupt handler of a kernel with IBRS runs without it", "[spec_ctrl]") {
    CHECK(findings("handler_without_ibrs", "6.6") == 0);
    CHECK(findings("handler_without_ibrs", "6.7") == 0);
}

// An interrupt that fell between the write of the MSR on entry and the end of the entry was once
// taken for one from user mode, and left the kernel without its guard.
TEST_CASE("interrupts at any moment of a system call leave the guard as it belongs",
          "[spec_ctrl]") {
    PlatformSpec platform = test::cpuidle_platform();
    platform.cpuid.legacy_ibrs = true;
    test::set_cost(platform, "device_handler", 10ns);
    const RunResult result =
        run(test::cpuidle_scenario(
                platform,
                "{ kind: open_loop, cpus: [0, 1], interrupts: single, interrupt_cpu: 0, "
                "service: { distribution: exponential, mean: 500 ns }, "
                "arrivals: { process: poisson, rate: 300 kHz }, requests: 20000 }",
                "version: \"6.7\", intel_idle: { max_cstate: 1, force_irq_on: true }",
                test::fixed_governor("C1")),
            RunOptions{});
    CHECK(result.findings.empty());
}

}  // namespace idlesim
