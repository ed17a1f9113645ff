// SPDX-License-Identifier: Apache-2.0
#include "sim/output/perf_text.hpp"

#include <chrono>

#include <fmt/format.h>

namespace idlesim {

// As tools/perf/bench/sched-pipe.c: the elapsed time is cut to microseconds first.
std::string sched_pipe_summary(std::int64_t operations, Duration elapsed) {
    constexpr std::int64_t kSecond = 1'000'000;
    const std::int64_t usec = std::chrono::floor<std::chrono::microseconds>(elapsed).count();
    const auto each = static_cast<double>(usec) / static_cast<double>(operations);
    const auto rate = static_cast<double>(operations) /
                      (static_cast<double>(usec) / static_cast<double>(kSecond));
    std::string text = "# Running 'sched/pipe' benchmark:\n";
    text += fmt::format("# Executed {} pipe operations between two processes\n\n", operations);
    text += fmt::format(
        " {:>14}: {}.{:03} [sec]\n\n", "Total time", usec / kSecond, usec % kSecond / 1000);
    text += fmt::format(" {:14f} usecs/op\n", each);
    text += fmt::format(" {:14} ops/sec\n", usec == 0 ? 0 : static_cast<std::int64_t>(rate));
    return text;
}

}  // namespace idlesim
