// SPDX-License-Identifier: Apache-2.0
// How fast a trace is read and decided anew, and in how much memory:
//   replay_bench [MEGABYTES]      default 64; 2000 for the promise of 200 MB for a trace of 2 GB
// Writes a trace of that size into the working directory, and deletes it.
#include "sim/experiment/replay.hpp"
#include "sim/experiment/replay_table.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>

namespace idlesim {
namespace {

constexpr const char* kPath = "replay_bench.trace";
constexpr int kCpus = 16;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

struct RemoveFile {
    ~RemoveFile() { std::remove(kPath); }
};

/// CPUs that sleep for some microseconds to some milliseconds in turn, each woken by its timer or
/// a device: cpu_idle events with the interrupts and switches between them.
void write_trace(std::int64_t bytes) {
    const std::unique_ptr<std::FILE, Close> file{std::fopen(kPath, "wb")};
    if (!file) {
        fmt::print(stderr, "cannot write {}\n", kPath);
        std::exit(3);
    }
    fmt::memory_buffer out;
    std::uint64_t luck = 88172645463325252ULL;
    std::int64_t time = 1'000'000'000'000;
    std::int64_t written = 0;
    int cpu = 0;
    while (written < bytes) {
        luck ^= luck << 13U;
        luck ^= luck >> 7U;
        luck ^= luck << 17U;
        cpu = (cpu + 1) % kCpus;
        time += static_cast<std::int64_t>(luck % 50'000);
        const auto line = [&](std::int64_t after, const auto& event) {
            const std::int64_t now = time + after;
            fmt::format_to(std::back_inserter(out),
                           "          <idle>-0       [{:03}] d..2. {}.{:06}: {}\n",
                           cpu,
                           now / 1'000'000'000,
                           now % 1'000'000'000 / 1000,
                           event);
        };
        line(0, fmt::format("cpu_idle: state=4294967295 cpu_id={}", cpu));
        if (luck % 3 == 0) {
            line(1000, "irq_handler_entry: irq=27 name=eth0-rx");
        }
        line(5000, fmt::format("cpu_idle: state={} cpu_id={}", luck / 7 % 4, cpu));
        written += static_cast<std::int64_t>(out.size());
        std::fwrite(out.data(), 1, out.size(), file.get());
        out.clear();
    }
}

double user_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
}

void measure(const char* what, const ReplaySettings& settings) {
    const double before = user_seconds();
    const ReplayResult result = replay(kPath, settings);
    const double seconds = user_seconds() - before;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto events = static_cast<double>(result.trace.idle_events);
    fmt::print("{:<28} {:9.0f} cpu_idle events  {:6.2f} s user  {:6.2f} million/s  peak {} MB\n",
               what,
               events,
               seconds,
               events / seconds / 1e6,
               usage.ru_maxrss / 1024);
}

int bench(std::int64_t megabytes) {
    write_trace(megabytes * 1'000'000);
    const RemoveFile remove;
    measure("the record", {});
    ReplaySettings settings;
    settings.table = platform_table("intel-skx-server");
    settings.energy = platform_energy("intel-skx-server");
    measure("the record, judged", settings);
    settings.governors.push_back(governor_choice("menu@6.12"));
    measure("menu@6.12", settings);
    settings.governors = applicable_governors(settings.table);
    measure("all governors", settings);
    return 0;
}

}  // namespace
}  // namespace idlesim

int main(int argc, char** argv) {
    return idlesim::bench(argc > 1 ? std::atoll(argv[1]) : 64);
}
