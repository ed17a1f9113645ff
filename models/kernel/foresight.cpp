// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/foresight.hpp"

#include <algorithm>
#include <chrono>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

// Two wake-ups this near are the same one.
constexpr Duration kSame = 1us;

}  // namespace

Foresight::Foresight(const WakeLog& log, int cpu) {
    static const std::vector<Time> kNone;
    const auto found = log.wakes.find(cpu);
    wakes_ = found == log.wakes.end() ? &kNone : &found->second;
}

void Foresight::woken(Time at) {
    const auto near = std::lower_bound(wakes_->begin(), wakes_->end(), at - kSame);
    if (near != wakes_->end() && *near <= at + kSame) {
        next_ = static_cast<std::size_t>(near - wakes_->begin()) + 1;
        drift_ = at - *near;
        return;
    }
    if (next_ < wakes_->size()) {
        drift_ = at - (*wakes_)[next_];
        ++next_;
    }
}

std::optional<Time> Foresight::next(Time now) const {
    for (std::size_t i = next_; i < wakes_->size(); ++i) {
        const Time expected = (*wakes_)[i] + drift_;
        if (expected > now) {
            return expected;
        }
    }
    return std::nullopt;
}

}  // namespace idlesim
