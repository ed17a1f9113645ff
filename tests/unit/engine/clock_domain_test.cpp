// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/clock_domain.hpp"

#include "sim/engine/error.hpp"
#include "sim/engine/random.hpp"
#include "tests/catch.hpp"

#include <type_traits>

namespace idlesim {

using namespace std::chrono_literals;

namespace {

constexpr Frequency kOdd{2'100'000'000, 1};   // 476.19... ps
constexpr Frequency kThird{400'000'000, 3};   // 133.3 MHz
constexpr Frequency kCrystal{38'400'000, 1};  // 26041.6 ps

Time at(Duration since_start) {
    return Time{since_start};
}

template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};

}  // namespace

TEST_CASE("cycles of different clocks do not mix, nor with integers") {
    STATIC_REQUIRE(Addable<CoreCycles, CoreCycles>);
    STATIC_REQUIRE(!Addable<CoreCycles, TscCycles>);
    STATIC_REQUIRE(!Addable<CoreCycles, int>);
    STATIC_REQUIRE(!std::is_convertible_v<CoreCycles, std::int64_t>);
    STATIC_REQUIRE(!std::is_convertible_v<std::int64_t, CoreCycles>);
}

TEST_CASE("edges of a period that is no whole number of picoseconds are rounded down one by one") {
    const ClockDomain<CoreClock> clock{kOdd};
    CHECK(clock.edge(CoreCycles{0}) == at(Duration{0}));
    CHECK(clock.edge(CoreCycles{1}) == at(Duration{476}));
    CHECK(clock.edge(CoreCycles{2}) == at(Duration{952}));
    CHECK(clock.edge(CoreCycles{21}) == at(10ns));
    CHECK(clock.duration(CoreCycles{21}) == 10ns);
}

TEST_CASE("there is no drift after 100 days") {
    const ClockDomain<TscClock> clock{kOdd};
    const TscCycles cycles{100LL * 86'400 * 2'100'000'000};
    CHECK(clock.edge(cycles) == kEndOfTime);
    CHECK(clock.cycle_at(kEndOfTime) == cycles);
    CHECK(clock.cycle_at(kEndOfTime - Duration{1}) == cycles - TscCycles{1});
    CHECK_THROWS_AS(clock.edge(cycles + TscCycles{1}), RangeError);
    CHECK_THROWS_AS(clock.edge(TscCycles{INT64_MAX}), RangeError);
    CHECK_THROWS_AS(clock.duration(TscCycles{INT64_MAX}), RangeError);
}

TEST_CASE("cycle to edge and back is the identity for any frequency") {
    RandomStream random{1, "round trips"};
    for (const Frequency frequency :
         {kOdd, kThird, kCrystal, Frequency{1, 1}, Frequency{999'999'999'999'999'999, 1'000'000}}) {
        const ClockDomain<CoreClock> clock{frequency, at(123ns)};
        const std::int64_t limit = clock.cycle_at(kEndOfTime).count();
        for (int i = 0; i < 10'000; ++i) {
            const CoreCycles cycle{
                static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit)))};
            const Time edge = clock.edge(cycle);
            REQUIRE(clock.cycle_at(edge) == cycle);
            REQUIRE(clock.next_edge(edge) == edge);
            REQUIRE(clock.next_cycle(edge + Duration{1}) == cycle + CoreCycles{1});
            if (cycle > CoreCycles{0}) {
                REQUIRE(clock.cycle_at(edge - Duration{1}) == cycle - CoreCycles{1});
                REQUIRE(clock.next_edge(edge - Duration{1}) >= edge - Duration{1});
            }
        }
    }
}

TEST_CASE("domains of one crystal stay locked") {
    const ClockDomain<ArtClock> crystal{Frequency{24'000'000, 1}};
    const ClockDomain<TscClock> tsc{Frequency{24'000'000 * 175LL, 2}};  // ratio 87.5
    for (std::int64_t k = 0; k < 1'000'000'000'000; k += 99'999'999'998) {
        REQUIRE(tsc.edge(TscCycles{k / 2 * 175}) == crystal.edge(ArtCycles{k}));
    }
}

TEST_CASE("a retuned clock finishes its cycle and goes on at the new frequency") {
    ClockDomain<CoreClock> clock{Frequency{1'000'000'000, 1}};
    clock.retune(at(10ns + Duration{400}), Frequency{4'000'000'000, 1});
    CHECK(clock.cycle_at(at(10ns + Duration{999})) == CoreCycles{10});
    CHECK(clock.next_edge(at(10ns + Duration{400})) == at(11ns));
    CHECK(clock.edge(CoreCycles{11}) == at(11ns));
    CHECK(clock.edge(CoreCycles{12}) == at(11ns + Duration{250}));
    CHECK(clock.duration(CoreCycles{4}) == 1ns);

    SECTION("a second retune before that edge replaces the first") {
        clock.retune(at(10ns + Duration{500}), Frequency{2'000'000'000, 1});
        CHECK(clock.edge(CoreCycles{11}) == at(11ns));
        CHECK(clock.edge(CoreCycles{12}) == at(11ns + Duration{500}));
    }
    SECTION("at an edge it takes effect at once") {
        clock.retune(at(12ns), Frequency{1'000'000'000, 1});
        CHECK(clock.next_edge(at(12ns)) == at(12ns));
        CHECK(clock.next_edge(at(12ns + Duration{1})) == at(13ns));
    }
}

TEST_CASE("retuning many times never moves an edge back and costs under 1 ps each") {
    ClockDomain<CoreClock> clock{kOdd};
    RandomStream random{2, "retune"};
    Time now{};
    std::int64_t cycles = 0;
    double exact = 0.0;  // picoseconds
    double hz = 2.1e9;
    for (int i = 0; i < 100'000; ++i) {
        now += Duration{static_cast<std::int64_t>(random.below(5'000))};
        const std::int64_t cycle = clock.next_cycle(now).count();
        exact += static_cast<double>(cycle - cycles) * 1e12 / hz;
        REQUIRE(cycle >= cycles);
        cycles = cycle;
        const Frequency next{static_cast<std::int64_t>(1'000'000'000 + random.below(3'000'000'000)),
                             1};
        now = clock.next_edge(now);
        clock.retune(now, next);
        hz = static_cast<double>(next.numerator);
    }
    CHECK(exact - static_cast<double>(now.time_since_epoch().count()) >= -1.0);
    CHECK(exact - static_cast<double>(now.time_since_epoch().count()) <= 100'000.0);
}

TEST_CASE("a gated clock keeps its count and restarts where it is told") {
    ClockDomain<CoreClock> clock{Frequency{1'000'000'000, 1}};
    clock.gate(at(5ns + Duration{300}));
    CHECK(clock.is_gated());
    CHECK(clock.cycle_at(at(1us)) == CoreCycles{5});

    SECTION("with an edge at the restart") {
        clock.restart(at(100ns + Duration{700}));
        CHECK_FALSE(clock.is_gated());
        CHECK(clock.edge(CoreCycles{6}) == at(100ns + Duration{700}));
        CHECK(clock.cycle_at(at(101ns)) == CoreCycles{6});
        CHECK(clock.edge(CoreCycles{7}) == at(101ns + Duration{700}));
    }
    SECTION("in phase with what it would have been") {
        clock.restart(at(100ns + Duration{700}), Restart::in_phase);
        CHECK(clock.cycle_at(at(100ns + Duration{800})) == CoreCycles{5});
        CHECK(clock.edge(CoreCycles{6}) == at(101ns));
    }
    SECTION("at a frequency that was set meanwhile") {
        clock.retune(at(50ns), Frequency{500'000'000, 1});
        CHECK(clock.cycle_at(at(60ns)) == CoreCycles{5});
        clock.restart(at(100ns));
        CHECK(clock.edge(CoreCycles{6}) == at(100ns));
        CHECK(clock.edge(CoreCycles{7}) == at(102ns));
    }
}

TEST_CASE("frequencies that make no sense are refused") {
    CHECK_THROWS_AS(ClockDomain<CoreClock>(Frequency{0, 1}), ParameterError);
    CHECK_THROWS_AS(ClockDomain<CoreClock>(Frequency{-1, 1}), ParameterError);
    CHECK_THROWS_AS(ClockDomain<CoreClock>(Frequency{1, 0}), ParameterError);
    CHECK_THROWS_AS(ClockDomain<CoreClock>(Frequency{1, 1'000'001}), ParameterError);
    CHECK_THROWS_AS(ClockDomain<CoreClock>(Frequency{1'000'000'000'000, 1}), ParameterError);
}

}  // namespace idlesim
