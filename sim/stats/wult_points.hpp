// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/time.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace idlesim {

/// One armed event that woke a CPU, as wult measures it.
struct WultPoint {
    Duration wake_latency{};       ///< from the event to the first instruction after idle
    Duration silent_time{};        ///< from idle entry to the event
    Duration interrupt_latency{};  ///< from the event to its interrupt handler
    Duration launch_distance{};    ///< how far ahead the event was armed
    bool interrupts_off = false;   ///< idle was entered with interrupts disabled
    std::uint8_t requested_state = 0;
    double cc0_percent = 0.0;
    double cc1_derived_percent = 0.0;
};

/// Does wult keep such a point? It drops those whose event fired before idle entry, after the
/// wake-up or after the handler had started (wult 1.12.65, wultdata/drivers/idle/wult/tracer.c).
[[nodiscard]] bool wult_keeps(const WultPoint& point);

/// Is this a residency counter that wult knows: CC1, MC6, PC10? All but CC0, which every point has.
[[nodiscard]] bool is_wult_counter(std::string_view name);

/// The datapoints of one measured CPU, in columns: 38 bytes and two per counter for each point.
class WultPoints {
public:
    /// Percentages are kept in hundredths, which is all that wult's files show.
    using Hundredths = std::uint16_t;

    WultPoints() = default;
    /// `states` are the names of the idle states by index, `counters` the hardware's residency
    /// counters, each one is_wult_counter().
    WultPoints(std::vector<std::string> states, std::vector<std::string> counters);

    /// Which CPU was measured, and by which of wult's devices.
    void set_source(int cpu, std::string device) {
        cpu_ = cpu;
        device_ = std::move(device);
    }

    [[nodiscard]] int cpu() const { return cpu_; }

    [[nodiscard]] const std::string& device() const { return device_; }

    /// `point` is one that wult_keeps(); `percent` has one residency per counter. Percentages are
    /// 0 to 100.
    void append(const WultPoint& point, std::span<const double> percent);

    /// All of another run's points, of the same states and counters.
    void append(const WultPoints& others);

    [[nodiscard]] std::size_t count() const { return wake_latency_.size(); }

    [[nodiscard]] const std::vector<std::string>& states() const { return states_; }

    [[nodiscard]] const std::vector<std::string>& counters() const { return counters_; }

    [[nodiscard]] const std::vector<Duration>& wake_latency() const { return wake_latency_; }

    [[nodiscard]] const std::vector<Duration>& silent_time() const { return silent_time_; }

    [[nodiscard]] const std::vector<Duration>& interrupt_latency() const {
        return interrupt_latency_;
    }

    [[nodiscard]] const std::vector<Duration>& launch_distance() const { return launch_distance_; }

    [[nodiscard]] bool interrupts_off(std::size_t row) const { return interrupts_off_[row] != 0; }

    [[nodiscard]] std::size_t requested_state(std::size_t row) const {
        return requested_state_[row];
    }

    [[nodiscard]] const std::vector<Hundredths>& cc0() const { return cc0_; }

    [[nodiscard]] const std::vector<Hundredths>& cc1_derived() const { return cc1_derived_; }

    [[nodiscard]] const std::vector<Hundredths>& residency(std::size_t counter) const {
        return residency_[counter];
    }

private:
    int cpu_ = 0;
    std::string device_;
    std::vector<std::string> states_;
    std::vector<std::string> counters_;
    std::vector<Duration> wake_latency_;
    std::vector<Duration> silent_time_;
    std::vector<Duration> interrupt_latency_;
    std::vector<Duration> launch_distance_;
    std::vector<std::uint8_t> interrupts_off_;
    std::vector<std::uint8_t> requested_state_;
    std::vector<Hundredths> cc0_;
    std::vector<Hundredths> cc1_derived_;
    std::vector<std::vector<Hundredths>> residency_;  // [counter]
};

}  // namespace idlesim
