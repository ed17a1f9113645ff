// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/idle_watch.hpp"

namespace idlesim {

Explanation* IdleWatch::begin(const CpuidleDevice& device, bool governor_asked, Time now) {
    explanation_.clear();
    story_ = {};
    story_.begin = now;
    story_.governor_asked = governor_asked;
    story_.tick_stopped = device.tick_stopped();
    story_.tick = device.tick();
    story_.sleep = device.sleep_length();
    story_.latency_limit = device.latency_limit();
    story_.last_residency = device.last_residency();
    for (int state = 0; state < device.table().size(); ++state) {
        if (has_state(device.disabled_states(), state)) {
            story_.disabled.push_back(device.table().name(state));
        }
    }
    if (hardware_ != nullptr) {
        granted_ = hardware_->granted(question_.cpu, now);
    }
    is_open_ = true;
    return &explanation_;
}

void IdleWatch::chosen(const CpuidleDevice& device, bool can_stop_tick) {
    story_.decision = device.decision();
    story_.asked_sleep_length = device.asked_sleep_length();
    story_.can_stop_tick = can_stop_tick;
}

void IdleWatch::end(const CpuidleDevice& device,
                    const EnteredState& entered,
                    const std::string& cause,
                    Time now) {
    if (!is_open_) {
        return;
    }
    is_open_ = false;
    story_.end = now;
    const IdleTable& table = device.table();
    story_.state = table.name(entered.state);
    if (now < question_.at) {
        before_ = IdleNeighbour{story_.begin, now, story_.state};
        return;
    }
    if (story_.begin > question_.at) {
        after_ = IdleNeighbour{story_.begin, now, story_.state};
        return;
    }
    story_.exit_latency = std::chrono::nanoseconds{table.latency(entered.state)};
    story_.target_residency = std::chrono::nanoseconds{table.residency(entered.state)};
    story_.residency = entered.residency;
    story_.miss = entered.miss;
    story_.cause = cause;
    story_.why = explanation_.lines();
    if (hardware_ != nullptr) {
        const GrantedTime granted = hardware_->granted(question_.cpu, now);
        for (int state = 0; state < hardware_->states(); ++state) {
            const auto i = static_cast<std::size_t>(state);
            const Duration time = granted.core[i] - granted_.core[i];
            const Duration package = granted.package[i] - granted_.package[i];
            if (time > Duration::zero()) {
                story_.granted.emplace_back(hardware_->state_name(state), time);
            }
            if (package > Duration::zero()) {
                story_.granted.emplace_back(
                    hardware_->state_name(state) + " of the package, at the same time,", package);
            }
        }
    }
    found_ = std::move(story_);
}

}  // namespace idlesim
