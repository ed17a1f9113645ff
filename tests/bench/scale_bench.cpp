// SPDX-License-Identifier: Apache-2.0
// What an event costs from 2 to 1024 CPUs, and what a run costs before its first event. All CPUs
// idle in C6 and are woken by Poisson interrupts; every machine gets about the same number of them.
// Processor time, so that a busy machine shows less. Prints; judges nothing.
//
//   scale_bench [INTERRUPTS]
#include "models/run.hpp"
#include "sim/config/load.hpp"
#include "sim/config/override.hpp"
#include "sim/experiment/platform_file.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <map>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace {

using namespace idlesim;

constexpr int kRepeats = 3;

double processor_seconds() {
    std::timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// The least processor time of several repeats.
template <class Work>
double best_of(const Work& work) {
    double best = 1e9;
    for (int i = 0; i < kRepeats; ++i) {
        const double begin = processor_seconds();
        work();
        best = std::min(best, processor_seconds() - begin);
    }
    return best;
}

Scenario machine_of(int cpus, double seconds) {
    constexpr int kMostCoresPerPackage = 128;
    const int cores = std::min(std::max(cpus / 2, 1), kMostCoresPerPackage);
    const int packages = cpus / (2 * cores);
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(
        fmt::format("kernel: {{ version: \"6.6\", hz: 250, cpuidle: intel_idle }}\n"
                    "governor: {{ governor: menu@6.12 }}\n"
                    "workload: {{ kind: quiet, duration: {} us }}\n"
                    "interrupts: [{{ kind: background, mean_interval: 1 ms }}]\n"
                    "platform: {{ topology: {{ packages: {}, cores_per_llc: {} }} }}\n",
                    static_cast<std::int64_t>(seconds * 1e6),
                    packages,
                    cores),
        "scale_bench",
        diagnostics);
    std::map<std::string, std::string> unused;
    config::Node platform = load_platform(
        IDLESIM_SOURCE_DIR "/configs/platforms/intel-icx-server.yaml", diagnostics, unused);
    config::merge(platform, *root.find("platform"));
    root.insert("platform", {}, std::move(platform));
    Scenario result;
    config::read(root, parameters(static_cast<const Scenario*>(nullptr)), result, diagnostics);
    if (diagnostics.has_errors()) {
        throw std::runtime_error{diagnostics.render()};
    }
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    const double interrupts = argc > 1 ? std::atof(argv[1]) : 200'000;
    RunOptions options;
    options.sample_rows = 1;
    fmt::print("cpus  events    ns/event  ns/interrupt  set-up ms\n");
    try {
        for (int cpus = 2; cpus <= 1024; cpus *= 2) {
            const Scenario subject = machine_of(cpus, interrupts / cpus / 1000);
            const Scenario nothing = machine_of(cpus, 1e-6);
            const double set_up = best_of([&] { static_cast<void>(run(nothing, options)); });
            std::uint64_t events = 0;
            const double whole = best_of([&] { events = run(subject, options).events; });
            fmt::print("{:4}  {:8}  {:8.1f}  {:12.0f}  {:9.3f}\n",
                       cpus,
                       events,
                       (whole - set_up) / static_cast<double>(events) * 1e9,
                       (whole - set_up) / interrupts * 1e9,
                       set_up * 1e3);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
