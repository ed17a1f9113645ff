// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cstate/cstate_hardware.hpp"
#include "models/governor/explanation.hpp"
#include "models/kernel/cpuidle_device.hpp"
#include "models/kernel/idle_story.hpp"

#include <optional>
#include <string>

namespace idlesim {

/// Begin, end and state of an interval that was not asked for.
struct IdleNeighbour {
    Time begin{};
    Time end{};
    std::string state;
};

/// Follows the idle intervals of one CPU until the one that was asked for is over.
class IdleWatch {
public:
    /// `hardware` may be null; it must outlive the watch.
    IdleWatch(IdleQuestion question, const CStateHardware* hardware)
        : question_{question}, hardware_{hardware} {}

    [[nodiscard]] bool follows(int cpu) const { return cpu == question_.cpu && !is_over(); }

    /// The governor is about to be asked, or not; returns where it is to say why.
    Explanation* begin(const CpuidleDevice& device, bool governor_asked, Time now);

    /// It has answered.
    void chosen(const CpuidleDevice& device, bool can_stop_tick);

    /// The tick has been dealt with; what it does now it will do in the interval.
    void tick_settled(bool runs) { story_.tick_ran = runs; }

    /// NEED_RESCHED came first: there is no interval.
    void reject() { is_open_ = false; }

    void end(const CpuidleDevice& device,
             const EnteredState& entered,
             const std::string& cause,
             Time now);

    /// Nothing later can be the answer.
    [[nodiscard]] bool is_over() const { return found_.has_value() || after_.has_value(); }

    [[nodiscard]] const std::optional<IdleStory>& found() const { return found_; }

    /// The nearest intervals where the CPU was not idle at the time.
    [[nodiscard]] const std::optional<IdleNeighbour>& before() const { return before_; }

    [[nodiscard]] const std::optional<IdleNeighbour>& after() const { return after_; }

private:
    IdleQuestion question_;
    const CStateHardware* hardware_;
    Explanation explanation_;
    GrantedTime granted_;
    IdleStory story_;
    bool is_open_ = false;
    std::optional<IdleStory> found_;
    std::optional<IdleNeighbour> before_;
    std::optional<IdleNeighbour> after_;
};

}  // namespace idlesim
