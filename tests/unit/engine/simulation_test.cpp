// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/simulation.hpp"

#include "sim/engine/error.hpp"
#include "tests/catch.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {

using namespace std::chrono_literals;

namespace {

Time at(Duration since_start) {
    return Time{since_start};
}

// An event that calls any function.
class Action {
public:
    Action(Simulation& simulation,
           std::string name,
           std::function<void()> function,
           Phase phase = Phase::execute)
        : function_{std::move(function)},
          event_{simulation, std::move(name), phase, bind<&Action::fire>(this)} {}

    Event& event() { return event_; }

private:
    void fire() { function_(); }

    std::function<void()> function_;
    Event event_;
};

template <class Function>
std::string message_of(const Function& function) {
    try {
        function();
    } catch (const SimulationError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("simultaneous events run by phase, then in order of insertion") {
    Simulation simulation;
    std::string order;
    Action a{simulation, "a", [&] { order += "a"; }, Phase::control};
    Action b{simulation, "b", [&] { order += "b"; }, Phase::interrupt};
    Action c{simulation, "c", [&] { order += "c"; }, Phase::interrupt};
    Action d{simulation, "d", [&] { order += "d"; }, Phase::clock_change};
    simulation.schedule(a.event(), at(5ns));
    simulation.schedule(b.event(), at(5ns));
    simulation.schedule(c.event(), at(5ns));
    simulation.schedule(d.event(), at(5ns));
    simulation.schedule(b.event(), at(5ns));  // re-arming is a new insertion
    simulation.run();
    CHECK(order == "dcba");
    CHECK(simulation.now() == at(5ns));
    CHECK(simulation.dispatched() == 4);
}

TEST_CASE("an event of an earlier phase that is armed for this very instant still runs first") {
    Simulation simulation;
    std::string order;
    Action late{simulation, "late", [&] { order += "l"; }, Phase::interrupt};
    Action second{simulation, "second", [&] { order += "2"; }};
    Action first{simulation, "first", [&] {
                     order += "1";
                     simulation.schedule(late.event(), simulation.now());
                 }};
    simulation.schedule(first.event(), at(1ns));
    simulation.schedule(second.event(), at(1ns));
    simulation.run();
    CHECK(order == "1l2");
}

TEST_CASE("run_until includes events at its end and moves time to it") {
    Simulation simulation;
    int fired = 0;
    Action action{simulation, "action", [&] { ++fired; }};
    simulation.schedule(action.event(), at(10ns));
    simulation.run_until(at(10ns) - Duration{1});
    CHECK(fired == 0);
    CHECK(simulation.now() == at(10ns) - Duration{1});
    simulation.run_until(at(10ns));
    CHECK(fired == 1);
    simulation.run_until(at(1us));
    CHECK(simulation.now() == at(1us));
    CHECK(fired == 1);
}

TEST_CASE("stop ends the run after the current event, and the rest stays armed") {
    Simulation simulation;
    int fired = 0;
    Action stopper{simulation, "stopper", [&] { simulation.stop(); }};
    Action other{simulation, "other", [&] { ++fired; }};
    simulation.schedule(stopper.event(), at(3ns));
    simulation.schedule(other.event(), at(3ns));
    simulation.run_until(at(9ns));
    CHECK(simulation.now() == at(3ns));
    CHECK(fired == 0);
    CHECK(other.event().is_scheduled());
    simulation.run();
    CHECK(fired == 1);
}

TEST_CASE("an event knows whether and when it fires") {
    Simulation simulation;
    Action action{simulation, "name", [] {}};
    Action checker{simulation, "checker", [&] { CHECK_FALSE(checker.event().is_scheduled()); }};
    CHECK(action.event().name() == "name");
    CHECK(action.event().phase() == Phase::execute);
    CHECK_FALSE(action.event().is_scheduled());
    simulation.cancel(action.event());
    simulation.schedule_in(action.event(), 7ns);
    CHECK(action.event().time() == at(7ns));
    simulation.cancel(action.event());
    CHECK_FALSE(action.event().is_scheduled());
    simulation.schedule(checker.event(), at(1ns));
    simulation.run();
    CHECK(simulation.dispatched() == 1);
}

TEST_CASE("an event may be destroyed in its own handler, and another while it is armed") {
    Simulation simulation;
    int fired = 0;
    std::unique_ptr<Action> victim;
    std::unique_ptr<Action> own;
    victim = std::make_unique<Action>(simulation, "victim", [&] { ++fired; });
    own = std::make_unique<Action>(simulation, "own", [&] {
        ++fired;
        victim.reset();
        simulation.schedule_in(own->event(), 1ns);
        // Last of all, since it ends the life of this closure.
        own.reset();
    });
    simulation.schedule(own->event(), at(1ns));
    simulation.schedule(victim->event(), at(1ns));
    simulation.run();
    CHECK(fired == 1);
}

TEST_CASE("a handler that throws leaves the simulation usable") {
    Simulation simulation;
    int fired = 0;
    Action bad{simulation, "bad", [] { throw SimulationError{"bad"}; }};
    Action good{simulation, "good", [&] { ++fired; }};
    simulation.schedule(bad.event(), at(1ns));
    simulation.schedule(good.event(), at(2ns));
    CHECK_THROWS_AS(simulation.run(), SimulationError);
    CHECK_FALSE(bad.event().is_scheduled());
    simulation.run();
    CHECK(fired == 1);
    CHECK(simulation.dispatched() == 2);
}

TEST_CASE("times past 100 days are refused with a clear text") {
    Simulation simulation;
    Action action{simulation, "far", [] {}};
    CHECK_THROWS_AS(simulation.run_until(kEndOfTime + Duration{1}), RangeError);
    CHECK(message_of([&] { simulation.schedule(action.event(), Time::max()); }) ==
          "event 'far' is scheduled past the longest run of 100 days (8640000 s), at 0 ps");
    simulation.schedule(action.event(), kEndOfTime);
    simulation.run_until(kEndOfTime);
    CHECK(simulation.dispatched() == 1);
    CHECK_THROWS_AS(simulation.schedule_in(action.event(), Duration::max()), RangeError);
    CHECK_THROWS_AS(simulation.schedule_in(action.event(), Duration{1}), RangeError);
}

TEST_CASE("a livelock ends with a message that names the events") {
    Simulation simulation;
    simulation.set_livelock_limit(10'000);
    const bool run_ahead = GENERATE(false, true);
    simulation.enable_run_ahead(run_ahead);
    Action ping{simulation, "cpu0.ping", [&] {
                    while (simulation.advance_or_schedule(ping.event(), simulation.now())) {
                    }
                }};
    Action pong{
        simulation, "cpu1.pong", [&] { simulation.schedule(pong.event(), simulation.now()); }};
    simulation.schedule(ping.event(), at(1us));
    SECTION("of one event") {
        CHECK(message_of([&] { simulation.run(); }) ==
              "livelock: 11000 events without time passing at 1 us; most frequent: "
              "cpu0.ping (1001)");
        CHECK(simulation.dispatched() == 11'000);
    }
    SECTION("of two") {
        simulation.schedule(pong.event(), at(1us));
        CHECK(message_of([&] { simulation.run(); }) ==
              "livelock: 11000 events without time passing at 1 us; most frequent: "
              "cpu0.ping (501), cpu1.pong (500)");
    }
}

TEST_CASE("many events that advance time are no livelock") {
    Simulation simulation;
    simulation.set_livelock_limit(10);
    int left = 1'000;
    Action action{simulation, "tick", [&] {
                      if (--left > 0) {
                          simulation.schedule_in(action.event(), Duration{1});
                      }
                  }};
    simulation.schedule(action.event(), Time{});
    CHECK_NOTHROW(simulation.run());
    CHECK(simulation.dispatched() == 1'000);
}

TEST_CASE("the fingerprint depends on times, names, phases and order") {
    const auto fingerprint =
        [](const std::string& first, const std::string& second, Phase phase, Duration time) {
            Simulation simulation;
            Action a{simulation, first, [] {}, phase};
            Action b{simulation, second, [] {}, phase};
            simulation.schedule(a.event(), at(time));
            simulation.schedule(b.event(), at(time));
            simulation.run();
            return simulation.fingerprint();
        };
    const auto reference = fingerprint("a", "b", Phase::execute, 1ns);
    CHECK(reference == fingerprint("a", "b", Phase::execute, 1ns));
    CHECK(reference != fingerprint("b", "a", Phase::execute, 1ns));
    CHECK(reference != fingerprint("a", "c", Phase::execute, 1ns));
    CHECK(reference != fingerprint("a", "b", Phase::observe, 1ns));
    CHECK(reference != fingerprint("a", "b", Phase::execute, 2ns));
    // Pinned: a change of the hash invalidates every recorded fingerprint.
    CHECK(reference == 0x5c9fef8d4f2dcb8);
}

}  // namespace idlesim
