// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/simulation.hpp"
#include "tests/catch.hpp"

#include <string>
#include <utility>
#include <vector>

namespace idlesim {

using namespace std::chrono_literals;

namespace {

// Runs `steps` operations of equal length, and counts how often the engine called it.
class Runner {
public:
    Runner(Simulation& simulation, std::string name, Duration step, int steps)
        : simulation_{simulation},
          event_{simulation, std::move(name), Phase::execute, bind<&Runner::run>(this)},
          step_{step},
          left_{steps} {
        simulation.schedule_in(event_, step);
    }

    [[nodiscard]] int calls() const { return calls_; }

    [[nodiscard]] int left() const { return left_; }

private:
    void run() {
        ++calls_;
        do {
            if (--left_ == 0) {
                return;
            }
        } while (simulation_.advance_or_schedule(event_, simulation_.now() + step_));
    }

    Simulation& simulation_;
    Event event_;
    Duration step_;
    int left_;
    int calls_ = 0;
};

}  // namespace

TEST_CASE("alone, a runner is called once and counts every operation") {
    Simulation simulation;
    const Runner runner{simulation, "r", 1ns, 1000};
    simulation.run();
    CHECK(runner.calls() == 1);
    CHECK(simulation.dispatched() == 1000);
    CHECK(simulation.now() == Time{1us});
}

TEST_CASE("switched off, every operation goes through the queue") {
    Simulation simulation;
    simulation.enable_run_ahead(false);
    const Runner runner{simulation, "r", 1ns, 1000};
    simulation.run();
    CHECK(runner.calls() == 1000);
    CHECK(simulation.dispatched() == 1000);
}

TEST_CASE("a runner stops before an event at the same time, whatever its phase") {
    Simulation simulation;
    const Runner fast{simulation, "fast", 1ns, 30};
    const Runner slow{simulation, "slow", 10ns, 3};
    simulation.run();
    CHECK(fast.calls() == 4);
    CHECK(simulation.dispatched() == 33);
}

TEST_CASE("a runner does not pass the end of run_until") {
    Simulation simulation;
    const Runner runner{simulation, "r", 1ns, 1000};
    simulation.run_until(Time{10ns});
    CHECK(runner.left() == 990);
    CHECK(simulation.now() == Time{10ns});
    simulation.run_until(Time{10ns} + Duration{999});
    CHECK(runner.left() == 990);
    simulation.run();
    CHECK(runner.left() == 0);
}

TEST_CASE("outside a handler, for a foreign event, or once armed, the event is just armed") {
    Simulation simulation;

    struct Holder {
        explicit Holder(Simulation& s)
            : simulation{s},
              own{s, "own", Phase::execute, bind<&Holder::fire>(this)},
              other{s, "other", Phase::execute, bind<&Holder::other_fires>(this)} {}

        void fire() {
            CHECK_FALSE(simulation.advance_or_schedule(other, simulation.now() + 1ns));
            CHECK(other.is_scheduled());
            CHECK(simulation.advance_or_schedule(own, simulation.now() + Duration{999}));
            CHECK_FALSE(own.is_scheduled());
            simulation.schedule_in(own, 1ms);
            CHECK_FALSE(simulation.advance_or_schedule(own, simulation.now()));
            CHECK(own.time() == simulation.now());
            simulation.cancel(own);
            simulation.stop();
        }

        void other_fires() { ++others; }

        Simulation& simulation;
        Event own;
        Event other;
        int others = 0;
    };

    Holder holder{simulation};
    CHECK_FALSE(simulation.advance_or_schedule(holder.own, Time{5ns}));
    CHECK(holder.own.time() == Time{5ns});
    simulation.run();
    CHECK(holder.others == 0);
    CHECK(simulation.dispatched() == 2);
    simulation.run();
    CHECK(holder.others == 1);
}

TEST_CASE("after stop, a runner does not advance") {
    Simulation simulation;

    struct Holder {
        explicit Holder(Simulation& s)
            : simulation{s}, own{s, "own", Phase::execute, bind<&Holder::fire>(this)} {}

        void fire() {
            CHECK(simulation.advance_or_schedule(own, simulation.now() + 1ns));
            simulation.stop();
            CHECK_FALSE(simulation.advance_or_schedule(own, simulation.now() + 1ns));
        }

        Simulation& simulation;
        Event own;
    };

    Holder holder{simulation};
    simulation.schedule(holder.own, Time{1ns});
    simulation.run();
    CHECK(simulation.now() == Time{2ns});
    CHECK(holder.own.time() == Time{3ns});
}

}  // namespace idlesim
