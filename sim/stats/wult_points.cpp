// SPDX-License-Identifier: Apache-2.0
#include "sim/stats/wult_points.hpp"

#include "sim/engine/check.hpp"

#include <algorithm>
#include <utility>

namespace idlesim {
namespace {

// The slack is what adding up shares in floating point can leave; it rounds away. NaN fails.
WultPoints::Hundredths hundredths(double percent) {
    IDLESIM_CHECK(percent > -0.001 && percent < 100.001, "a residency is 0 to 100 percent");
    return static_cast<WultPoints::Hundredths>(percent * 100.0 + 0.5);
}

}  // namespace

bool wult_keeps(const WultPoint& point) {
    return point.silent_time > Duration::zero() && point.wake_latency > Duration::zero() &&
           point.interrupt_latency > Duration::zero();
}

bool is_wult_counter(std::string_view name) {
    if (!name.starts_with("CC") && !name.starts_with("MC") && !name.starts_with("PC")) {
        return false;
    }
    const std::string_view number = name.substr(2);
    return !number.empty() && name != "CC0" &&
           number.find_first_not_of("0123456789") == std::string_view::npos;
}

WultPoints::WultPoints(std::vector<std::string> states, std::vector<std::string> counters)
    : states_{std::move(states)}, counters_{std::move(counters)}, residency_(counters_.size()) {
    IDLESIM_CHECK(std::all_of(counters_.begin(), counters_.end(), is_wult_counter),
                  "wult knows every residency counter");
}

void WultPoints::append(const WultPoint& point, std::span<const double> percent) {
    IDLESIM_CHECK(wult_keeps(point), "a datapoint is one that wult keeps");
    IDLESIM_CHECK(point.requested_state < states_.size(), "a datapoint names a state");
    IDLESIM_CHECK(percent.size() == counters_.size(), "a datapoint has all residencies");
    wake_latency_.push_back(point.wake_latency);
    silent_time_.push_back(point.silent_time);
    interrupt_latency_.push_back(point.interrupt_latency);
    launch_distance_.push_back(point.launch_distance);
    interrupts_off_.push_back(point.interrupts_off ? 1 : 0);
    requested_state_.push_back(point.requested_state);
    cc0_.push_back(hundredths(point.cc0_percent));
    cc1_derived_.push_back(hundredths(point.cc1_derived_percent));
    for (std::size_t i = 0; i < percent.size(); ++i) {
        residency_[i].push_back(hundredths(percent[i]));
    }
}

namespace {

template <class X>
void append_column(std::vector<X>& column, const std::vector<X>& others) {
    column.insert(column.end(), others.begin(), others.end());
}

}  // namespace

void WultPoints::append(const WultPoints& others) {
    IDLESIM_CHECK(others.states_ == states_ && others.counters_ == counters_,
                  "datapoints of one kind belong together");
    append_column(wake_latency_, others.wake_latency_);
    append_column(silent_time_, others.silent_time_);
    append_column(interrupt_latency_, others.interrupt_latency_);
    append_column(launch_distance_, others.launch_distance_);
    append_column(interrupts_off_, others.interrupts_off_);
    append_column(requested_state_, others.requested_state_);
    append_column(cc0_, others.cc0_);
    append_column(cc1_derived_, others.cc1_derived_);
    for (std::size_t i = 0; i < residency_.size(); ++i) {
        append_column(residency_[i], others.residency_[i]);
    }
}

}  // namespace idlesim
