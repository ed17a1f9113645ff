// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/replay.hpp"

#include "sim/experiment/replay_lane.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// One governor on all CPUs.
struct ReplayGovernor {
    const Choice<Governor>* choice;
    std::vector<std::unique_ptr<ReplayLane>> lanes;  ///< by CPU
    std::vector<ReplayCount> counts;
};

class Replay {
public:
    explicit Replay(const ReplaySettings& settings) : settings_{settings} {
        if (!settings.table.empty()) {
            table_ = IdleTable{settings.table};
        }
        for (std::size_t i = 0; i < settings.table.size(); ++i) {
            disabled_ |= settings.table[i].disabled ? StateMask{1} << i : 0;
        }
        recorded_.resize(settings.table.size());
        for (const Choice<Governor>& choice : settings.governors) {
            governors_.push_back({&choice, {}, std::vector<ReplayCount>(settings.table.size())});
            // A governor that refuses the table does so before the trace is read.
            const ReplayLane trial{settings, choice};
        }
    }

    void add(const IdleInterval& interval) {
        count_recorded(interval);
        if (governors_.empty()) {
            return;
        }
        const auto cpu = static_cast<std::size_t>(interval.cpu);
        if (cpu >= pending_.size()) {
            pending_.resize(cpu + 1);
        }
        std::optional<IdleInterval>& pending = pending_[cpu];
        if (pending && interval.stayed && was_cut(*pending)) {
            pending->end = interval.end;
            pending->cause = interval.cause;
            pending->state = interval.state;
            return;
        }
        if (pending) {
            decide(*pending);
        }
        pending = interval;
    }

    void finish(ReplayResult& result) {
        for (const std::optional<IdleInterval>& pending : pending_) {
            if (pending) {
                decide(*pending);
            }
        }
        result.table = settings_.table;
        result.energy = settings_.energy;
        result.columns.push_back({"recorded", std::move(recorded_)});
        for (ReplayGovernor& governor : governors_) {
            result.columns.push_back({governor.choice->kind, std::move(governor.counts)});
        }
        result.cpu_states = std::move(cpu_states_);
        result.causes = causes_;
        result.irqs = std::move(irqs_);
        result.periods = periods_;
        result.known_timers = known_timers_;
        result.beyond_table = beyond_table_;
    }

private:
    /// Whether the recorded decision ended the interval, not the world: its tick, its poll limit.
    [[nodiscard]] bool was_cut(const IdleInterval& interval) const {
        const bool polled = interval.state < table_.size() && table_.polls(interval.state);
        return interval.cause.kind == WakeKind::tick ||
               (polled && interval.cause.kind == WakeKind::unknown);
    }

    void count_recorded(const IdleInterval& interval) {
        const auto state = static_cast<std::size_t>(interval.state);
        const Nanoseconds length = interval.end - interval.begin;
        ReplayCpuState& own = cpu_states_[{interval.cpu, interval.state}];
        ++own.closed;
        own.time += length;
        ++causes_[static_cast<std::size_t>(interval.cause.kind)];
        if (interval.cause.kind == WakeKind::device) {
            ++irqs_[interval.cause.irq];
        }
        if (state >= recorded_.size()) {
            recorded_.resize(state + 1);
        }
        ReplayCount& count = recorded_[state];
        ++count.entries;
        count.time += length;
        count.wakes += interval.cause.kind == WakeKind::tick ? 0 : 1;
        if (interval.state >= table_.size()) {
            beyond_table_ += settings_.table.empty() ? 0 : 1;
            return;
        }
        const DepthVerdict verdict = verdict_on(table_, disabled_, interval.state, length);
        judge(verdict, length, count);
    }

    void decide(const IdleInterval& interval) {
        ++periods_;
        known_timers_ += interval.next_timer ? 1 : 0;
        const ReplayPeriod period{interval.begin,
                                  interval.end,
                                  interval.next_timer,
                                  interval.last_tick.value_or(0),
                                  interval.stayed};
        const auto cpu = static_cast<std::size_t>(interval.cpu);
        for (ReplayGovernor& governor : governors_) {
            if (cpu >= governor.lanes.size()) {
                governor.lanes.resize(cpu + 1);
            }
            if (!governor.lanes[cpu]) {
                governor.lanes[cpu] = std::make_unique<ReplayLane>(settings_, *governor.choice);
            }
            governor.lanes[cpu]->run(period, governor.counts);
        }
    }

    const ReplaySettings& settings_;
    IdleTable table_;
    StateMask disabled_ = 0;
    std::vector<ReplayGovernor> governors_;
    std::vector<ReplayCount> recorded_;
    std::vector<std::optional<IdleInterval>> pending_;
    std::map<std::pair<int, int>, ReplayCpuState> cpu_states_;
    std::array<std::int64_t, kWakeKinds> causes_{};
    std::map<int, std::int64_t> irqs_;
    std::int64_t periods_ = 0;
    std::int64_t known_timers_ = 0;
    std::int64_t beyond_table_ = 0;
};

}  // namespace

ReplayResult replay(const std::string& path, const ReplaySettings& settings) {
    FtraceReader reader{path};
    Replay run{settings};
    IdleIntervals intervals{[&run](const IdleInterval& interval) { run.add(interval); }};
    FtraceEvent event;
    while (reader.next(event)) {
        intervals.add(event);
    }
    intervals.finish();
    ReplayResult result;
    result.trace = reader.summary();
    if (result.trace.events == 0) {
        reader.fail(
            "no events; expected ftrace text like \"<idle>-0 [002] 153.042137: cpu_idle: state=1 "
            "cpu_id=2\"");
    }
    if (result.trace.idle_events == 0) {
        reader.fail(
            fmt::format("{} events, but no cpu_idle among them; record it with `trace-cmd "
                        "record -e power:cpu_idle` or perf record -e power:cpu_idle -a",
                        result.trace.events));
    }
    run.finish(result);
    result.gaps = intervals.gaps();
    result.irq_names = reader.irq_names();
    for (const auto& [place, count] : intervals.unfinished()) {
        result.cpu_states[place].unfinished += count;
    }
    return result;
}

std::vector<Choice<Governor>> applicable_governors(const std::vector<IdleState>& table) {
    ReplaySettings settings;
    settings.table = table;
    std::vector<Choice<Governor>> governors;
    const bool two_states = table.size() == 2 && table.front().polling;
    for (const std::string& name : Registry<Governor>::names()) {
        // haltpoll knows POLL and one state behind it.
        if (name == "fixed" || (name.starts_with("haltpoll") && !two_states)) {
            continue;
        }
        Choice<Governor> choice = Registry<Governor>::choice(name);
        try {
            const ReplayLane trial{settings, choice};
            governors.push_back(std::move(choice));
        } catch (const GovernorError&) {
            continue;
        }
    }
    return governors;
}

}  // namespace idlesim
