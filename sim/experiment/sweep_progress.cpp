// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace idlesim {
namespace {

constexpr std::size_t kWidth = 30;
constexpr std::chrono::milliseconds kRedrawEvery{100};
constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 3600;

std::string time_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
    if (whole >= kHour) {
        return fmt::format(
            "{}:{:02}:{:02}", whole / kHour, whole % kHour / kMinute, whole % kMinute);
    }
    return fmt::format("{}:{:02}", whole / kMinute, whole % kMinute);
}

}  // namespace

std::string progress_line(const std::string& name,
                          std::size_t done,
                          std::size_t total,
                          double share_of_work,
                          double seconds) {
    const std::size_t filled = total == 0 ? kWidth : kWidth * done / total;
    std::string line = fmt::format("{} [{}{}] {}/{}",
                                   name,
                                   std::string(filled, '#'),
                                   std::string(kWidth - filled, '.'),
                                   done,
                                   total);
    if (done > 0 && seconds > 0 && share_of_work > 0) {
        line += fmt::format(" {:.3g}/s {} left",
                            static_cast<double>(done) / seconds,
                            time_text(seconds * (1 - share_of_work) / share_of_work));
    }
    return line;
}

SweepProgress::SweepProgress(std::string name, std::size_t total, double weight, bool wanted)
    : name_{std::move(name)},
      total_{total},
      weight_{weight},
      active_{wanted && ::isatty(STDERR_FILENO) != 0} {}

SweepProgress::~SweepProgress() {
    if (active_) {
        fmt::print(stderr, "\r\x1b[K");
    }
}

void SweepProgress::advance(double weight) {
    const std::lock_guard lock{mutex_};
    ++done_;
    weight_done_ += weight;
    const auto now = Clock::now();
    if (!active_ || (done_ < total_ && now - drawn_ < kRedrawEvery)) {
        return;
    }
    drawn_ = now;
    const std::chrono::duration<double> seconds = now - begin_;
    fmt::print(stderr,
               "\r\x1b[K{}",
               progress_line(
                   name_, done_, total_, std::min(1.0, weight_done_ / weight_), seconds.count()));
    std::fflush(stderr);
}

void SweepProgress::say(const std::string& line) {
    const std::lock_guard lock{mutex_};
    fmt::print(stderr, "{}{}\n", active_ ? "\r\x1b[K" : "", line);
}

}  // namespace idlesim
