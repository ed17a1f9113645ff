// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/platform.hpp"
#include "sim/engine/distribution.hpp"
#include "sim/engine/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace idlesim {

/// Index of a cost in the platform's table; 0 is free.
using CostId = std::uint16_t;

constexpr CostId kFree = 0;

/// One cost of a platform, compiled: what a draw needs and nothing else.
struct CompiledCost {
    Duration base{};
    Duration clocked{};                ///< the part of base that counts in core cycles
    Duration cold{};                   ///< added with the probability of cold_threshold
    Duration cold_path{};              ///< added where the path is known to be cold
    std::optional<Distribution> miss;  ///< added instead with that of miss_threshold
    std::uint64_t cold_threshold = 0;
    std::uint64_t miss_threshold = 0;
    std::optional<Distribution> jitter;
    std::optional<Distribution> window;
    int lines = 0;
};

/// A cost as it was drawn, for work that may be re-timed: the part that counts in core cycles, at
/// the nominal clock, and the rest.
struct DrawnCost {
    Duration fixed{};
    Duration clocked{};

    [[nodiscard]] Duration stretched(double by) const {
        return fixed + Duration{std::llround(static_cast<double>(clocked.count()) * by)};
    }
};

/// The costs of a platform by index, shared by all CPUs of a machine.
class CostTable {
public:
    explicit CostTable(const PlatformSpec&);

    /// kFree for the empty name; throws MissingCost where the platform does not name it.
    [[nodiscard]] CostId id(std::string_view name) const;

    /// Does the platform name it?
    [[nodiscard]] bool has(std::string_view name) const;

    /// The uninterruptible entry of a core into a hardware state. A package state is entered by the
    /// package, later; its core enters the deepest state of its own before it.
    [[nodiscard]] CostId entry_of(std::string_view state) const;

    /// Index of a hardware state of the platform, or -1.
    [[nodiscard]] int hardware_state(std::string_view name) const;

    [[nodiscard]] const std::string& name(CostId id) const { return names_[id]; }

    [[nodiscard]] const CompiledCost& cost(CostId id) const { return costs_[id]; }

    [[nodiscard]] std::size_t size() const { return costs_.size(); }

private:
    std::string platform_;
    std::vector<std::string> names_;
    std::vector<CompiledCost> costs_;
    std::vector<std::string> hardware_states_;
    std::vector<std::string> entered_states_;  ///< [hardware state]: whose entry a core pays
};

/// A program asks for a cost that the platform file does not give.
class MissingCost : public std::runtime_error {
public:
    MissingCost(const std::string& what, std::string cost)
        : std::runtime_error{what}, cost_{std::move(cost)} {}

    /// Its name.
    [[nodiscard]] const std::string& cost() const { return cost_; }

private:
    std::string cost_;
};

/// What a step costs on one CPU. Each step of each CPU draws from its own named stream, so the
/// n-th execution of a step sees the same luck in every arm of an experiment.
class StepCost {
public:
    StepCost(const CompiledCost& cost, RandomStream stream)
        : fixed_{cost.base},
          draws_{cost.cold_threshold != 0 || cost.jitter.has_value() || cost.window.has_value()},
          cost_{&cost},
          stream_{stream} {}

    [[nodiscard]] Duration draw() { return draws_ ? fixed_ + spread() : fixed_; }

    /// The same on a path that is known to be cold, in its parts.
    [[nodiscard]] DrawnCost draw_impeded(bool is_cold) {
        const Duration extra = draws_ ? spread() : Duration::zero();
        const Duration cold = is_cold ? cost_->cold_path : Duration::zero();
        return {fixed_ - cost_->clocked + std::max(extra, cold), cost_->clocked};
    }

    /// The warm time, without its spread.
    [[nodiscard]] Duration warm() const { return fixed_; }

    /// The transfer latency of a cache line from the peer.
    void set_line_transfer(Duration latency) { fixed_ = cost_->base + latency * cost_->lines; }

private:
    [[nodiscard]] Duration spread() {
        Duration extra{};
        if (cost_->cold_threshold != 0) {
            const std::uint64_t luck = stream_.bits() >> 1U;  // thresholds count in 2^-63
            if (luck < cost_->cold_threshold) {
                extra = luck < cost_->miss_threshold ? cost_->miss->sample(stream_) : cost_->cold;
            }
        }
        if (cost_->jitter) {
            extra += cost_->jitter->sample(stream_);
        }
        if (cost_->window) {
            extra += cost_->window->sample(stream_);
        }
        return extra;
    }

    Duration fixed_;
    bool draws_;
    const CompiledCost* cost_;
    RandomStream stream_;
};

}  // namespace idlesim
