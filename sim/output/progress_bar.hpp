// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace idlesim {

/// How far the work is, on standard error, redrawn at most ten times a second; draws nothing unless
/// standard error is a terminal. Safe to call from several threads.
class ProgressBar {
public:
    ProgressBar(std::string title, std::int64_t total, bool wanted);
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ProgressBar(ProgressBar&&) = delete;
    ProgressBar& operator=(ProgressBar&&) = delete;
    /// Clears the line.
    ~ProgressBar();

    void advance(std::int64_t by = 1);

private:
    void draw();

    std::string title_;
    std::int64_t total_;
    std::int64_t done_ = 0;
    bool active_;
    std::chrono::steady_clock::time_point drawn_;
    std::mutex mutex_;
};

}  // namespace idlesim
