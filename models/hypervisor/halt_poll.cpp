// SPDX-License-Identifier: Apache-2.0
#include "models/hypervisor/halt_poll.hpp"

#include <algorithm>
#include <chrono>

namespace idlesim {

namespace {

std::uint32_t nanoseconds(Duration duration) {
    return static_cast<std::uint32_t>(
        std::chrono::floor<std::chrono::nanoseconds>(duration).count());
}

}  // namespace

HaltPollWindow::HaltPollWindow(const HaltPollSpec& spec)
    : max_{nanoseconds(spec.max)},
      grow_{static_cast<std::uint32_t>(spec.grow)},
      grow_start_{nanoseconds(spec.grow_start)},
      shrink_{static_cast<std::uint32_t>(spec.shrink)} {}

std::uint32_t HaltPollWindow::begin() {
    length_ = std::min(length_, max_);
    return length_;
}

void HaltPollWindow::end(std::int64_t halted) {
    if (max_ == 0) {
        length_ = 0;
    } else if (halted <= length_) {
        return;
    } else if (length_ != 0 && halted > max_) {
        shrink();
    } else if (length_ < max_ && halted < max_) {
        grow();
    }
}

// The next halt cuts it to the longest.
void HaltPollWindow::grow() {
    if (grow_ != 0) {
        length_ = std::max(length_ * grow_, grow_start_);
    }
}

void HaltPollWindow::shrink() {
    length_ = shrink_ == 0 ? 0 : length_ / shrink_;
    if (length_ < grow_start_) {
        length_ = 0;
    }
}

}  // namespace idlesim
