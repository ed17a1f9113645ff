// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/interruption.hpp"

#include <csignal>

namespace idlesim {
namespace {

constexpr int kSignalBase = 128;

std::atomic<bool> stop{false};
std::atomic<int> number{SIGINT};

// A signal handler may touch lock-free atomics and little else.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void remember(int signal) {
    number = signal;
    stop = true;
}

}  // namespace

void catch_interruptions() {
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction action {};

        action.sa_handler = remember;
        action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
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
