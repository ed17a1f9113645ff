// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/platform/cost.hpp"
#include "models/platform/power_spec.hpp"
#include "sim/config/field.hpp"
#include "sim/engine/clock_domain.hpp"

#include <optional>
#include <string>

namespace idlesim {

/// Who has to ask for a state, or for a deeper one, before the hardware enters it.
enum class StateScope { thread, core, module, package };

/// The clock that a core resumes with after a state, and for how long.
struct SlowClock {
    Frequency clock{800'000'000, 1};
    Duration length{};
    Basis basis = Basis::assumed;
    std::string source;
    std::optional<std::vector<Duration>> range;  ///< of `length`
    config::Location location;
};

const config::Fields<SlowClock>& parameters(const SlowClock*);

/// What the hardware does in an idle state; its latencies are the costs <name>_entry (the part that
/// cannot be interrupted) and <name>_exit. States are listed from the shallowest to the deepest.
struct HardwareState {
    StateScope scope = StateScope::core;
    /// C1 becomes this state where the firmware promotes it and every thread of the core sleeps
    /// (MSR_POWER_CTL bit 1).
    bool promotion_of_c1 = false;
    /// The hardware knows of an armed local timer and starts its exit early.
    bool pre_wake = false;
    /// Warm time of the path behind the exit that finds its lines in no near cache...
    Amount cold_work;
    /// ...where the sleep was at least this long; zero: always, the state loses them at once.
    Amount cold_after;
    std::optional<SlowClock> slow_clock;
    /// Of a core in the state; of the whole package for scope package.
    Watts power;
    /// Of one entry and exit together.
    Joules transition_energy;
    std::string source;
    config::Location location;
};

const config::Fields<HardwareState>& parameters(const HardwareState*);

/// The rule by which hardware grants C1 to a core that asks for more but is woken too often
/// (MSR 0xE2 bits 26 and 28). Thresholds are not published.
struct C1Demotion {
    /// After so many sleeps shorter than `interval` in a row, deep requests get C1.
    int count = 8;
    Duration interval = std::chrono::microseconds{200};
    /// A C1 this long is undemoted: the core goes on to what was asked for.
    Duration undemotion = std::chrono::milliseconds{1};
    config::Location location;
};

const config::Fields<C1Demotion>& parameters(const C1Demotion*);

/// What the firmware decides about idle states.
struct Firmware {
    bool package_c6 = true;  ///< package C-state limit allows states of scope package
    bool c1e_promotion = false;
    std::optional<C1Demotion> c1_demotion;
    /// Core clocks follow the power budget of the platform; if not, every core runs at core_clock.
    bool turbo = false;
    /// Cores that take no part in a run sleep as deep as they can; if not, they keep every package
    /// awake.
    bool other_cores_idle = true;
    config::Location location;
};

const config::Fields<Firmware>& parameters(const Firmware*);

}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<StateScope> {
    static constexpr std::pair<std::string_view, StateScope> values[] = {
        {"thread", StateScope::thread},
        {"core", StateScope::core},
        {"module", StateScope::module},
        {"package", StateScope::package}};
};

}  // namespace idlesim::config
