// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/engine/check.hpp"
#include "sim/engine/event.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/fingerprint.hpp"
#include "sim/engine/time.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace idlesim {

/// The present, and the events to come. Dispatches events in the order (time, phase, insertion);
/// arming an event again, at whatever time, is a new insertion.
class Simulation {
public:
    Simulation() = default;
    Simulation(const Simulation&) = delete;
    Simulation(Simulation&&) = delete;
    Simulation& operator=(const Simulation&) = delete;
    Simulation& operator=(Simulation&&) = delete;
    ~Simulation();

    [[nodiscard]] Time now() const { return now_; }

    /// Arms the event, or moves it when it is armed. A time before now() is a broken invariant,
    /// one past kEndOfTime throws RangeError.
    void schedule(Event& event, Time at);

    /// Throws like schedule(); a negative delay is a broken invariant.
    void schedule_in(Event& event, Duration delay);

    /// Does nothing when the event is not armed.
    void cancel(Event& event);

    /// Dispatches until nothing is armed or stop() is called. now() is then the time of the last
    /// event.
    void run();

    /// Dispatches everything up to and including `end`; then now() == end, unless stopped before.
    /// Throws RangeError for an end past kEndOfTime.
    void run_until(Time end);

    /// Ends run() or run_until() after the current event. Armed events stay armed.
    void stop();

    /// Run-ahead: the event whose handler is running wants to fire again at `at`. When nothing
    /// else can happen before or at that time, time advances to it, the event counts as dispatched
    /// in every respect, and true is returned: the caller goes on as if its handler had just been
    /// called. Otherwise the event is armed, false is returned, and the caller must return to the
    /// engine. Either way the same events happen in the same order, so the caller must not do
    /// anything after the call that a handler called anew would not do.
    ///
    /// Any other event than the one whose handler is running is simply armed.
    bool advance_or_schedule(Event& event, Time at);

    /// On by default. Off, advance_or_schedule() always arms; results and fingerprints stay the
    /// same.
    void enable_run_ahead(bool enabled);

    /// Hash of (time, name, phase) of all dispatched events in their order.
    [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_.value(); }

    /// Number of events dispatched so far.
    [[nodiscard]] std::uint64_t dispatched() const { return dispatched_; }

    /// More events than this without time passing throw LivelockError.
    void set_livelock_limit(std::uint64_t events) { livelock_limit_ = events; }

private:
    friend class Event;
    class Running;

    static constexpr Time kUnknown = Time::min();
    static constexpr unsigned kPhaseShift = 56;

    EventQueue::Slot register_event(Event& event);
    void unregister_event(Event& event);
    [[nodiscard]] bool is_scheduled(const Event& event) const;

    void arm(Event& event, Time at);
    void dispatch_until_horizon();
    void account(const Event& event, Time at);
    void settle();
    bool advance_past_runner_up(Event& event, Time at);
    [[noreturn]] void refuse(const Event& event, Time at) const;
    void suspect_livelock(const Event& event);

    Time now_{};
    // No event but the current one is armed before this time: a lower bound, kUnknown until
    // somebody asks, and at most just past the horizon.
    Time others_from_ = kUnknown;
    // The event whose handler is running, until it is armed again. Its leaf in the queue is stale
    // meanwhile, so that an event that re-arms itself replays its path once and not twice.
    Event* current_ = nullptr;
    std::uint64_t insertions_ = 0;
    std::uint64_t dispatched_ = 0;
    Fingerprint fingerprint_;
    EventQueue queue_;
    std::vector<Event*> events_;  // [slot]
    Time horizon_ = Time::min();  // last time that may be dispatched; Time::min() stops
    bool run_ahead_ = true;
    bool running_ = false;
    std::uint64_t dispatched_before_now_ = 0;
    std::uint64_t livelock_limit_ = 1'000'000;
    std::map<std::string, std::uint64_t> suspects_;
};

inline bool Event::is_scheduled() const {
    return simulation_->is_scheduled(*this);
}

inline bool Simulation::is_scheduled(const Event& event) const {
    return &event != current_ && queue_.is_armed(event.slot_);
}

inline void Simulation::schedule(Event& event, Time at) {
    if (at < now_ || at > kEndOfTime) [[unlikely]] {
        refuse(event, at);
    }
    arm(event, at);
}

inline void Simulation::schedule_in(Event& event, Duration delay) {
    if (delay < Duration::zero() || delay > kEndOfTime - now_) [[unlikely]] {
        refuse(event, delay < Duration::zero() ? Time::min() : Time::max());
    }
    arm(event, now_ + delay);
}

inline void Simulation::arm(Event& event, Time at) {
    if (&event == current_) {
        current_ = nullptr;
    } else if (at < others_from_) {
        others_from_ = at;
    }
    const auto phase = static_cast<std::uint64_t>(event.phase_);
    queue_.arm(event.slot_, at, (phase << kPhaseShift) | insertions_++);
}

inline void Simulation::cancel(Event& event) {
    if (is_scheduled(event)) {
        queue_.disarm(event.slot_);
    }
}

inline void Simulation::account(const Event& event, Time at) {
    if (at != now_) {
        now_ = at;
        dispatched_before_now_ = dispatched_;
    } else if (dispatched_ - dispatched_before_now_ >= livelock_limit_) [[unlikely]] {
        suspect_livelock(event);
    }
    ++dispatched_;
    fingerprint_.add(at, event.identity_);
}

inline bool Simulation::advance_or_schedule(Event& event, Time at) {
    if (&event == current_ && at < others_from_) [[likely]] {
        if (at < now_) [[unlikely]] {
            refuse(event, at);
        }
        account(event, at);
        return true;
    }
    return advance_past_runner_up(event, at);
}

inline void Simulation::settle() {
    if (current_ != nullptr) {
        queue_.disarm(current_->slot_);
        current_ = nullptr;
    }
}

inline void Simulation::dispatch_until_horizon() {
    for (;;) {
        const EventQueue::Slot slot = queue_.first();
        const Time at = queue_.time(slot);
        if (at > horizon_) {
            return;
        }
        Event& event = *events_[slot];
        account(event, at);
        others_from_ = kUnknown;
        current_ = &event;
        event.callback_.handler(event.callback_.context);
        settle();
    }
}

}  // namespace idlesim
