// SPDX-License-Identifier: Apache-2.0
// The queue against a sorted list, under random arming, re-arming, cancelling, creation and
// destruction, from outside and from inside handlers, with many ties of time and phase.
#include "sim/engine/random.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace idlesim {
namespace {

constexpr std::array kPhases{Phase::clock_change,
                             Phase::interrupt,
                             Phase::state_change,
                             Phase::execute,
                             Phase::observe,
                             Phase::control};

class Zoo {
public:
    Zoo(std::uint64_t seed, std::size_t size, std::uint64_t spread)
        : random_{seed, "zoo"}, animals_(size), spread_{spread} {}

    void run(int actions) {
        for (int i = 0; i < actions; ++i) {
            act();
            if (random_.below(16) == 0) {
                simulation_.run_until(simulation_.now() + random_duration());
                REQUIRE(nothing_is_due());
            }
        }
        draining_ = true;
        simulation_.run();
        REQUIRE(expected_.empty());
        REQUIRE(simulation_.dispatched() == fired_);
    }

private:
    struct Animal {
        Animal(Zoo& owner, std::size_t place, Phase phase)
            : zoo{owner},
              index{place},
              event{owner.simulation_, "animal", phase, bind<&Animal::fire>(this)} {}

        void fire() { zoo.fired(index); }

        Zoo& zoo;
        std::size_t index;
        Event event;
        std::uint64_t insertion = 0;
    };

    using Key = std::pair<std::pair<Time, Phase>, std::pair<std::uint64_t, std::size_t>>;

    Duration random_duration() {
        return Duration{static_cast<std::int64_t>(random_.below(spread_))};
    }

    static Key key(const Animal& animal) {
        return {{animal.event.time(), animal.event.phase()}, {animal.insertion, animal.index}};
    }

    [[nodiscard]] bool nothing_is_due() const {
        return expected_.empty() || expected_.begin()->first.first > simulation_.now();
    }

    void forget(const Animal& animal) {
        if (animal.event.is_scheduled()) {
            expected_.erase(key(animal));
        }
    }

    void arm(Animal& animal) {
        forget(animal);
        const Time at = simulation_.now() + random_duration();
        if (random_.below(4) == 0) {
            if (simulation_.advance_or_schedule(animal.event, at)) {
                expected_.insert({{at, animal.event.phase()}, {insertions_++, animal.index}});
                fired(animal.index);
                return;
            }
        } else {
            simulation_.schedule(animal.event, at);
        }
        animal.insertion = insertions_++;
        expected_.insert(key(animal));
    }

    void act() {
        const std::size_t index = random_.below(animals_.size());
        std::unique_ptr<Animal>& animal = animals_[index];
        if (!animal) {
            const Phase phase = kPhases.at(random_.below(kPhases.size()));
            animal = std::make_unique<Animal>(*this, index, phase);
        }
        switch (random_.below(8)) {
            case 0:
                forget(*animal);
                animal.reset();
                break;
            case 1:
            case 2:
                forget(*animal);
                simulation_.cancel(animal->event);
                REQUIRE_FALSE(animal->event.is_scheduled());
                break;
            default:
                arm(*animal);
                break;
        }
    }

    void fired(std::size_t index) {
        ++fired_;
        REQUIRE_FALSE(expected_.empty());
        const Key next = *expected_.begin();
        REQUIRE(next.second.second == index);
        REQUIRE(next.first.first == simulation_.now());
        expected_.erase(expected_.begin());
        // Acting on whatever animal, this one included, which may even be destroyed.
        for (std::uint64_t i = draining_ ? 0 : random_.below(3); i > 0; --i) {
            const std::uint64_t before = fired_;
            act();
            if (fired_ != before) {
                return;  // time has advanced: this call is over
            }
        }
    }

    Simulation simulation_;
    RandomStream random_;
    std::vector<std::unique_ptr<Animal>> animals_;
    std::uint64_t spread_;
    std::set<Key> expected_;
    std::uint64_t insertions_ = 0;
    std::uint64_t fired_ = 0;
    bool draining_ = false;
};

}  // namespace

TEST_CASE("the queue dispatches like a sorted list, whatever is done to it") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        for (const std::size_t size : {1U, 2U, 3U, 8U, 61U}) {
            for (const std::uint64_t spread : {3U, 40U, 1'000'000U}) {
                Zoo{seed, size, spread}.run(400);
            }
        }
    }
}

}  // namespace idlesim
