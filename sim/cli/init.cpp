// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/describe_platform.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/experiment/data_files.hpp"
#include "sim/output/atomic_file.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultPlatform = "amd-zen3-server";

// {0}: the line for editors, {1}: the platform, {2}: another of its CPUs, {3}: the file, {4} and
// {5}: the second arm and its strategy.
constexpr const char* kExperiment =
    R"({0}# `idlesim run {3}` runs it; `idlesim check {3}` only reads it.
title: Two ways to idle, one wake-up
# A machine: `idlesim list platforms`. `idlesim describe NAME` says how much of one is known.
platform: {1}
# cpuidle: none leaves it to the kernel's default; intel_idle, acpi_idle and haltpoll load a driver,
# which also has states and a governor. `idlesim describe kernel` has all switches.
kernel: {{ version: "6.6", hz: 250, cpuidle: none }}
workload:
  # What is measured: `idlesim list workloads`, `idlesim describe ipi_wake`.
  kind: ipi_wake
  source_cpu: 0
  target_cpu: {2}
  wakeups: 5000
interrupts:
  # What else happens on the machine; leave it out for a quiet one.
  - kind: background
# What is compared. Each arm is laid over what stands above, so it says only what differs; it may
# change anything, also the platform: platform: {{ costs: {{ hlt_exit: {{ value: 900 ns }} }} }}
arms:
  hlt:
    idle: {{ strategy: hlt }}
  {4}:
    idle: {{ strategy: {5} }}
# Runs of each arm, each with random numbers of its own. Arms share them, so differences are paired.
replications: 5
# A number that you have measured turns into a target, and `idlesim validate {3}` into a test:
# targets:
#   - {{ arm: hlt, metric: wake_latency, stat: p50, documented: 2000 ns, tolerance: 5 %,
#       use: holdout, source: "our lab, 3 May" }}
)";

/// The first CPU of another core, where there is one.
int other_cpu(const PlatformSpec& platform) {
    const int threads = platform.topology.threads_per_core;
    return platform.topology.cpus() > threads ? threads : platform.topology.cpus() - 1;
}

std::string modeline() {
    const auto folder = data_folder("configs/schema");
    return folder ? fmt::format("# yaml-language-server: $schema={}\n",
                                (*folder / "experiment.json").string())
                  : "";
}

int init(const Arguments& arguments) {
    if (arguments.words.size() > 1) {
        throw UsageError{"init takes one file name: idlesim init mine.yaml"};
    }
    const fs::path file = arguments.words.empty() ? "experiment.yaml" : arguments.words.front();
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
        throw UsageError{fmt::format("{} exists; give another name", file.string())};
    }
    const std::string name =
        arguments.replay.platform.empty() ? kDefaultPlatform : arguments.replay.platform;
    const PlatformSpec platform = read_platform(name);
    const bool has_monitor = platform.cpuid.monitor;
    write_file(file,
               fmt::format(fmt::runtime(kExperiment),
                           modeline(),
                           name,
                           other_cpu(platform),
                           file.string(),
                           has_monitor ? "mwait" : "poll",
                           has_monitor ? "mwait_c1" : "poll"));
    if (!arguments.quiet) {
        fmt::print("wrote {0}; next: idlesim run {0}\n", file.string());
    }
    return kSuccess;
}

}  // namespace

Verb init_verb() {
    return {"init",
            "[FILE.yaml]",
            "Writes an experiment with comments, to begin from. Default: experiment.yaml, on "
            "amd-zen3-server.",
            {"platform", "quiet"},
            init};
}

}  // namespace idlesim
