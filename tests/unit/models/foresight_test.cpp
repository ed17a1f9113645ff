// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/foresight.hpp"

#include "tests/catch.hpp"

using namespace idlesim;
using namespace std::chrono_literals;

namespace {

WakeLog log_of(std::initializer_list<Duration> wakes) {
    WakeLog log;
    for (const Duration at : wakes) {
        log.wakes[2].push_back(Time{} + at);
    }
    return log;
}

}  // namespace

TEST_CASE("the next wake-up of the other run is foreseen", "[foresight]") {
    const WakeLog log = log_of({100us, 300us, 700us});
    Foresight foresight{log, 2};
    CHECK(foresight.next(Time{}) == Time{} + 100us);
    foresight.woken(Time{} + 100us);
    CHECK(foresight.next(Time{} + 120us) == Time{} + 300us);
    CHECK(foresight.next(Time{} + 400us) == Time{} + 700us);
    foresight.woken(Time{} + 300us);
    foresight.woken(Time{} + 700us);
    CHECK_FALSE(foresight.next(Time{} + 700us).has_value());
}

TEST_CASE("nothing is foreseen for a CPU that was never woken", "[foresight]") {
    const WakeLog log = log_of({100us});
    CHECK_FALSE(Foresight(log, 0).next(Time{}).has_value());
}

TEST_CASE("a wake-up that was missed does not put the others out of step", "[foresight]") {
    const WakeLog log = log_of({100us, 300us, 700us});
    Foresight foresight{log, 2};
    foresight.woken(Time{} + 300us);
    CHECK(foresight.next(Time{} + 310us) == Time{} + 700us);
}

TEST_CASE("where times drift the distance from the last wake-up counts", "[foresight]") {
    const WakeLog log = log_of({100us, 200us, 300us, 400us});
    Foresight foresight{log, 2};
    foresight.woken(Time{} + 130us);
    CHECK(foresight.next(Time{} + 140us) == Time{} + 230us);
    foresight.woken(Time{} + 255us);
    CHECK(foresight.next(Time{} + 260us) == Time{} + 355us);
}
