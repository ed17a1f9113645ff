// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/step_cost.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace idlesim {

namespace {

Duration scaled(Duration value, double factor) {
    return Duration{std::llround(static_cast<double>(value.count()) * factor)};
}

constexpr double kPicosecondsPerSecond = 1e12;

Duration cycles_at(double cycles, const Frequency& clock) {
    return Duration{std::llround(cycles * kPicosecondsPerSecond / clock.hertz())};
}

void apply_class(const StepClass& step_class, CompiledCost& compiled) {
    compiled.base = scaled(compiled.base, step_class.factor.value.value);
    compiled.clocked = scaled(compiled.clocked, step_class.factor.value.value);
    compiled.cold = scaled(compiled.base, step_class.cold_factor.value.value);
    compiled.cold_path = scaled(compiled.base, step_class.cold_path_factor.value.value);
    compiled.miss = Distribution::exponential(step_class.miss_extra.value);
    const double miss = step_class.miss_probability.value.value;
    const double cold = step_class.cold_probability.value.value;
    compiled.miss_threshold = probability_threshold(miss);
    compiled.cold_threshold = probability_threshold(std::min(1.0, miss + cold));
}

CompiledCost compile(const PlatformSpec& platform, const Cost& cost) {
    CompiledCost compiled;
    compiled.clocked = cycles_at(cost.cycles, platform.core_clock);
    compiled.base = cost.value + compiled.clocked;
    compiled.lines = cost.lines;
    if (const StepClass* step_class = platform.step_classes.find(cost.step_class)) {
        apply_class(*step_class, compiled);
    }
    if (cost.second_mode) {
        compiled.cold = cost.second_mode->extra;
        compiled.cold_threshold = probability_threshold(cost.second_mode->probability.value);
    }
    if (cost.jitter > Duration::zero()) {
        compiled.jitter = Distribution::gamma(cost.jitter_shape, cost.jitter);
    }
    if (cost.window > Duration::zero()) {
        compiled.window = Distribution::uniform(Duration::zero(), cost.window);
    }
    return compiled;
}

}  // namespace

CostTable::CostTable(const PlatformSpec& platform) : platform_{platform.name} {
    names_.emplace_back("free");
    costs_.emplace_back();
    for (const auto& entry : platform.costs) {
        names_.push_back(entry.key);
        costs_.push_back(compile(platform, entry.value));
    }
    for (const auto& entry : platform.hardware_states) {
        const bool is_of_core = entry.value.scope != StateScope::package || entered_states_.empty();
        hardware_states_.push_back(entry.key);
        entered_states_.push_back(is_of_core ? entry.key : entered_states_.back());
    }
}

CostId CostTable::entry_of(std::string_view state) const {
    const int index = hardware_state(state);
    return id(fmt::format("{}_entry",
                          index < 0 ? state : entered_states_[static_cast<std::size_t>(index)]));
}

bool CostTable::has(std::string_view name) const {
    return std::find(names_.begin() + 1, names_.end(), name) != names_.end();
}

int CostTable::hardware_state(std::string_view name) const {
    const auto found = std::find(hardware_states_.begin(), hardware_states_.end(), name);
    return found == hardware_states_.end() ? -1
                                           : static_cast<int>(found - hardware_states_.begin());
}

CostId CostTable::id(std::string_view name) const {
    if (name.empty()) {
        return kFree;
    }
    const auto found = std::find(names_.begin() + 1, names_.end(), name);
    if (found == names_.end()) {
        throw MissingCost{
            fmt::format("platform '{}' gives no cost '{}' under costs:, which this run needs",
                        platform_,
                        name),
            std::string{name}};
    }
    return static_cast<CostId>(found - names_.begin());
}

}  // namespace idlesim
