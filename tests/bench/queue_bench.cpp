// SPDX-License-Identifier: Apache-2.0
// Hold model: a fixed number of events, each of which arms itself again at a random time when it
// fires. With "half" re-armed, every handler also moves another pending event, so that one of two
// armed timers is re-armed before it fires. Prints events (fired, and re-armed) per second, handler
// call included; judges nothing.
#include "sim/engine/simulation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <vector>

namespace {

using idlesim::Duration;
using idlesim::Time;

constexpr std::uint64_t kEvents = 2'000'000;
constexpr int kRounds = 3;

// Delays are drawn beforehand: the bench is about the queue.
class Delays {
public:
    Delays() {
        std::uint64_t state = 0x9e3779b97f4a7c15ULL;
        for (std::int64_t& delay : delays_) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            delay = 1 + static_cast<std::int64_t>(state >> 44U);
        }
    }

    std::int64_t next() { return delays_[next_++ % delays_.size()]; }

private:
    std::array<std::int64_t, 4096> delays_{};
    std::size_t next_ = 0;
};

class HoldModel {
public:
    HoldModel(std::size_t pending, bool rearm) : rearm_{rearm} {
        for (std::size_t i = 0; i < pending; ++i) {
            timers_.emplace_back(*this);
        }
    }

    // Events per second. With re-arming, every dispatched event also moves another pending one.
    double run() {
        for (Timer& timer : timers_) {
            simulation_.schedule_in(timer.event, Duration{delays_.next()});
        }
        const auto start = std::chrono::steady_clock::now();
        simulation_.run();
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        return static_cast<double>(operations_) / elapsed.count();
    }

private:
    struct Timer {
        explicit Timer(HoldModel& owner)
            : model{owner},
              event{owner.simulation_,
                    "timer",
                    idlesim::Phase::execute,
                    idlesim::bind<&Timer::expire>(this)} {}

        void expire() { model.hold(*this); }

        HoldModel& model;
        idlesim::Event event;
    };

    void hold(Timer& timer) {
        ++operations_;
        if (operations_ >= kEvents) {
            simulation_.stop();
        }
        simulation_.schedule_in(timer.event, Duration{delays_.next()});
        if (rearm_) {
            ++operations_;
            victim_ = victim_ + 1 == timers_.size() ? 0 : victim_ + 1;
            simulation_.schedule_in(timers_[victim_].event, Duration{delays_.next()});
        }
    }

    idlesim::Simulation simulation_;
    Delays delays_;
    std::deque<Timer> timers_;
    std::size_t victim_ = 0;
    std::uint64_t operations_ = 0;
    bool rearm_;
};

// What one writes first: a binary heap of type-erased handlers. A timer that is re-armed leaves
// its old entry in the heap, which is skipped when it comes up.
class StandardModel {
public:
    StandardModel(std::size_t pending, bool rearm) : generation_(pending, 0), rearm_{rearm} {
        for (std::size_t i = 0; i < pending; ++i) {
            push(i);
        }
    }

    double run() {
        const auto start = std::chrono::steady_clock::now();
        while (operations_ < kEvents) {
            const Entry entry = queue_.top();
            queue_.pop();
            now_ = entry.time;
            entry.handler();
        }
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        return static_cast<double>(operations_) / elapsed.count();
    }

private:
    struct Entry {
        std::int64_t time;
        std::uint64_t order;
        std::function<void()> handler;

        friend bool operator<(const Entry& a, const Entry& b) {
            return a.time != b.time ? a.time > b.time : a.order > b.order;
        }
    };

    void push(std::size_t timer) {
        const std::uint64_t generation = ++generation_[timer];
        queue_.push({now_ + delays_.next(), insertions_++, [this, timer, generation] {
                         if (generation_[timer] == generation) {
                             hold(timer);
                         }
                     }});
    }

    void hold(std::size_t timer) {
        ++operations_;
        push(timer);
        if (rearm_) {
            ++operations_;
            victim_ = victim_ + 1 == generation_.size() ? 0 : victim_ + 1;
            push(victim_);
        }
    }

    std::priority_queue<Entry> queue_;
    Delays delays_;
    std::vector<std::uint64_t> generation_;
    std::int64_t now_ = 0;
    std::uint64_t insertions_ = 0;
    std::uint64_t operations_ = 0;
    std::size_t victim_ = 0;
    bool rearm_;
};

template <class Model>
double best_of(std::size_t pending, bool rearm) {
    double best = 0.0;
    for (int round = 0; round < kRounds; ++round) {
        best = std::max(best, Model{pending, rearm}.run());
    }
    return best;
}

}  // namespace

int main() {
    std::printf("%-10s %-10s %12s %26s %8s\n",
                "pending",
                "re-armed",
                "idlesim",
                "priority_queue+function",
                "ratio");
    for (const bool rearm : {false, true}) {
        for (const std::size_t pending : {4U, 16U, 64U, 256U, 4096U}) {
            const double ours = best_of<HoldModel>(pending, rearm);
            const double standard = best_of<StandardModel>(pending, rearm);
            std::printf("%-10zu %-10s %8.1f M/s %22.1f M/s %8.1f\n",
                        pending,
                        rearm ? "half" : "none",
                        ours * 1e-6,
                        standard * 1e-6,
                        ours / standard);
        }
    }
    return 0;
}
