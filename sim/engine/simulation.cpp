// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/simulation.hpp"

#include "sim/engine/error.hpp"

#include <algorithm>

namespace idlesim {
namespace {

// Events that are watched, after the livelock limit, to find out which ones take turns.
constexpr std::uint64_t kWatchedEvents = 1000;
constexpr std::size_t kNamedEvents = 5;

std::string most_frequent(const std::map<std::string, std::uint64_t>& counts) {
    std::vector<std::pair<std::string, std::uint64_t>> ranking{counts.begin(), counts.end()};
    std::stable_sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
        return a.second > b.second;
    });
    ranking.resize(std::min(ranking.size(), kNamedEvents));
    std::string text;
    for (const auto& [name, count] : ranking) {
        text += text.empty() ? "" : ", ";
        text += name + " (" + std::to_string(count) + ")";
    }
    return text;
}

}  // namespace

/// Holds while the loop runs, and leaves the queue whole when a handler throws.
class Simulation::Running {
public:
    Running(Simulation& simulation, Time horizon) : simulation_{simulation} {
        IDLESIM_CHECK(!simulation.running_, "a handler must not run the simulation");
        simulation.running_ = true;
        simulation.horizon_ = horizon;
    }

    Running(const Running&) = delete;
    Running(Running&&) = delete;
    Running& operator=(const Running&) = delete;
    Running& operator=(Running&&) = delete;

    ~Running() {
        simulation_.settle();
        simulation_.running_ = false;
        simulation_.horizon_ = Time::min();
    }

private:
    Simulation& simulation_;
};

Simulation::~Simulation() {
    IDLESIM_CHECK(std::all_of(events_.begin(), events_.end(), [](auto* e) { return e == nullptr; }),
                  "the simulation must outlive its events");
}

void Simulation::run() {
    const Running running{*this, kEndOfTime};
    dispatch_until_horizon();
}

void Simulation::run_until(Time end) {
    if (end > kEndOfTime) {
        throw RangeError{"cannot simulate until " + to_text(end.time_since_epoch()) +
                         ": the longest run is 100 days (" + to_text(kLongestRun) + ")"};
    }
    IDLESIM_CHECK(end >= now_, "time does not run backwards");
    const Running running{*this, end};
    dispatch_until_horizon();
    if (horizon_ == end && now_ != end) {
        now_ = end;
        dispatched_before_now_ = dispatched_;
    }
}

void Simulation::stop() {
    horizon_ = Time::min();
    others_from_ = kUnknown;
}

void Simulation::enable_run_ahead(bool enabled) {
    run_ahead_ = enabled;
    others_from_ = kUnknown;
}

bool Simulation::advance_past_runner_up(Event& event, Time at) {
    if (&event == current_ && others_from_ == kUnknown && run_ahead_ && at >= now_) {
        const Time runner_up = queue_.first_time_without(event.slot_);
        if (at < runner_up && at <= horizon_) {
            others_from_ = std::min(runner_up, horizon_ + Duration{1});
            account(event, at);
            return true;
        }
    }
    schedule(event, at);
    return false;
}

void Simulation::refuse(const Event& event, Time at) const {
    IDLESIM_CHECK(at >= now_, "an event cannot be scheduled in the past");
    throw RangeError{"event '" + event.name() +
                     "' is scheduled past the longest run of 100 days (" + to_text(kLongestRun) +
                     "), at " + to_text(now_.time_since_epoch())};
}

void Simulation::suspect_livelock(const Event& event) {
    ++suspects_[event.name()];
    if (dispatched_ - dispatched_before_now_ < livelock_limit_ + kWatchedEvents) {
        return;
    }
    const std::string names = most_frequent(suspects_);
    suspects_.clear();
    throw LivelockError{"livelock: " + std::to_string(dispatched_ - dispatched_before_now_) +
                        " events without time passing at " + to_text(now_.time_since_epoch()) +
                        "; most frequent: " + names};
}

EventQueue::Slot Simulation::register_event(Event& event) {
    const EventQueue::Slot slot = queue_.add();
    if (slot >= events_.size()) {
        events_.resize(slot + std::size_t{1}, nullptr);
    }
    events_[slot] = &event;
    return slot;
}

void Simulation::unregister_event(Event& event) {
    if (current_ == &event) {
        current_ = nullptr;
    }
    queue_.remove(event.slot_);
    events_[event.slot_] = nullptr;
}

}  // namespace idlesim
