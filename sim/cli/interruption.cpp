// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/interruption.hpp"

#include <csignal>
#include <cstdint>

#include <time.h>

namespace idlesim {
namespace {

constexpr int kSignalBase = 128;
constexpr std::int64_t kMillisecondsPerSecond = 1000;
constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;

// One request to stop may arrive twice: timeout(1), terminals and batch systems signal the process
// and its group. Only a later signal is a second request.
constexpr std::int64_t kSameRequest = 500;

std::atomic<bool> stop{false};
std::atomic<int> number{SIGINT};
std::atomic<std::int64_t> first_at{0};

// A signal handler may touch lock-free atomics and little else.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);

// clock_gettime() is async-signal-safe (POSIX.1-2017, 2.4.3); std::chrono promises nothing.
std::int64_t milliseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kMillisecondsPerSecond + now.tv_nsec / kNanosecondsPerMillisecond;
}

extern "C" void remember(int signal) {
    if (!stop) {
        number = signal;
        first_at = milliseconds();
        stop = true;
    } else if (milliseconds() - first_at > kSameRequest) {
        static_cast<void>(std::signal(signal, SIG_DFL));
        static_cast<void>(std::raise(signal));
    }
}

}  // namespace

void catch_interruptions() {
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction action {};

        action.sa_handler = remember;
        action.sa_flags = SA_RESTART;
        ::sigaction(signal, &action, nullptr);
    }
    // A file size limit then fails the write, which is reported like a full disk.
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

const std::atomic<bool>& stop_requested() {
    return stop;
}

int interrupted_status() {
    return kSignalBase + number;
}

}  // namespace idlesim
