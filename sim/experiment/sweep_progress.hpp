// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace idlesim {

/// "name [####....] 120/400 35/s 0:08 left" from what has been done so far; the rate is of points,
/// the time left goes by their weight.
[[nodiscard]] std::string progress_line(const std::string& name,
                                        std::size_t done,
                                        std::size_t total,
                                        double share_of_work,
                                        double seconds);

/// How far a sweep is, on standard error, redrawn at most ten times a second; draws nothing unless
/// standard error is a terminal. Safe to use from several threads.
class SweepProgress {
public:
    SweepProgress(std::string name, std::size_t total, double weight, bool wanted);
    SweepProgress(const SweepProgress&) = delete;
    SweepProgress& operator=(const SweepProgress&) = delete;
    SweepProgress(SweepProgress&&) = delete;
    SweepProgress& operator=(SweepProgress&&) = delete;
    /// Clears the line.
    ~SweepProgress();

    void advance(double weight);
    /// Prints a line above the bar.
    void say(const std::string& line);

private:
    using Clock = std::chrono::steady_clock;

    std::string name_;
    std::size_t total_;
    std::size_t done_ = 0;
    double weight_;
    double weight_done_ = 0;
    bool active_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point drawn_;
    std::mutex mutex_;
};

}  // namespace idlesim
