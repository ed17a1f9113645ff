// SPDX-License-Identifier: Apache-2.0
// Components that run random programs, wake and delay each other and draw random numbers: with
// and without run-ahead, whole or in pieces, the same events happen.
#include "sim/engine/random.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace idlesim {
namespace {

class Toy {
public:
    Toy(std::uint64_t seed, std::size_t workers, bool run_ahead) {
        simulation_.enable_run_ahead(run_ahead);
        for (std::size_t i = 0; i < workers; ++i) {
            workers_.emplace_back(*this, "worker" + std::to_string(i), seed);
        }
    }

    void run_until(Time end) { simulation_.run_until(end); }

    struct Outcome {
        std::uint64_t fingerprint;
        std::uint64_t dispatched;
        std::uint64_t work;

        friend bool operator==(const Outcome&, const Outcome&) = default;
    };

    [[nodiscard]] Outcome outcome() const {
        return {simulation_.fingerprint(), simulation_.dispatched(), work_};
    }

    [[nodiscard]] std::uint64_t calls() const { return calls_; }

private:
    struct Worker {
        Worker(Toy& owner, const std::string& name, std::uint64_t seed)
            : toy{owner},
              random{seed, name},
              step{owner.simulation_, name + ".step", Phase::execute, bind<&Worker::run>(this)},
              interrupt{owner.simulation_,
                        name + ".interrupt",
                        Phase::interrupt,
                        bind<&Worker::interrupted>(this)} {
            toy.simulation_.schedule_in(step, duration(100));
        }

        Duration duration(std::uint64_t limit) {
            return Duration{static_cast<std::int64_t>(random.below(limit))};
        }

        void run() {
            ++toy.calls_;
            Simulation& simulation = toy.simulation_;
            do {
                toy.work_ = toy.work_ * 31 + random.bits() + extra;
                if (random.below(8) == 0) {
                    Worker& other = toy.workers_[random.below(toy.workers_.size())];
                    simulation.schedule_in(other.interrupt, duration(50));
                }
                if (random.below(64) == 0) {
                    return;  // sleeps until somebody interrupts it
                }
            } while (simulation.advance_or_schedule(step, simulation.now() + duration(20)));
        }

        void interrupted() {
            ++extra;
            if (random.below(4) == 0) {
                toy.simulation_.cancel(step);
            }
            // Time may advance inside another event's handler only for that event.
            toy.simulation_.advance_or_schedule(step, toy.simulation_.now() + duration(5));
        }

        Toy& toy;
        RandomStream random;
        Event step;
        Event interrupt;
        std::uint64_t extra = 0;
    };

    Simulation simulation_;
    std::uint64_t work_ = 0;
    std::uint64_t calls_ = 0;
    std::deque<Worker> workers_;
};

}  // namespace

TEST_CASE("run-ahead changes nothing but the number of calls") {
    constexpr Time kEnd{Duration{20'000}};
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        for (const std::size_t workers : {1U, 2U, 5U, 16U}) {
            Toy queued{seed, workers, false};
            queued.run_until(kEnd);
            Toy ahead{seed, workers, true};
            ahead.run_until(kEnd);
            REQUIRE(queued.outcome() == ahead.outcome());
            REQUIRE(ahead.calls() <= queued.calls());

            Toy pieces{seed, workers, true};
            for (Time time{}; time <= kEnd; time += Duration{37}) {
                pieces.run_until(time);
            }
            pieces.run_until(kEnd);
            REQUIRE(queued.outcome() == pieces.outcome());
        }
    }
}

}  // namespace idlesim
