// SPDX-License-Identifier: Apache-2.0
// Simulated wake-ups a second on one core, with statistics on and step rows kept of every n-th
// sample only, and with every row kept. Prints; judges nothing. The yardstick of the same run is
// a bare loop, so that a slow or busy machine shows.
//
//   wake_bench [WAKEUPS]
#include "models/run.hpp"
#include "sim/config/load.hpp"
#include "sim/config/override.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace {

using namespace idlesim;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Seconds of 400 million steps of a xorshift generator.
double yardstick() {
    std::uint64_t state = 88172645463325252U;
    std::uint64_t sum = 0;
    const auto begin = Clock::now();
    for (int i = 0; i < 400'000'000; ++i) {
        state ^= state << 13U;
        state ^= state >> 7U;
        state ^= state << 17U;
        sum += state & 1U;
    }
    const double seconds = seconds_since(begin);
    fmt::print("yardstick: {:.2f} s for 4e8 xorshift steps (sum {})\n", seconds, sum);
    return seconds;
}

Scenario scenario(const std::string& strategy, const std::string& workload) {
    config::Diagnostics diagnostics;
    config::Node root = config::load_text(
        fmt::format("kernel: {{ version: \"5.18\" }}\nidle: {{ strategy: {} }}\nworkload: {}\n"
                    "interrupts: [{{ kind: background }}]\n",
                    strategy,
                    workload),
        "wake_bench",
        diagnostics);
    root.insert("platform",
                {},
                config::load_file(IDLESIM_SOURCE_DIR "/configs/platforms/amd-zen3-server.yaml",
                                  diagnostics));
    Scenario result;
    config::read(root, parameters(static_cast<const Scenario*>(nullptr)), result, diagnostics);
    if (diagnostics.has_errors()) {
        throw std::runtime_error{diagnostics.render()};
    }
    return result;
}

void measure(const std::string& strategy, const std::string& workload, std::int64_t rows) {
    const Scenario subject = scenario(strategy, workload);
    RunOptions options;
    options.sample_rows = rows;
    const auto begin = Clock::now();
    const RunResult result = run(subject, options);
    const double seconds = seconds_since(begin);
    fmt::print("{:9} {:15} rows {:9}  {:6.2f} M wake-ups/s  {:6.1f} M operations/s\n",
               strategy,
               subject.workload.kind,
               rows > 0 ? fmt::to_string(rows) : "all",
               static_cast<double>(result.samples.count()) / seconds / 1e6,
               static_cast<double>(result.events) / seconds / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t wakeups = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
    try {
        yardstick();
        for (const char* strategy : {"hlt", "mwait_c1", "poll"}) {
            const std::string ipi = fmt::format("{{ kind: ipi_wake, wakeups: {} }}", wakeups);
            measure(strategy, ipi, 10'000);
            measure(strategy, ipi, 0);
            measure(strategy, "{ kind: context_switch2, duration: 3 s }", 10'000);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "wake_bench: {}\n", error.what());
        return 1;
    }
    return 0;
}
