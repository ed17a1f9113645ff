// SPDX-License-Identifier: Apache-2.0
#include "sim/output/progress_bar.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace idlesim {
namespace {

constexpr std::int64_t kWidth = 40;
constexpr std::chrono::milliseconds kRedrawEvery{100};

}  // namespace

ProgressBar::ProgressBar(std::string title, std::int64_t total, bool wanted)
    : title_{std::move(title)},
      total_{std::max<std::int64_t>(total, 1)},
      active_{wanted && ::isatty(STDERR_FILENO) != 0} {}

ProgressBar::~ProgressBar() {
    if (active_) {
        fmt::print(stderr, "\r\x1b[K");
    }
}

void ProgressBar::advance(std::int64_t by) {
    if (!active_) {
        return;
    }
    const std::lock_guard lock{mutex_};
    done_ = std::min(done_ + by, total_);
    const auto now = std::chrono::steady_clock::now();
    if (done_ == total_ || now - drawn_ >= kRedrawEvery) {
        drawn_ = now;
        draw();
    }
}

void ProgressBar::draw() {
    const auto filled = static_cast<std::size_t>(kWidth * done_ / total_);
    const std::string bar =
        std::string(filled, '#') + std::string(static_cast<std::size_t>(kWidth) - filled, '.');
    fmt::print(stderr, "\r\x1b[K{} [{}] {}/{}", title_, bar, done_, total_);
    std::fflush(stderr);
}

}  // namespace idlesim
